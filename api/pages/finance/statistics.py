"""Statistics of periods: a gaming day beside its month and its year to date, by table and by game type."""

from typing import Any, Final, Literal

from msgspec import Struct
from psycopg import Connection
from starlette.responses import Response

from api.i18n.catalogue import gettext, later
from api.pages.finance import cells
from api.pages.finance.tabs import asked_day, finance_page
from api.pages.frame import Pages
from api.pages.visit import Visit
from projections.reads.days import gaming_days
from projections.reads.hold import HoldRow
from projections.reads.master import DatedRows, ToDate, to_date

_COLUMNS: Final = ("rounds", "handle", "drop", "win", "hold", "win_per_handle")
_PERIODS: Final = {"day": later("Day"), "month": later("Month to date"), "year": later("Year to date")}
_BY: Final[dict[str, Literal["table", "ruleset", "all"]]] = {"house": "all", "games": "ruleset", "tables": "table"}
_GROUPS: Final = {"house": later("House"), "games": later("Games"), "tables": later("Tables")}


class Block(Struct):
    """Of one table, game or the house in one currency: its periods, None where it had no session in one."""

    name: str
    currency: str
    periods: list[tuple[str, cells.Row | None]]


def mount(pages: Pages) -> None:
    pages.show("/finance/statistics", _statistics)


def _statistics(visit: Visit) -> Response:
    day = asked_day(visit, "day", "")
    group = next((name for name in _GROUPS if name == visit.asked("of")), "house")
    chosen, found = visit.read(lambda conn: _read(conn, day, group))
    return finance_page(
        visit,
        "statistics.html",
        position=0 if found is None else found.position,
        day=chosen,
        group=group,
        groups=[(name, gettext(heading)) for name, heading in _GROUPS.items()],
        columns=cells.columns(_COLUMNS),
        blocks=[] if found is None else [_block(one, group, chosen) for one in found.rows],
    )


def _read(conn: Connection[Any], day: str, group: str) -> tuple[str, DatedRows | None]:
    if not day:
        newest = gaming_days(conn, limit=1).rows
        if not newest:
            return "", None
        day = newest[0].day
    return day, to_date(conn, day, _BY[group])


def _block(one: ToDate, group: str, day: str) -> Block:
    name = one.table if group == "tables" else one.ruleset if group == "games" else gettext("All tables")
    periods = [(gettext(heading), _row(getattr(one, period), period, day)) for period, heading in _PERIODS.items()]
    return Block(name or "", one.currency, periods)


def _row(row: HoldRow | None, period: str, day: str) -> cells.Row | None:
    if row is None:
        return None
    of = cells.scope(gaming_day=row.gaming_day, table=row.table, ruleset=None if row.table else row.ruleset)
    tables = "" if row.table else f"/finance/days/{day}#tables"
    return cells.Row(
        key=period,
        name=period,
        about="",
        currency=row.currency,
        grade=row.grade,
        cells=cells.cells(row, _COLUMNS, of, tables) if period == "day" else cells.of_days(row, _COLUMNS, day),
        missing=cells.missing(row),
    )
