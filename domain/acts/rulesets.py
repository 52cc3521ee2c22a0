"""Publishing a ruleset into the log, so that replay needs nothing but the log."""

from domain import streams
from domain.acts.consent import refused_with_reason
from domain.commands import DecideApproval, PublishRuleset
from domain.events.house import RulesetProposed, RulesetPublished, RulesetRefused
from domain.house import House
from domain.refusals import Refusal
from domain.request import Reply
from domain.ruleset import InvalidRulesetError, Ruleset, load_text
from domain.work import Work


def publish(work: Work, command: PublishRuleset, edge_ppm: int | None = None) -> Reply:
    """Publish version n+1 of a ruleset; a sheet on which the house loses waits for a second person's consent.

    edge_ppm: the house's estimated win per ante in millionths; None for a sheet that comes with the program. Refuses
    `bad_ruleset` with every problem of the file and its line, and `already_published` for the text that is in force.
    """
    ruleset = _load(command.text)
    house = work.house()
    current = house.published.get(ruleset.id)
    if current is not None and current.digest == ruleset.digest:
        raise Refusal("already_published", f"{ruleset.id} version {current.ruleset_version} reads exactly so")
    if edge_ppm is not None and edge_ppm < 0:
        return _propose(work, ruleset, edge_ppm)
    return _publish(work, house, ruleset, edge_ppm, None)


def _load(text: str) -> Ruleset:
    try:
        return load_text(text)
    except InvalidRulesetError as error:
        raise Refusal("bad_ruleset", "; ".join(str(p) for p in error.problems)) from error


def _propose(work: Work, ruleset: Ruleset, edge_ppm: int) -> Reply:
    approval = f"ruleset.{ruleset.id}.{work.house().proposed + 1}"
    event = RulesetProposed(
        ruleset=ruleset.id, digest=ruleset.digest, text=ruleset.text, edge_ppm=edge_ppm, approval=approval
    )
    work.record(streams.HOUSE, [event])
    return Reply({"approval": approval, "needs": "finance", "edge_ppm": edge_ppm}, status=202)


def _publish(work: Work, house: House, ruleset: Ruleset, edge_ppm: int | None, approval: str | None) -> Reply:
    current = house.published.get(ruleset.id)
    version = 1 if current is None else current.ruleset_version + 1
    event = RulesetPublished(
        ruleset=ruleset.id,
        ruleset_version=version,
        digest=ruleset.digest,
        text=ruleset.text,
        edge_ppm=edge_ppm,
        approval=approval,
    )
    work.record(streams.HOUSE, [event], approver=None if approval is None else work.request.actor)
    return Reply({"ruleset": ruleset.id, "version": version, "digest": ruleset.digest})


def decide(work: Work, approval: str, command: DecideApproval) -> Reply:
    """Consent to a sheet on which the house loses, or refuse it."""
    house = work.house()
    if approval not in house.proposals:
        raise Refusal("unknown_approval", f"nothing waits for approval {approval!r}; it may be decided already")
    proposal, proposer = house.proposals[approval]
    reason = refused_with_reason(work, proposer, command)
    if reason is not None:
        refused = RulesetRefused(ruleset=proposal.ruleset, approval=approval, reason=reason)
        work.record(streams.HOUSE, [refused], approver=work.request.actor)
        return Reply({"approval": approval, "decision": "refused"}, status=200)
    return _publish(work, house, _load(proposal.text), proposal.edge_ppm, approval)
