"""All windows of the cage: who works which, what each should hold; and the shifts of the gaming day."""

from datetime import UTC, datetime
from typing import Any, NamedTuple

from psycopg import Connection
from starlette.responses import Response

from api.pages.frame import Pages
from api.pages.visit import Visit
from domain.events.rules import Rules
from projections.reads.cage import CageRow, cage, rules
from projections.reads.days import gaming_days


class Windows(NamedTuple):
    """day: the newest gaming day; without one, the date. open: window -> its shift. shifts: of the day."""

    position: int
    day: str
    rules: Rules
    open: dict[str, CageRow]
    shifts: list[CageRow]


def mount(pages: Pages) -> None:
    pages.show("/cage/windows", _windows)


def read_windows(conn: Connection[Any]) -> Windows:
    """The cage as it stands."""
    known = gaming_days(conn, limit=1).rows
    day = known[0].day if known else datetime.now(UTC).date().isoformat()
    working = [row for state in ("open", "offered") for row in cage(conn, state=state).rows]
    of_day = cage(conn, gaming_day=day)
    return Windows(of_day.position, day, rules(conn, day).rules, {row.window: row for row in working}, of_day.rows)


def _windows(visit: Visit) -> Response:
    found = visit.read(read_windows)
    visit.position = found.position
    names = [window.name for window in found.rules.windows]
    return visit.page("cage/windows.html", cage=found, names=names + [name for name in found.open if name not in names])
