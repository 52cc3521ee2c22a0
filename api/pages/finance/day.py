"""One gaming day: how far its tables have come, its master game report, and what may be done with it now."""

from typing import Any, Final, get_args

from psycopg import Connection
from starlette.responses import Response

from api.i18n.catalogue import gettext, later
from api.pages import words
from api.pages.finance import cells
from api.pages.finance.tabs import DAY, day_of, finance_page
from api.pages.finance.waiting import steps
from api.pages.frame import Pages
from api.pages.terms import term
from api.pages.visit import Visit
from projections.reads.day_report import DayReport, TableStep, day_report
from projections.reads.days import DayRow, drop_boxes, gaming_days
from projections.reads.hold import HoldRow
from projections.reads.hold_sums import By

_BY: Final[dict[By, str]] = {
    "table": later("Tables"),
    "ruleset": later("Games"),
    "session": later("Sessions"),
    "shift": later("Shifts"),
    "hour": later("Hours"),
}
assert set(_BY) <= set(get_args(By))


def mount(pages: Pages) -> None:
    pages.show(DAY, _day)
    pages.form(f"{DAY}/shifts", _shift, _day, page=DAY)
    pages.form(f"{DAY}/close", _close, _day, page=DAY)
    pages.form(f"{DAY}/audit", _audit, _day, page=DAY)


def _shift(visit: Visit) -> Response:
    (day,) = visit.names
    shift = visit.form.required("shift", gettext("Shift"))
    visit.act("/v1/gaming-days/{day}/shifts", day, body={"shift": shift})
    return visit.go(f"/finance/days/{day}", gettext("Shift %(shift)s has begun.") % {"shift": shift})


def _close(visit: Visit) -> Response:
    (day,) = visit.names
    visit.act("/v1/gaming-days/{day}/close", day, body={})
    said = gettext("%(day)s is closed. Its figure is fixed; what is learned later is shown beside it.")
    return visit.go(f"/finance/days/{day}", said % {"day": words.day(day)})


def _audit(visit: Visit) -> Response:
    (day,) = visit.names
    visit.act("/v1/gaming-days/{day}/audit", day, body={"note": visit.form.text("note")})
    return visit.go(f"/finance/days/{day}", gettext("%(day)s is signed as audited.") % {"day": words.day(day)})


def _day(visit: Visit) -> Response:
    (day,) = visit.names
    by: By = next((name for name in _BY if name == visit.asked("by")), "table")
    row, report, first_open, uncounted = visit.read(lambda conn: _read(conn, day, by))
    whole = cells.report(report.totals)
    names = cells.of_hours() if by == "hour" else whole
    came = {step.table: (step, step_word(step)) for step in report.steps} if by == "table" else {}
    return finance_page(
        visit,
        "day.html",
        position=report.position,
        day=row,
        totals=[_row(total, "all", whole) for total in report.totals],
        rows=[_row(found, by, names) for found in report.rows],
        came=came,
        progress=_progress(report.steps),
        columns=cells.columns(names),
        total_columns=cells.columns(whole),
        by=by,
        views=[(name, gettext(heading)) for name, heading in _BY.items()],
        steps=steps(visit, row, first_open, uncounted),
    )


def _read(conn: Connection[Any], day: str, by: By) -> tuple[DayRow, DayReport, str | None, list[str]]:
    row = day_of(conn, day)
    boxes = drop_boxes(conn, gaming_day=day).rows if row.counted_boxes < row.boxes else []
    open_days = [found.day for found in gaming_days(conn, limit=_LOOKED_AT).rows if found.state == "open"]
    uncounted = [box.drop for box in boxes if box.counted is None]
    return row, day_report(conn, day, by), min(open_days, default=None), uncounted


_LOOKED_AT: Final = 7
"""Days among which the oldest open one is looked for, to say why a day cannot be closed; the log decides."""


def _progress(found: list[TableStep]) -> dict[str, int]:
    """How many tables are how far."""
    counted = sum(step.boxes > 0 and step.counted == step.boxes for step in found)
    return {"tables": len(found), "left": sum(step.state != "open" for step in found), "counted": counted}


def _row(row: HoldRow, by: str, names: tuple[str, ...]) -> cells.Row:
    of: dict[str, str | None] = {"gaming_day": row.gaming_day}
    key, name, about = "", gettext("All tables"), ""
    if by == "table":
        key = name = of["table"] = row.table or ""
        about = row.ruleset or ""
    elif by == "ruleset":
        key = name = of["ruleset"] = row.ruleset or ""
    elif by == "session":
        key = name = of["session"] = row.session or ""
        about = row.ruleset or ""
    elif by == "shift":
        key = of["shift"] = row.shift or ""
        name = gettext("Shift %(shift)s") % {"shift": row.shift}
    elif row.hour is not None:
        key = of["hour"] = row.hour.isoformat()
        name = words.clock(row.hour)
    return cells.Row(
        key=key,
        name=name,
        about=about,
        currency=row.currency,
        grade=row.grade,
        cells=cells.cells(row, names, cells.scope(**of), "" if row.table else f"/finance/days/{row.gaming_day}#tables"),
        missing=cells.missing(row, whole=by == "all"),
    )


def step_word(step: TableStep) -> str:
    """How far a table has come, in words."""
    if step.rolled_to is not None:
        return gettext("rolled to %(day)s") % {"day": words.day(step.rolled_to)}
    return term(step.state, "progress")
