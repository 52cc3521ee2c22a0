"""What takes two people: proposed by one, agreed to by another, at the same screen or later."""

from collections.abc import Mapping
from typing import Any, Final

from api.auth.people import Person
from api.i18n.catalogue import gettext
from api.pages.form import FormError
from api.pages.jackpots.seen import second_or_none
from api.pages.visit import APPROVALS, Visit
from api.problems import ProblemError

AGREES: Final = "finance"
"""The role whose consent a progressive's changes take."""


def propose(visit: Visit, door: str, *names: str, body: Mapping[str, Any]) -> str:
    """Propose at a door; agreed to at once where a second person has signed the form, who is known beforehand.

    Returns what to say of it. Refuses what the door refuses, and a second person who may not agree.
    """
    second = second_or_none(visit)
    if second is not None:
        _check(visit, second)
    answer = visit.act(door, *names, body=body)
    if second is None:
        return gettext("Proposed: it waits for somebody of finance.")
    visit.approve(str(answer["approval"]), second)
    return gettext("Done, agreed to by %(name)s.") % {"name": second.name}


def _check(visit: Visit, second: Person) -> None:
    if visit.person is not None and second.id == visit.person.id:
        raise ProblemError("same_person", f"{second.id} is signed in here; another person must agree")
    if second.role != AGREES:
        raise ProblemError("role_required", f"this needs the role {AGREES}; {second.id} has the role {second.role}")


def decide(visit: Visit) -> str:
    """Approve or refuse what waits, by who is signed in or by who signs at this screen."""
    approval = visit.form.required("approval", gettext("what is decided"))
    decision = visit.form.text("decision")
    if decision not in ("approve", "refuse"):
        raise FormError("decision", gettext("choose to approve or to refuse"))
    by = second_or_none(visit) or visit.person
    body = {"decision": decision, "reason": visit.form.text("refusal")}
    visit.act(APPROVALS, approval, body=body, by=by)
    return gettext("Approved.") if decision == "approve" else gettext("Refused.")
