"""The exceptions inbox with its trail, tables that stand idle now, slips, and the cash of player references."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Literal, LiteralString

import psycopg
from msgspec import Struct
from psycopg import sql

from domain.money_rules import in_force
from projections.cage import Cage
from projections.exceptions import Exceptions as View
from projections.reads.cage import adopted
from projections.reads.snapshot import Snapshot, conditions, snapshot, utc
from projections.tables import Tables

State = Literal["open", "acknowledged"]


class Note(Struct):
    actor: str
    noted_at: datetime
    note: str


class ExceptionRow(Struct):
    """One exception. amount: minor units (of an idle table: minutes). stream, version, position: what it is about.

    state: open, or acknowledged once somebody has put a note to it; the notes are its trail.
    """

    exception: str
    code: str
    state: str
    gaming_day: str
    table: str | None
    subject: str
    currency: str | None
    amount: int | None
    detail: str
    stream: str
    version: int
    position: int
    actor: str
    happened_at: datetime
    notes: list[Note]


class IdleTable(Struct):
    """A table that stands open and deals nothing, longer than the rules of its gaming day allow."""

    table: str
    session: str
    gaming_day: str
    last_activity: datetime
    minutes: int


class Inbox(Struct):
    """next: the `after` of the next page; null at the end."""

    position: int
    rows: list[ExceptionRow]
    idle: list[IdleTable]
    next: int | None


class SlipRow(Struct):
    slip: str
    kind: str
    number: int
    table: str
    session: str
    amount: int
    state: str
    requested_at: datetime
    requested_by: str
    moved_at: datetime


class Slips(Struct):
    """gaps: numbers that no slip has, by book (`slips/<kind>/<gaming day>`)."""

    position: int
    rows: list[SlipRow]
    gaps: dict[str, list[int]]


class CashRow(Struct):
    gaming_day: str
    player: str
    currency: str
    cash_in: int
    cash_out: int


class PlayerCash(Struct):
    position: int
    rows: list[CashRow]


_ROWS: LiteralString = """
SELECT e.exception, e.code, e.gaming_day, e.table_name, e.subject, e.currency, e.amount, e.detail, e.stream, e.version,
       e.position, e.actor, e.happened_at,
       coalesce((SELECT array_agg(n.actor ORDER BY n.position) FROM views.exception_notes n
                 WHERE (n.site, n.exception) = (e.site, e.exception)), '{{}}'),
       coalesce((SELECT array_agg(n.noted_at ORDER BY n.position) FROM views.exception_notes n
                 WHERE (n.site, n.exception) = (e.site, e.exception)), '{{}}'),
       coalesce((SELECT array_agg(n.note ORDER BY n.position) FROM views.exception_notes n
                 WHERE (n.site, n.exception) = (e.site, e.exception)), '{{}}')
FROM views.exceptions e {} ORDER BY e.position, e.exception LIMIT %s"""
_NOTED: LiteralString = (
    "EXISTS (SELECT FROM views.exception_notes n WHERE (n.site, n.exception) = (e.site, e.exception))"
)
_STATES: dict[State, LiteralString] = {"acknowledged": _NOTED + " = %s", "open": "NOT " + _NOTED + " = %s"}
_TABLES: LiteralString = """
SELECT table_name, session, gaming_day, last_activity FROM views.tables WHERE state = 'open' ORDER BY table_name"""


def exceptions(
    conn: psycopg.Connection[Any],
    *,
    now: datetime,
    state: State | None = None,
    code: str | None = None,
    gaming_day: str | None = None,
    table: str | None = None,
    after: int = 0,
    limit: int = 100,
) -> Inbox:
    """Exceptions after a position, in the order of the log; and which tables stand idle at `now`."""
    parts: list[tuple[LiteralString, object]] = [
        ("e.position > %s", after),
        ("e.code = %s", code),
        ("e.gaming_day = %s", gaming_day),
        ("e.table_name = %s", table),
    ]
    if state is not None:
        parts.append((_STATES[state], True))
    where, values = conditions(parts)
    with snapshot(conn) as look:
        rows = [_row(row) for row in look.rows(sql.SQL(_ROWS).format(where), [*values, limit + 1])]
        page = _whole_positions(rows, limit)
        following = page[-1].position if len(page) < len(rows) else None
        return Inbox(look.position(View, Tables, Cage), page, _idle(look, now), following)


def _whole_positions(rows: list[ExceptionRow], limit: int) -> list[ExceptionRow]:
    """At most `limit` rows, and never a part of those of one position, or the next page would leave some out."""
    if len(rows) <= limit:
        return rows
    last = rows[limit].position
    return [row for row in rows[:limit] if row.position < last] or rows


def _row(row: tuple[Any, ...]) -> ExceptionRow:
    *facts, actors, times, texts = row
    exception, code, *rest, happened_at = facts
    notes = [Note(a, utc(t) or t, n) for a, t, n in zip(actors, times, texts, strict=True)]
    state = "acknowledged" if notes else "open"
    return ExceptionRow(exception, code, state, *rest, utc(happened_at) or happened_at, notes)  # type: ignore[call-arg]


def _idle(look: Snapshot, now: datetime) -> list[IdleTable]:
    rules, idle = adopted(look), []
    for table, session, day, last in look.rows(_TABLES):
        waited = now - last
        if waited > timedelta(minutes=in_force(rules, day).idle_minutes):
            idle.append(IdleTable(table, session, day, last.astimezone(UTC), int(waited.total_seconds() // 60)))
    return idle


_WAITING: LiteralString = """
SELECT table_name, count(*) FROM views.exceptions e
WHERE table_name IS NOT NULL AND NOT EXISTS (SELECT FROM views.exception_notes n
                                             WHERE (n.site, n.exception) = (e.site, e.exception))
GROUP BY table_name"""


def waiting(conn: psycopg.Connection[Any]) -> dict[str, int]:
    """How many exceptions of each table nobody has put a note to yet; tables without any are left out."""
    with snapshot(conn) as look:
        return dict(look.rows(_WAITING))


def exception(conn: psycopg.Connection[Any], name: str) -> ExceptionRow | None:
    """One exception by its id."""
    where, values = conditions([("e.exception = %s", name)])
    with snapshot(conn) as look:
        rows = look.rows(sql.SQL(_ROWS).format(where), [*values, 1])
        return _row(rows[0]) if rows else None


_SLIPS: LiteralString = """
SELECT slip, kind, number, table_name, session, amount, state, requested_at, requested_by, moved_at, stream
FROM views.slips {} ORDER BY stream, number"""


def slips(
    conn: psycopg.Connection[Any], *, gaming_day: str | None = None, table: str | None = None, state: str | None = None
) -> Slips:
    """Slips by number. The gaps are of whole books, whatever the filters leave of them."""
    where, values = conditions([("split_part(stream, '/', 3) = %s", gaming_day)])
    with snapshot(conn) as look:
        books: dict[str, list[int]] = {}
        rows = []
        for *facts, stream in look.rows(sql.SQL(_SLIPS).format(where), values):
            row = SlipRow(*facts)
            row.requested_at, row.moved_at = row.requested_at.astimezone(UTC), row.moved_at.astimezone(UTC)
            books.setdefault(stream, []).append(row.number)
            if table in (None, row.table) and state in (None, row.state):
                rows.append(row)
        return Slips(look.position(View), rows, {book: gaps for book, n in books.items() if (gaps := gaps_of(n))})


_OF_SESSION: LiteralString = """
SELECT slip, kind, number, table_name, session, amount, state, requested_at, requested_by, moved_at
FROM views.slips WHERE session = %s ORDER BY requested_at DESC, slip LIMIT %s"""


def slips_of(conn: psycopg.Connection[Any], session: str, limit: int = 100) -> list[SlipRow]:
    """The fills and credits of one session, the newest first."""
    with snapshot(conn) as look:
        rows = [SlipRow(*facts) for facts in look.rows(_OF_SESSION, (session, limit))]
    for row in rows:
        row.requested_at, row.moved_at = row.requested_at.astimezone(UTC), row.moved_at.astimezone(UTC)
    return rows


def gaps_of(numbers: list[int]) -> list[int]:
    """Which numbers between the first and the last are missing: `gaps_of([101, 102, 104])` is `[103]`."""
    return [number for number in range(min(numbers), max(numbers)) if number not in set(numbers)] if numbers else []


_CASH: LiteralString = """
SELECT gaming_day, player, currency, cash_in, cash_out FROM views.player_cash {} ORDER BY gaming_day, player, currency
LIMIT %s"""


def player_cash(
    conn: psycopg.Connection[Any], *, gaming_day: str | None = None, player: str | None = None, limit: int = 1000
) -> PlayerCash:
    """Cash in and out of player references by gaming day, each direction on its own."""
    where, values = conditions([("gaming_day = %s", gaming_day), ("player = %s", player)])
    with snapshot(conn) as look:
        rows = [CashRow(*row) for row in look.rows(sql.SQL(_CASH).format(where), [*values, limit])]
        return PlayerCash(look.position(View), rows)
