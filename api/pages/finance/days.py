"""Finance's first page: the newest gaming days, how far each has come and what it brought; and beginning the next."""

from datetime import date, timedelta
from typing import Any, Final

from psycopg import Connection
from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages import words
from api.pages.charts import Bars, Chart, Line, chart
from api.pages.finance import cells
from api.pages.finance.tabs import asked_day, finance_page
from api.pages.frame import Pages
from api.pages.visit import Visit
from projections.reads.day_report import UNBEGUN, Results, results, unbegun
from projections.reads.days import DayRow, GamingDayRows, gaming_days
from projections.reads.hold import HoldRow

SHOWN: Final = 35
_COLUMNS: Final = ("rounds", "handle", "drop", "win", "hold")
_BEGIN: Final = "POST /v1/gaming-days"


def mount(pages: Pages) -> None:
    pages.show("/finance", _days)
    pages.form("/finance/days", _begin, _days, page="/finance")


def _begin(visit: Visit) -> Response:
    day = visit.form.required("day", gettext("Gaming day"))
    shift = visit.form.required("shift", gettext("Shift"))
    visit.act("/v1/gaming-days", body={"day": day, "shift": shift})
    said = gettext("Gaming day %(day)s has begun; tables roll to it one by one.") % {"day": words.day(day)}
    return visit.go(f"/finance/days/{day}", said)


def _days(visit: Visit) -> Response:
    last = asked_day(visit, "to", "")
    days, found = visit.read(lambda conn: _read(conn, last or None))
    shown = sorted({row.currency for row in found.rows})
    currency = visit.asked("currency")
    chosen = currency if currency in shown else _most_used(found.rows)
    newest = next((row.day for row in days.rows if row.state != UNBEGUN), None)
    return finance_page(
        visit,
        "days.html",
        position=min(days.position, found.position),
        rows=_rows(days.rows, found.rows),
        columns=cells.columns(_COLUMNS),
        currencies=shown,
        currency=chosen,
        charts=_charts([row for row in found.rows if row.currency == chosen], chosen),
        newest=newest,
        next_day=_day_by(newest, 1),
        earlier=_day_by(days.rows[:SHOWN][-1].day, -1) if len(days.rows) >= SHOWN else "",
        last=last,
        may_begin=visit.may(_BEGIN) and not last,
        styled_by_script=bool(found.rows),
    )


def _read(conn: Connection[Any], last: str | None) -> tuple[GamingDayRows, Results]:
    days = gaming_days(conn, last_day=last, limit=SHOWN)
    known = {row.day for row in days.rows}
    found = results(conn, SHOWN, since=min(known, default=None), last_day=last)
    for name in sorted({row.gaming_day or "" for row in found.rows} - known):
        row = unbegun(conn, name)  # tables may name a day for themselves, as they do while nobody keeps days
        if row is not None:
            days.rows.append(row)
    days.rows.sort(key=lambda row: row.day, reverse=True)
    return days, found


def _rows(days: list[DayRow], found: list[HoldRow]) -> list[tuple[DayRow, list[cells.Row]]]:
    """Each day with its figures, one row a currency."""
    of_day: dict[str | None, list[HoldRow]] = {}
    for row in found:
        of_day.setdefault(row.gaming_day, []).append(row)
    return [(day, [_row(day.day, row) for row in of_day.get(day.day, [])]) for day in days[:SHOWN]]


def _row(day: str, row: HoldRow) -> cells.Row:
    of = cells.scope(gaming_day=day)
    return cells.Row(
        key=day,
        name=day,
        about="",
        currency=row.currency,
        grade=row.grade,
        cells=cells.cells(row, _COLUMNS, of, f"/finance/days/{day}#tables"),
        missing=cells.missing(row),
    )


def _charts(rows: list[HoldRow], currency: str) -> list[tuple[Chart, str]]:
    """Handle and win, drop and win, hold; by gaming day. A figure that is not known yet is a gap."""
    if not rows:
        return []
    labels = [_short(row.gaming_day or "") for row in rows]
    win = [row.win for row in rows]

    def amounts(value: float) -> str:
        return words.amount(round(value), currency)

    by_handle = [Bars(gettext("Handle"), [row.handle for row in rows], "gold-deep"), Line(gettext("Win"), win, "good")]
    by_drop = [Bars(gettext("Drop"), [row.drop for row in rows], "gold-deep"), Line(gettext("Win"), win, "good")]
    held = [Line(gettext("Hold"), [row.hold for row in rows])]
    return [
        (chart("handle", labels, by_handle, written=amounts), gettext("Handle and win by gaming day")),
        (chart("drop", labels, by_drop, written=amounts), gettext("Drop and win by gaming day")),
        (chart("hold", labels, held, written=words.percent), gettext("Hold by gaming day; theory is still missing")),
    ]


def _short(day: str) -> str:
    """A day without its year, as the reader's language writes it."""
    year, whole = day[:4], words.day(day)
    return whole.removeprefix(f"{year}-").removesuffix(year).rstrip("./")


def _most_used(rows: list[HoldRow]) -> str:
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.currency] = counts.get(row.currency, 0) + row.sessions
    return max(counts, key=lambda currency: counts[currency], default="")


def _day_by(day: str | None, more: int) -> str:
    """The day so many days later; "" where there is none."""
    return "" if day is None else (date.fromisoformat(day) + timedelta(days=more)).isoformat()
