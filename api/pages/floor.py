"""The floor: every table as it stands, and the jackpots above them."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final

import msgspec
from psycopg import Connection

from api.i18n.catalogue import gettext, later
from api.pages import words
from projections.reads import hold as hold_views
from projections.reads import tables as table_views
from projections.reads.hold import HoldRow
from projections.reads.ratio import ratio
from projections.reads.tables import TableRow

MOST_TABLES: Final = 500
MOST_DAYS: Final = 4  # the newest gaming days, over which open tables may spread

_COLUMNS: Final = (
    ("ruleset", later("Game"), ""),
    ("state", later("State"), ""),
    ("limits", later("Limits"), "n"),
    ("rounds", later("Rounds"), "n"),
    ("handle", later("Handle"), "n"),
    ("win", later("Win"), "n"),
    ("hold", later("Hold"), "n"),
    ("tray", later("Expected tray"), "n"),
)


def columns() -> list[tuple[str, str, str]]:
    """Cell name, heading, class."""
    return [(cell, gettext(heading), kind) for cell, heading, kind in _COLUMNS]


class Row(msgspec.Struct, frozen=True):
    """One table as text, cell by cell; marks: `up` or `down` for a cell that won or lost."""

    table: str
    cells: dict[str, str]
    marks: dict[str, str]


class Floor(msgspec.Struct, frozen=True):
    """All tables at one position."""

    position: int
    summary: str
    tables: list[Row]


def read_floor(conn: Connection[Any]) -> Floor:
    """The floor now. Two reads: the position said is that of the tables, the figures are at least as new."""
    tables = table_views.tables(conn)
    days = sorted({row.gaming_day for row in tables.rows})[-MOST_DAYS:]
    figures: dict[str, HoldRow] = {}
    for day in days:
        for row in hold_views.hold(conn, by="session", gaming_day=day).rows:
            if row.session is not None:
                figures[row.session] = row
    rows = [_row(table, figures.get(table.session)) for table in tables.rows[:MOST_TABLES]]
    return Floor(tables.position, _summary(tables.rows, figures), rows)


def _row(table: TableRow, figures: HoldRow | None) -> Row:
    currency = table.currency
    # While the closer is not counted the win is what play has brought so far, and graded live.
    win = None if figures is None else figures.result if figures.win is None else figures.win
    hold = None if figures is None else ratio(win, figures.drop)
    cells = {
        "ruleset": table.ruleset,
        "state": "in play" if table.live_round else table.state,
        "limits": f"{words.amount(table.min, currency)} – {words.amount(table.max, currency)} {currency}",
        "rounds": words.number(table.rounds),
        "handle": words.amount(None if figures is None else figures.handle, currency),
        "win": words.signed(win, currency),
        "hold": words.percent(hold),
        "tray": words.amount(table.tray if table.state == "open" else None, currency),
    }
    mark = "" if not win else "up" if win > 0 else "down"
    return Row(table.table, cells, {"win": mark, "hold": "" if hold is None else mark})


def _summary(tables: Iterable[TableRow], figures: Mapping[str, HoldRow]) -> str:
    """How many tables are open, and what they have won so far by currency."""
    tables = list(tables)
    is_open = [table for table in tables if table.state == "open"]
    won: dict[str, int] = defaultdict(int)
    for table in is_open:
        row = figures.get(table.session)
        won[table.currency] += 0 if row is None else row.result
    sums = " · ".join(f"{words.signed(total, currency)} {currency}" for currency, total in sorted(won.items()))
    return f"{len(is_open)} of {len(tables)} tables open" + (f" · {sums} so far" if sums else "")


class FloorFeed:
    """The floor for any number of pages: read once when it has moved, at most once a second, only while one looks."""

    PACE_S: Final = 1.0

    def __init__(self, read: Callable[[], Awaitable[Floor]], position: Callable[[], int]) -> None:
        self._read = read
        self._position = position
        self._lock = asyncio.Lock()
        self._at = -1
        self._taken = 0.0
        self._text = b""

    async def text(self) -> bytes:
        """The newest floor as a `floor` event."""
        async with self._lock:
            now = asyncio.get_running_loop().time()
            moved = self._position() != self._at
            if not self._text or (moved and now - self._taken >= self.PACE_S):
                self._taken, self._at = now, self._position()
                self._text = b"event: floor\ndata: %s\n\n" % msgspec.json.encode(await self._read())
        return self._text
