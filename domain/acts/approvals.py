"""A second person's decision on an act that waits for one, by its name: `progressive.ID.N`, `ruleset.ID.N`."""

from collections.abc import Callable
from typing import NamedTuple

from domain.acts import adjustments, corrections, money_rules, progressives, rulesets
from domain.commands import DecideApproval
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work


class Approvable(NamedTuple):
    """role: whose consent it takes."""

    decide: Callable[[Work, str, DecideApproval], Reply]
    role: str


_ACTS = {
    "progressive": Approvable(progressives.decide, "finance"),
    "correction": Approvable(corrections.decide, "supervisor"),
    "ruling": Approvable(corrections.decide, "supervisor"),
    "drop": Approvable(adjustments.decide, "finance"),
    "adjustment": Approvable(adjustments.decide, "finance"),
    "rules": Approvable(money_rules.decide, "finance"),
    "ruleset": Approvable(rulesets.decide, "finance"),
}


def needs(approval: str) -> str:
    """The role that may decide this approval. Refuses `unknown_approval`."""
    return _find(approval).role


def decide(work: Work, approval: str, command: DecideApproval) -> Reply:
    """Approve or refuse; approved, the act answers as it would have answered at once. Refuses `role_required`."""
    found = _find(approval)
    if work.request.role != found.role:
        raise Refusal("role_required", f"{approval} needs the role {found.role}, not {work.request.role}")
    return found.decide(work, approval, command)


def _find(approval: str) -> Approvable:
    known = _ACTS.get(approval.partition(".")[0])
    if known is None:
        raise Refusal("unknown_approval", f"nothing waits for approval {approval!r}")
    return known
