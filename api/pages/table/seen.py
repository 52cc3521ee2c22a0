"""What the pages of a table know of it: read from the views, each part only for those who may read it."""

from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from psycopg import Connection

from api.auth import roles
from api.pages.games import Game, games
from api.pages.visit import Visit
from api.problems import ProblemError
from domain import streams
from projections.reads import exceptions as exception_views
from projections.reads import felt as felt_views
from projections.reads import hold as hold_views
from projections.reads import limits as limit_views
from projections.reads import rounds as round_views
from projections.reads import tables as table_views
from projections.reads import trays as tray_views
from projections.reads.exceptions import ExceptionRow, SlipRow
from projections.reads.felt import Felt
from projections.reads.hold import HoldRow
from projections.reads.hold_sums import Of
from projections.reads.limits import LimitRow
from projections.reads.rounds import RoundRow
from projections.reads.snapshot import snapshot
from projections.reads.tables import TableRow
from projections.reads.trays import Tray

ROUNDS: Final = 12
EXCEPTIONS: Final = 50

ROULETTE: Final = felt_views.ROULETTE


class Sees(NamedTuple):
    """Which parts a reader may read: what the doors' table of roles says. stories: of rounds, event by event."""

    figures: bool
    limits: bool
    slips: bool
    exceptions: bool
    stories: bool


def sees(visit: Visit) -> Sees:
    """What this visitor may read; a guest of a demonstration everything but the pages of the audit."""
    if visit.person is None:
        return Sees(figures=True, limits=True, slips=True, exceptions=True, stories=False)
    role = visit.person.role
    doors = ("GET /v1/hold", "GET /v1/limits", "GET /v1/slips", "GET /v1/exceptions")
    figures, limits, slips, exceptions = (role in roles.DOORS[door] for door in doors)
    return Sees(figures, limits, slips, exceptions, role in roles.PAGES["/audit/rounds/{round}"])


class Seen(NamedTuple):
    """A table now. table None: it was never opened. figures: of its present or last session; hours: the same hourly."""

    name: str
    position: int
    table: TableRow | None
    game: Game | None
    felt: Felt | None = None
    limits: dict[int, LimitRow] = {}  # noqa: RUF012  (never changed)
    rounds: list[RoundRow] = []  # noqa: RUF012
    figures: HoldRow | None = None
    hours: list[HoldRow] = []  # noqa: RUF012
    slips: list[SlipRow] = []  # noqa: RUF012
    exceptions: list[ExceptionRow] = []  # noqa: RUF012
    tray: Tray | None = None

    @property
    def state(self) -> str:
        """`in_play`, `open`, `closed`; `new` for a table that was never opened."""
        if self.table is None:
            return "new"
        return "in_play" if self.table.live_round else self.table.state

    @property
    def is_open(self) -> bool:
        return self.table is not None and self.table.state == "open"


def head(conn: Connection[Any], name: str) -> Seen:
    """The table with its game and nothing else."""
    found = table_views.tables(conn, table=name)
    table = found.rows[0] if found.rows else None
    return Seen(name, found.position, table, None if table is None else games(conn).get(table.ruleset))


def known(visit: Visit) -> tuple[str, TableRow]:
    """The table that a form is about. Refuses `unknown_table` for one that was never opened."""
    (name,) = visit.names
    seen = visit.read(lambda conn: head(conn, name))
    if seen.table is None:
        raise ProblemError("unknown_table", f"no table {name!r} was ever opened; open it first")
    return name, seen.table


def whole(conn: Connection[Any], name: str, may: Sees) -> Seen:
    """Everything that such a reader may see of a table. Several reads: each at least as new as the position said."""
    seen = head(conn, name)
    table = seen.table
    if table is None:
        return seen
    limits = limit_views.limits(conn, table=name).rows if may.limits and table.live_round else []
    figures, hours = _figures(conn, table) if may.figures else (None, [])
    return seen._replace(
        felt=felt_views.felt(conn, name) if table.live_round else None,
        limits={row.box: row for row in limits},
        rounds=round_views.latest(conn, name, ROUNDS),
        figures=figures,
        hours=hours,
        slips=exception_views.slips_of(conn, table.session) if may.slips else [],
        exceptions=_exceptions(conn, name) if may.exceptions else [],
        tray=tray_of(conn, seen),
    )


def _figures(conn: Connection[Any], table: TableRow) -> tuple[HoldRow | None, list[HoldRow]]:
    of = Of(table=table.table, gaming_day=table.gaming_day, session=table.session)
    with snapshot(conn) as look:
        whole_session = hold_views.hold_in(look, "session", of)
        return (whole_session[0] if whole_session else None), hold_views.hold_in(look, "hour", of)


def _exceptions(conn: Connection[Any], name: str) -> list[ExceptionRow]:
    now = datetime.now(UTC)
    return exception_views.exceptions(conn, now=now, state="open", table=name, limit=EXCEPTIONS).rows


def tray_of(conn: Connection[Any], seen: Seen) -> Tray | None:
    """What was counted at the table's session. Colours are looked for where they are played: at the wheel."""
    table = seen.table
    if table is None:
        return None
    stream = streams.session(table.table, table.gaming_day, int(table.session.rpartition("-")[2]))
    has_colours = seen.game is not None and seen.game.engine == ROULETTE
    return tray_views.tray(conn, stream, is_open=table.state == "open", with_colours=has_colours)
