"""Progressives: proposed by one person, approved by another."""

from domain import streams
from domain.acts import progressive_changes
from domain.acts.consent import refused_with_reason
from domain.acts.progressive_day import limits_of, record
from domain.commands import DecideApproval, ProposeProgressive
from domain.events.progressive import ProgressiveOpened, ProgressiveProposed, ProgressiveRefused
from domain.money import CURRENCIES
from domain.progressive.terms import check_limits, check_terms
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work


def propose(work: Work, command: ProposeProgressive) -> Reply:
    """Ask for a new progressive; finance must approve. Refuses `already_exists` and `bad_terms`."""
    progressive = work.progressive(command.id)
    if progressive.opened is not None:
        raise Refusal("already_exists", f"progressive {command.id} is running; choose another id")
    if command.currency not in CURRENCIES:
        raise Refusal("bad_terms", f"currency {command.currency} is not dealt here; one of {', '.join(CURRENCIES)}")
    check_terms(command.levels)
    check_limits(limits_of(work), command.currency, command.levels)
    approval = f"progressive.{command.id}.{progressive.asked + 1}"
    event = ProgressiveProposed(
        progressive=command.id,
        currency=command.currency,
        levels=command.levels,
        fixed_prizes_from=command.fixed_prizes_from,
        same_deal=command.same_deal,
        account=command.account,
        approval=approval,
    )
    record(work, streams.progressive(command.id), event)
    return Reply({"approval": approval, "needs": "finance"}, status=202)


def decide(work: Work, approval: str, command: DecideApproval) -> Reply:
    """Approve or refuse a proposal, as another person than who made it. Approved, the meters run from the seed."""
    progressive_id = _of_approval(approval)
    progressive = work.progressive(progressive_id)
    if approval in progressive.changes:
        return progressive_changes.decide(work, progressive_id, approval, command)
    if approval not in progressive.proposals:
        raise Refusal("unknown_approval", f"nothing waits for approval {approval!r}; it may be decided already")
    proposal, proposer = progressive.proposals[approval]
    stream = streams.progressive(progressive_id)
    reason = refused_with_reason(work, proposer, command)
    if reason is not None:
        refused = ProgressiveRefused(progressive=progressive_id, approval=approval, reason=reason)
        record(work, stream, refused, approver=work.request.actor)
        return Reply({"approval": approval, "decision": "refused"}, status=200)
    if progressive.opened is not None:
        raise Refusal(
            "already_exists", f"progressive {progressive_id} is running; only a refusal can end this proposal"
        )
    opened = ProgressiveOpened(
        progressive=progressive_id,
        currency=proposal.currency,
        levels=proposal.levels,
        fixed_prizes_from=proposal.fixed_prizes_from,
        same_deal=proposal.same_deal,
        account=proposal.account,
        approval=approval,
    )
    record(work, stream, opened, approver=work.request.actor)
    return Reply({"progressive": progressive_id})


def _of_approval(approval: str) -> str:
    kind, _, rest = approval.partition(".")
    progressive_id, _, number = rest.rpartition(".")
    if kind != "progressive" or not progressive_id or not number.isdigit():
        raise Refusal("unknown_approval", f"nothing waits for approval {approval!r}")
    return progressive_id
