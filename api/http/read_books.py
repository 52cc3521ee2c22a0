"""Reads of finance and audit: the journal, the master game report, to-date statistics, exceptions, explanations."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from msgspec import Meta
from psycopg import Connection

from api.http.doors import Doors
from api.http.queries import Day, Limit, Name, Position, Query
from api.http.read_hold import Moment, moment
from api.problems import ProblemError
from projections.explaining import FIGURES, HOURLY
from projections.log_reader import hour_of
from projections.reads import exceptions, explain, journal, master

Text = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_./ -]{1,80}$")]
Currency = Annotated[str, Meta(pattern=r"^[A-Z]{3}$")]


class DayQuery(Query, frozen=True, kw_only=True):
    gaming_day: Day


class JournalQuery(Query, frozen=True, kw_only=True, rename={"first_day": "from", "last_day": "to"}):
    first_day: Day | None = None
    last_day: Day | None = None


class ExceptionsQuery(Query, frozen=True, kw_only=True):
    state: Literal["open", "acknowledged"] | None = None
    code: Annotated[str, Meta(pattern=r"^[a-z_]{1,40}$")] | None = None
    gaming_day: Day | None = None
    table: Name | None = None
    after: Position = 0
    limit: Limit = 100


class SlipsQuery(Query, frozen=True, kw_only=True):
    gaming_day: Day | None = None
    table: Name | None = None
    state: Literal["requested", "prepared", "carried", "counted", "received", "void"] | None = None


class CashQuery(Query, frozen=True, kw_only=True):
    gaming_day: Day | None = None
    player: Name | None = None
    limit: Limit = 1000


class ExplainQuery(Query, frozen=True, kw_only=True):
    """A figure of tables by its name; a journal line by day, currency, entry and account; a window by its shift.

    hour: only what happened in the hour of this time.
    """

    figure: Annotated[str, Meta(pattern=r"^[a-z_]{1,40}$")]
    table: Name | None = None
    session: Text | None = None
    gaming_day: Day | None = None
    ruleset: Name | None = None
    shift: Name | None = None
    hour: Moment | None = None
    currency: Currency | None = None
    entry: Text | None = None
    account: Text | None = None
    cage_shift: Text | None = None
    after: Position = 0
    limit: Limit = 100


def mount(doors: Doors) -> None:
    doors.read("/v1/journal", JournalQuery, _journal, "Balanced entries by gaming day, with balances")
    doors.read("/v1/master-game-report", DayQuery, _master, "Opener to win, per session, table, game, shift and hour")
    doors.read("/v1/statistics", DayQuery, _statistics, "A gaming day, its month and its year to date")
    doors.read("/v1/exceptions", ExceptionsQuery, _exceptions, "What somebody should look at, and who has")
    doors.read("/v1/slips", SlipsQuery, _slips, "Fills and credits by number, with the gaps")
    doors.read("/v1/player-cash", CashQuery, _cash, "Cash in and out of player references by gaming day")
    doors.read("/v1/explain", ExplainQuery, _explain, "A figure opened into the events that make it")


def _journal(conn: Connection[Any], query: JournalQuery) -> journal.Journal:
    return journal.journal(conn, first_day=query.first_day, last_day=query.last_day)


def _master(conn: Connection[Any], query: DayQuery) -> master.MasterReport:
    return master.master_game_report(conn, query.gaming_day)


def _statistics(conn: Connection[Any], query: DayQuery) -> master.Statistics:
    return master.statistics(conn, query.gaming_day)


def _exceptions(conn: Connection[Any], query: ExceptionsQuery) -> exceptions.Inbox:
    return exceptions.exceptions(
        conn,
        now=datetime.now(UTC),
        state=query.state,
        code=query.code,
        gaming_day=query.gaming_day,
        table=query.table,
        after=query.after,
        limit=query.limit,
    )


def _slips(conn: Connection[Any], query: SlipsQuery) -> exceptions.Slips:
    return exceptions.slips(conn, gaming_day=query.gaming_day, table=query.table, state=query.state)


def _cash(conn: Connection[Any], query: CashQuery) -> exceptions.PlayerCash:
    return exceptions.player_cash(conn, gaming_day=query.gaming_day, player=query.player, limit=query.limit)


def _explain(conn: Connection[Any], query: ExplainQuery) -> explain.Explanations:
    found = explained(conn, query)
    if found is None:
        raise ProblemError("unknown_figure", f"there is no {query.figure!r} of this kind; see /openapi.json")
    return found


def explained(conn: Connection[Any], query: ExplainQuery) -> explain.Explanations | None:
    """Whichever of the three kinds of figure is asked for."""
    after, limit = query.after, query.limit
    if query.cage_shift is not None:
        one = None
        if query.figure in ("cash", "chips"):
            one = explain.cage_shift(conn, query.cage_shift, query.figure, after=after, limit=limit)
    elif query.figure == "journal":
        if query.gaming_day is None or query.currency is None or query.entry is None or query.account is None:
            raise ProblemError("bad_parameter", "a journal line is named by gaming_day, currency, entry and account")
        one = explain.journal_line(
            conn,
            gaming_day=query.gaming_day,
            currency=query.currency,
            entry=query.entry,
            account=query.account,
            after=after,
            limit=limit,
        )
    elif query.figure in FIGURES:
        if query.hour is not None and query.figure not in HOURLY:
            raise ProblemError("bad_parameter", f"an hour has no {query.figure} of its own, only {', '.join(HOURLY)}")
        return explain.figure(
            conn,
            query.figure,
            table=query.table,
            session=query.session,
            gaming_day=query.gaming_day,
            ruleset=query.ruleset,
            shift=query.shift,
            hour=None if query.hour is None else hour_of(moment("hour", query.hour)),
            after=after,
            limit=limit,
        )
    else:
        return None
    return None if one is None else explain.Explanations(one.position, [one])
