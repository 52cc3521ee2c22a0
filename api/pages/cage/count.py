"""A window counted by denomination: to close it, to hand it over, or to take it over from who has counted it out.

Over or short is shown as one types and with a button that only adds up; what is recorded the server decides.
"""

from typing import Final

from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages.cage.denominations import FREE_ROWS, counted, marks_of, sheet
from api.pages.cage.signing import signer
from api.pages.cage.window import DOORS, read_window
from api.pages.form import FormError
from api.pages.frame import Pages
from api.pages.visit import Visit
from api.problems import ProblemError
from projections.reads.cage_window import Counted

PATH: Final = "/cage/windows/{window}/count"
_DOES: Final = ("close", "handover", "take-over")


def mount(pages: Pages) -> None:
    pages.show(PATH, _count)
    pages.form(PATH, _done, _count)


def _count(visit: Visit) -> Response:
    found, _, currency = read_window(visit)
    shift = found.shift
    if shift is None:
        raise ProblemError("window_closed", f"window {found.window} has no open shift")
    opening = found.opening or Counted([], [])
    parts = [
        sheet("cash", currency, opening.cash, visit.form),
        sheet("chips", currency, opening.chips, visit.form),
    ]
    is_offered = shift.state == "offered"
    total = sum(part.total for part in parts)
    return visit.page(
        "cage/count.html",
        window=found,
        shift=shift,
        offered=is_offered,
        mine=visit.person is not None and shift.cashier == visit.person.id,
        parts=parts,
        free=range(FREE_ROWS),
        # Who takes over counts blind: the two counts must agree by themselves.
        expected=None if is_offered else shift.cash + shift.chips,
        total=total,
        over_short=None if is_offered or not visit.form.fields else total - shift.cash - shift.chips,
        currency=currency,
        **marks_of(currency),
    )


def _done(visit: Visit) -> Response:
    found, _, currency = read_window(visit)
    does = visit.form.text("do")
    body = {part: counted(visit.form, part, currency) for part in ("cash", "chips")}
    if does == "check":
        return _count(visit)
    if does not in _DOES:
        raise FormError("do", gettext("choose what to do"))
    answer = visit.act(f"{DOORS}/{does}", found.window, body=body, by=signer(visit))
    if does == "handover":
        return visit.go(f"/cage/windows/{found.window}", gettext("Counted out: the next cashier counts in."))
    return visit.go(f"/cage/shifts/{answer['cage_shift']}")
