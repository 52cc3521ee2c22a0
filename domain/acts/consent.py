"""What every second person's decision has in common."""

from domain.commands import DecideApproval
from domain.refusals import Refusal
from domain.work import Work


def refused_with_reason(work: Work, proposer: str, command: DecideApproval) -> str | None:
    """None: approved. Else the reason of the refusal.

    Refuses `same_person` where the decider asked for the act, and `reason_required` for a refusal without one.
    """
    if proposer == work.request.actor:
        raise Refusal("same_person", f"{proposer} asked for this and may not decide it; another person must")
    if command.decision == "approve":
        return None
    reason = command.reason.strip()
    if len(reason) < 3:
        raise Refusal("reason_required", "a refusal needs a reason of three letters or more")
    return reason
