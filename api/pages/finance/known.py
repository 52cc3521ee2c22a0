"""A gaming day as it was known: at its close, at a position of the log or at a moment; and what was learned since."""

from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

from msgspec import Struct
from psycopg import Connection
from starlette.responses import Response

from api.auth import roles
from api.http.read_hold import moment
from api.pages import words
from api.pages.finance import cells
from api.pages.finance.tabs import DAY, day_of, finance_page
from api.pages.frame import Pages
from api.pages.terms import term
from api.pages.visit import Visit
from api.problems import ProblemError
from projections.reads.days import DayRow
from projections.reads.known import DayFigure, Difference, differences, known

_COMPARE: Final = "/audit/compare"
_DIGITS: Final = 18


class _Then(Struct):
    """A day as known at a position, the same day as known now, and what lies between."""

    day: DayRow
    known_at: int
    position: int
    then: list[DayFigure]
    now: list[DayFigure]
    learned: list[Difference]


def mount(pages: Pages) -> None:
    pages.show(f"{DAY}/known", _known)


def _known(visit: Visit) -> Response:
    (day,) = visit.names
    position, at = _asked(visit.asked("at").strip())
    found = visit.read(lambda conn: _read(conn, day, position, at))
    names = cells.report(found.then)
    return finance_page(
        visit,
        "known.html",
        position=found.known_at,
        day=found.day,
        known_at=found.known_at,
        now_at=found.position,
        at=visit.asked("at") or str(found.known_at),
        columns=cells.columns(names),
        rows=[_row(figure, names) for figure in found.then],
        learned=[_learned(one) for one in found.learned],
        compare=_comparison(visit, found),
    )


def _comparison(visit: Visit, found: _Then) -> str | None:
    """Where the events that lie between the two are told, if this person may see it."""
    if visit.person is None or visit.person.role not in roles.PAGES.get(_COMPARE, ()) or not found.learned:
        return None
    return f"{_COMPARE}?" + urlencode({"first": found.known_at, "second": found.position, "day": found.day.day})


def _asked(text: str) -> tuple[int | None, datetime | None]:
    """A position or a moment; neither: the close, or now of a day that is not closed. Refuses `bad_parameter`."""
    if not text:
        return None, None
    if text.isascii() and text.isdigit():
        if len(text) > _DIGITS:
            raise ProblemError("bad_parameter", f"at {text!r} is no position of a log")
        return int(text), None
    return None, moment("at", text.replace(" ", "T"))


def _read(conn: Connection[Any], day: str, position: int | None, at: datetime | None) -> _Then:
    row = day_of(conn, day)
    if position is None and at is None:
        position = row.fixed_at
    then = known(conn, day, at_position=position, at_time=at)
    now = known(conn, day)
    return _Then(row, then.known_at, now.position, then.rows, now.rows, differences(then.rows, now.rows))


def _row(figure: DayFigure, names: tuple[str, ...]) -> cells.Row:
    return cells.Row(
        key=figure.table or "",
        name=figure.table or "",
        about="",
        currency=figure.currency,
        grade=figure.grade,
        cells=cells.cells(figure, names, ""),
        missing=cells.missing(figure),
    )


def _learned(one: Difference) -> dict[str, str]:
    def written(value: int | None) -> str:
        return words.number(value) if one.figure == "rounds" else words.amount(value, one.currency)

    by = one.difference
    return {
        "table": one.table or "",
        "figure": term(one.figure, "figure"),
        "name": one.figure,
        "currency": one.currency,
        "then": written(one.fixed),
        "now": written(one.now),
        "difference": words.number(by) if one.figure == "rounds" else words.signed(by, one.currency),
    }
