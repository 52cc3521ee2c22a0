"""Progressives: proposed, decided by a second person, their pending hits paid; and rulesets published."""

from api.http.doors import Doors
from domain.acts import progressives, rulesets
from domain.commands import DecideApproval, PayHit, ProposeProgressive, PublishRuleset


def mount(doors: Doors) -> None:
    doors.write(
        "/v1/progressives",
        ProposeProgressive,
        progressives.propose,
        "Propose a progressive; finance must approve",
        statuses=(202,),
    )
    doors.write(
        "/v1/approvals/{approval}",
        DecideApproval,
        progressives.decide,
        "Approve or refuse what another person proposed",
        statuses=(200, 201),
    )
    doors.write("/v1/jackpots/{jackpot}/hits/{hit}/pay", PayHit, progressives.pay_hit, "Pay a pending hit, once")
    doors.write("/v1/rulesets", PublishRuleset, rulesets.publish, "Publish the next version of a ruleset")
