"""What comes next for a gaming day, whether this person may do it, and what it still waits for."""

from typing import Final, NamedTuple

from api.i18n.catalogue import gettext, ngettext
from api.pages import words
from api.pages.visit import Visit
from projections.reads.days import DayRow

_AT: Final = "POST /v1/gaming-days/{day}"
_NAMED: Final = 12
"""As many names stand in a sentence; of the rest it says how many there are."""


class Step(NamedTuple):
    """An act on the day. why: what stands in its way, "" if nothing does."""

    name: str
    why: str


def steps(visit: Visit, day: DayRow, first_open: str | None, uncounted: list[str]) -> list[Step]:
    """The acts that this person may do on a gaming day at its stage. first_open: the oldest day that is still open."""
    found = []
    if day.state == "open" and visit.may(f"{_AT}/close"):
        found.append(Step("close", _before_close(day, first_open)))
    if day.state == "closed" and visit.may(f"{_AT}/audit"):
        found.append(Step("audit", _before_audit(visit, day, uncounted)))
    if day.state == "open" and visit.may(f"{_AT}/shifts"):
        found.append(Step("shift", ""))
    return found


def _before_close(day: DayRow, first_open: str | None) -> str:
    if day.waiting:
        text = ngettext(
            "%(count)s table is still on this day: %(tables)s. It must roll or close first.",
            "%(count)s tables are still on this day: %(tables)s. They must roll or close first.",
            len(day.waiting),
        )
        return text % {"count": words.number(len(day.waiting)), "tables": _listed(day.waiting)}
    if first_open is not None and first_open < day.day:
        return gettext("Days are closed in order: %(day)s is still open.") % {"day": words.day(first_open)}
    return ""


def _before_audit(visit: Visit, day: DayRow, uncounted: list[str]) -> str:
    if uncounted:
        return gettext("These drop boxes are not counted yet: %(boxes)s.") % {"boxes": _listed(uncounted)}
    if visit.person is not None and visit.person.id == day.closed_by:
        return gettext("You closed this day; another person must audit it.")
    return ""


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:_NAMED])
    more = len(names) - _NAMED
    if more <= 0:
        return shown
    given = {"names": shown, "count": words.number(more)}
    return ngettext("%(names)s and %(count)s more", "%(names)s and %(count)s more", more) % given
