"""Segregation of duties: which role may do what in the money room, and that nobody stands at both ends of one act.

"No employee in a position both to commit an error or to perpetrate a fraud and to conceal" it (N.J.A.C.
13:69D-1.11(a)2). The doors ask for roles too; the domain does not rely on them.
"""

from collections.abc import Iterable
from typing import Final

from domain.refusals import Refusal
from domain.work import Work

DUTIES: Final[dict[str, frozenset[str]]] = {
    # Five signatures of five people in five duties (WAC 230-15-525).
    "prepare a slip": frozenset({"cashier"}),
    "carry a slip": frozenset({"security"}),
    "count a slip": frozenset({"terminal"}),
    "receive a slip": frozenset({"supervisor"}),
    "void a slip": frozenset({"cashier"}),
    "roll the day": frozenset({"supervisor", "finance"}),
    "close the day": frozenset({"finance"}),
    "audit the day": frozenset({"finance", "auditor"}),
    "mount a drop box": frozenset({"security"}),
    "remove a drop box": frozenset({"security"}),
    "receive a drop box": frozenset({"finance"}),
    # The cage must not count what it will receive (WAC 230-15-620), nor those who dealt or carried it.
    "count a drop box": frozenset({"finance"}),
    "correct a count": frozenset({"finance"}),
    "adjust a figure": frozenset({"finance", "auditor"}),
    "count the tray": frozenset({"supervisor"}),
    "work a window": frozenset({"cashier"}),
    "propose money rules": frozenset({"admin", "finance"}),
    "acknowledge an exception": frozenset({"supervisor", "finance", "auditor"}),
}
"""Duty -> the roles that may do it."""


def on_duty(work: Work, duty: str) -> None:
    """Refuses `role_required` for a role that may not do this."""
    allowed = DUTIES[duty]
    role = work.request.role
    if role not in allowed:
        raise Refusal("role_required", f"to {duty} takes the role {' or '.join(sorted(allowed))}, not {role}")


def another_person(work: Work, act: str, people: Iterable[str]) -> None:
    """Refuses `same_person` where who asks is one of `people`, who took earlier steps."""
    actor = work.request.actor
    if actor in people:
        raise Refusal("same_person", f"{actor} took an earlier step; to {act} takes another person")
