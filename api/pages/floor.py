"""The floor: every table as it stands, and the jackpots above them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

import msgspec
from psycopg import Connection

from api.i18n.catalogue import gettext, later, ngettext
from api.pages import words
from api.pages.games import Game, games
from api.pages.terms import term
from projections.reads import exceptions as exception_views
from projections.reads import hold as hold_views
from projections.reads import tables as table_views
from projections.reads.hold import HoldRow
from projections.reads.ratio import ratio
from projections.reads.tables import TableRow

MOST_TABLES: Final = 500
MOST_DAYS: Final = 4  # the newest gaming days, over which open tables may spread

Sort = int | float | str | None


class Column(NamedTuple):
    """kind: the class of its cells. figures: of what tables won, for those who may read that."""

    key: str
    heading: str
    kind: str = ""
    figures: bool = False


COLUMNS: Final = (
    Column("game", later("Game")),
    Column("state", later("State")),
    Column("limits", later("Limits"), "n"),
    Column("rounds", later("Rounds"), "n"),
    Column("handle", later("Handle"), "n", figures=True),
    Column("win", later("Win"), "n", figures=True),
    Column("hold", later("Hold"), "n", figures=True),
    Column("tray", later("Expected tray"), "n"),
    Column("exceptions", later("Exceptions"), "n", figures=True),
)

STATES: Final = ("in_play", "open", "closed")


def columns(*, figures: bool) -> list[Column]:
    """The columns that this reader has, their headings in the reader's words."""
    return [one._replace(heading=gettext(one.heading)) for one in COLUMNS if figures or not one.figures]


class Row(msgspec.Struct, frozen=True):
    """One table: its cells as text in the order of the columns, and what they are sorted by.

    state: `in_play`, `open` or `closed`. mark: `up` or `down` where it won or lost. game: its ruleset.
    """

    table: str
    game: str
    state: str
    mark: str
    waiting: int
    cells: list[str]
    sorts: list[Sort]


class Floor(msgspec.Struct, frozen=True):
    """All tables at one position."""

    position: int
    summary: str
    tables: list[Row]


class _Seen(NamedTuple):
    """What is known of one table."""

    table: TableRow
    game: str
    figures: HoldRow | None
    waiting: int

    @property
    def state(self) -> str:
        return "in_play" if self.table.live_round else self.table.state

    @property
    def win(self) -> int | None:
        """While the closer is not counted the win is what play has brought so far, and graded live."""
        if self.figures is None:
            return None
        return self.figures.result if self.figures.win is None else self.figures.win

    @property
    def hold(self) -> float | None:
        return None if self.figures is None else ratio(self.win, self.figures.drop)


def read_floor(conn: Connection[Any], *, figures: bool) -> Floor:
    """The floor now. Several reads: the position said is that of the tables, the rest is at least as new."""
    tables = table_views.tables(conn)
    known: dict[str, HoldRow] = {}
    waiting: dict[str, int] = {}
    if figures:
        for day in sorted({row.gaming_day for row in tables.rows})[-MOST_DAYS:]:
            rows = hold_views.hold(conn, by="session", gaming_day=day).rows
            known.update({row.session: row for row in rows if row.session is not None})
        waiting = exception_views.waiting(conn)
    names = games(conn)
    seen = [
        _Seen(row, _name(names, row.ruleset), known.get(row.session), waiting.get(row.table, 0)) for row in tables.rows
    ]
    cells = [_CELLS[one.key] for one in COLUMNS if figures or not one.figures]
    return Floor(tables.position, _summary(tables.rows, known), [_row(one, cells) for one in seen[:MOST_TABLES]])


def _name(names: Mapping[str, Game], ruleset: str) -> str:
    return names[ruleset].name if ruleset in names else ruleset


_Cell = Callable[[_Seen], tuple[str, Sort]]
_STATE_WORDS: Final = "table_state"


def _limits(seen: _Seen) -> tuple[str, Sort]:
    table = seen.table
    least, most = words.amount(table.min, table.currency), words.amount(table.max, table.currency)
    return f"{least} – {most} {table.currency}", table.min


def _amount(of: Callable[[_Seen], int | None], write: Callable[[int | None, str], str] = words.amount) -> _Cell:
    def cell(seen: _Seen) -> tuple[str, Sort]:
        value = of(seen)
        return write(value, seen.table.currency), value

    return cell


_CELLS: Final[dict[str, _Cell]] = {
    "game": lambda seen: (seen.game, seen.game),
    "state": lambda seen: (term(seen.state, _STATE_WORDS), STATES.index(seen.state)),
    "limits": _limits,
    "rounds": lambda seen: (words.number(seen.table.rounds), seen.table.rounds),
    "handle": _amount(lambda seen: None if seen.figures is None else seen.figures.handle),
    "win": _amount(lambda seen: seen.win, words.signed),
    "hold": lambda seen: (words.percent(seen.hold), seen.hold),
    "tray": _amount(lambda seen: seen.table.tray if seen.table.state == "open" else None),
    "exceptions": lambda seen: (words.number(seen.waiting) if seen.waiting else "", seen.waiting),
}


def _row(seen: _Seen, cells: Iterable[_Cell]) -> Row:
    made = [cell(seen) for cell in cells]
    mark = "" if not seen.win else "up" if seen.win > 0 else "down"
    texts, sorts = [text for text, _ in made], [sort for _, sort in made]
    return Row(seen.table.table, seen.table.ruleset, seen.state, mark, seen.waiting, texts, sorts)


def _summary(tables: Iterable[TableRow], figures: Mapping[str, HoldRow]) -> str:
    """How many tables are open, and what they have won so far by currency."""
    tables = list(tables)
    is_open = [table for table in tables if table.state == "open"]
    said = ngettext("%(open)s of %(all)s table open", "%(open)s of %(all)s tables open", len(tables)) % {
        "open": words.number(len(is_open)),
        "all": words.number(len(tables)),
    }
    won: dict[str, int] = defaultdict(int)
    for table in is_open:
        row = figures.get(table.session)
        if row is not None:
            won[table.currency] += row.result
    if not won:
        return said
    sums = " · ".join(f"{words.signed(total, currency)} {currency}" for currency, total in sorted(won.items()))
    return gettext("%(tables)s · %(sums)s so far") % {"tables": said, "sums": sums}


def arranged(rows: list[Row], shown: list[Column], by: str, *, descending: bool) -> list[Row]:
    """The rows by a column, those without a value last; by table where no column is named."""
    keys = [column.key for column in shown]
    if by not in keys:
        return sorted(rows, key=lambda row: row.table, reverse=descending)
    at = keys.index(by)
    known = [row for row in rows if row.sorts[at] is not None]
    known.sort(key=lambda row: row.sorts[at], reverse=descending)  # type: ignore[arg-type,return-value]
    return known + [row for row in rows if row.sorts[at] is None]
