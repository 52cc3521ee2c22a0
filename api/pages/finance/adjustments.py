"""What accounting puts right on a gaming day: a settled drop count, or a figure of a closed session; always by two."""

from typing import Final

from psycopg import Connection
from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages import words
from api.pages.finance import cells
from api.pages.finance.tabs import DAY, day_of, finance_page
from api.pages.form import FormError, minor_units
from api.pages.frame import Pages
from api.pages.visit import Visit
from projections.reads.adjustments import Adjustments, adjustments
from projections.reads.day_report import DayReport, day_report
from projections.reads.days import BoxRow, DayRow, drop_boxes

_AT: Final = f"{DAY}/adjustments"
_CORRECT: Final = "/v1/drop-boxes/{drop}/corrections"
_ADJUST: Final = "/v1/gaming-days/{day}/adjustments"
FIGURES: Final = ("opener", "closer", "fills", "credits")


def mount(pages: Pages) -> None:
    pages.show(_AT, _adjustments)
    pages.form(f"{_AT}/count", _correct, _adjustments, page=_AT)
    pages.form(f"{_AT}/figure", _adjust, _adjustments, page=_AT)


def _correct(visit: Visit) -> Response:
    (day,) = visit.names
    drop, reason = visit.form.required("drop", gettext("Drop box")), visit.form.required("reason", gettext("Reason"))
    boxes = visit.read(lambda conn: drop_boxes(conn, gaming_day=day)).rows
    box = next((box for box in boxes if box.drop == drop), None)
    if box is None:
        raise FormError("drop", gettext("%(day)s has no drop box %(drop)s") % {"day": day, "drop": drop[:40]})
    total = visit.form.amount("total", gettext("What it held"), box.currency)
    second = visit.second()
    asked = visit.act(_CORRECT, drop, body={"total": total, "reason": reason})
    visit.approve(asked["approval"], second)
    given = {"drop": drop, "amount": words.amount(total, box.currency, with_currency=True)}
    return visit.go(f"/finance/days/{day}/adjustments", gettext("%(drop)s held %(amount)s.") % given)


def _adjust(visit: Visit) -> Response:
    (day,) = visit.names
    session = visit.form.required("session", gettext("Session"))
    figure, reason = visit.form.text("figure"), visit.form.required("reason", gettext("Reason"))
    report = visit.read(lambda conn: day_report(conn, day, "session"))
    currency = next((row.currency for row in report.rows if row.session == session), None)
    if currency is None:
        given = {"day": day, "session": session[:60]}
        raise FormError("session", gettext("%(day)s has no session %(session)s") % given)
    amount = _signed(visit, currency)
    second = visit.second()
    body = {"session": session, "figure": figure, "amount": amount, "reason": reason}
    asked = visit.act(_ADJUST, day, body=body)
    done = visit.approve(asked["approval"], second)
    said = gettext("Adjusted: the win of %(session)s moves by %(amount)s.")
    return visit.go(
        f"/finance/days/{day}/adjustments", said % {"session": session, "amount": words.signed(done["win"], currency)}
    )


def _signed(visit: Visit, currency: str) -> int:
    """How much more, or less: an amount with its sign. Refuses `bad_body`."""
    given = visit.form.required("amount", gettext("How much more or less"))
    sign = -1 if given[0] in "-−" else 1
    minor = minor_units(given.lstrip("+-−"), currency)
    if minor is None:
        raise FormError("amount", gettext("how much more or less is an amount such as 50 or -50"))
    return sign * minor


def _adjustments(visit: Visit) -> Response:
    (day,) = visit.names
    row, found, boxes, report = visit.read(lambda conn: _read(conn, day))
    counted = [box for box in boxes if box.counted is not None]
    return finance_page(
        visit,
        "adjustments.html",
        position=found.position,
        day=row,
        rows=found.rows,
        boxes=[(box.drop, _box(box)) for box in counted],
        sessions=[(one.session, f"{one.session} · {one.currency}") for one in report.rows],
        figures=[(name, gettext(cells.HEADINGS[name])) for name in FIGURES],
        may_correct=visit.may(f"POST {_CORRECT}"),
        may_adjust=visit.may(f"POST {_ADJUST}") and row.state != "open",
    )


def _read(conn: Connection[object], day: str) -> tuple[DayRow, Adjustments, list[BoxRow], DayReport]:
    row = day_of(conn, day)
    return (
        row,
        adjustments(conn, gaming_day=day),
        drop_boxes(conn, gaming_day=day).rows,
        day_report(conn, day, "session"),
    )


def _box(box: BoxRow) -> str:
    return f"{box.drop} · {box.table} · {words.amount(box.counted, box.currency, with_currency=True)}"
