"""Fills and credits as the cage works them: what is on its way, one slip whole, each with its signatures.

A signature is an event of the slip's book; books are read from the log from where the oldest slip wanted was asked for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, LiteralString

import psycopg
from msgspec import Struct
from psycopg import sql

from domain.codec import decode
from domain.events.base import Chips, Event
from domain.events.slips import SlipCarried, SlipCounted, SlipPrepared, SlipReceived, SlipRequested, SlipVoided
from projections.exceptions import Exceptions
from projections.paper import Paper
from projections.reads.exceptions import gaps_of
from projections.reads.prints import PrintView, prints_at
from projections.reads.snapshot import Snapshot, conditions, snapshot, utc

MOST: Final = 1_000
"""Slips of one answer."""

LOOK_BACK_DAYS: Final = 7
"""A slip that is still on its way after so many days is a matter of the exceptions inbox."""

_STEPS: Final[dict[type[Event], str]] = {
    SlipRequested: "request",
    SlipPrepared: "prepare",
    SlipCarried: "carry",
    SlipCounted: "count",
    SlipReceived: "receive",
    SlipVoided: "void",
}


class Signature(Struct):
    """Who took a step of a slip, and when (business time, UTC)."""

    step: str
    actor: str
    at: datetime
    position: int


class SlipView(Struct):
    """A fill or credit; amount in minor units. reason: why it is void. overtaken: its session is closed.

    window: the cage window that serves it, None for the main bank.
    """

    slip: str
    kind: str
    number: int
    gaming_day: str
    table: str
    session: str
    currency: str
    amount: int
    state: str
    requested_at: datetime
    moved_at: datetime
    overtaken: bool
    chips: list[Chips] = []
    signatures: list[Signature] = []
    reason: str | None = None
    window: str | None = None

    @property
    def signed(self) -> list[str]:
        """Who has signed: none of them may sign again."""
        return [one.actor for one in self.signatures]


class Board(Struct):
    """day: the newest gaming day with a slip, None before there is one. under_way: oldest first, of the last days.

    done: received and void, the newest first, of the day. last: the highest number of each kind on the day. gaps:
    numbers of the day that no slip has, by kind.
    """

    position: int
    day: str | None
    under_way: list[SlipView]
    done: list[SlipView]
    last: dict[str, int]
    gaps: dict[str, list[int]]


class SlipRecord(Struct):
    """One slip with its paper."""

    position: int
    slip: SlipView
    prints: list[PrintView]


_NEWEST: LiteralString = """
SELECT max(split_part(stream, '/', 3)) FROM (
    (SELECT stream FROM views.slips WHERE stream > 'slips/fill/' AND stream < 'slips/fill/~'
     ORDER BY stream DESC LIMIT 1)
    UNION ALL
    (SELECT stream FROM views.slips WHERE stream > 'slips/credit/' AND stream < 'slips/credit/~'
     ORDER BY stream DESC LIMIT 1)) newest"""
_SLIPS: LiteralString = """
SELECT s.slip, s.kind, s.number, split_part(s.stream, '/', 3), s.table_name, s.session, coalesce(h.currency, ''),
       s.amount, s.state, s.requested_at, s.moved_at, coalesce(h.closer IS NOT NULL, false), s.stream, s.version
FROM views.slips s LEFT JOIN views.table_hold_sessions h
  ON (h.site, h.table_name, h.gaming_day, h.session)
   = (s.site, s.table_name, split_part(s.stream, '/', 3), s.session)
{} ORDER BY s.requested_at, s.position LIMIT %s"""
_BOOKS: LiteralString = """
SELECT e.topic, e.state, e.notification_id FROM public.pitclerk_events e
JOIN unnest(%s::text[], %s::bigint[]) AS wanted (stream, version)
  ON e.originator_id = wanted.stream AND e.originator_version >= wanted.version
ORDER BY e.notification_id"""


_WAITING: LiteralString = """
WHERE (s.stream BETWEEN %s AND %s OR s.stream BETWEEN %s AND %s) AND s.state NOT IN ('received', 'void')"""


def board(conn: psycopg.Connection[Any], day: str | None = None) -> Board:
    """The board of a gaming day, the newest if none is named."""
    with snapshot(conn) as look:
        position = look.position(Exceptions)
        day = day or next((str(found) for (found,) in look.rows(_NEWEST) if found), None)
        if day is None:
            return Board(position, None, [], [], {}, {})
        under_way = _slips(look, sql.SQL(_WAITING), _span(day))
        of_day = _slips(
            look, sql.SQL("WHERE s.stream = ANY(%s)"), [[f"slips/fill/{day}", f"slips/credit/{day}"]], plain=True
        )
        numbers: dict[str, list[int]] = defaultdict(list)
        for one in of_day:
            numbers[one.kind].append(one.number)
        return Board(
            position=position,
            day=day,
            under_way=under_way,
            done=[one for one in reversed(of_day) if one.state in ("received", "void")],
            last={kind: max(found) for kind, found in numbers.items()},
            gaps={kind: gaps for kind, found in numbers.items() if (gaps := gaps_of([0, *found]))},
        )


_MARKS: LiteralString = """
SELECT coalesce(md5(string_agg(slip || state, ',' ORDER BY slip)), '') FROM views.slips
WHERE stream BETWEEN %s AND %s OR stream BETWEEN %s AND %s"""


def marks(conn: psycopg.Connection[Any]) -> str:
    """A text that differs when a slip of the last days has moved."""
    with snapshot(conn) as look:
        day = next((str(found) for (found,) in look.rows(_NEWEST) if found), None)
        return "" if day is None else str(look.rows(_MARKS, _span(day))[0][0])


def _span(day: str) -> list[str]:
    """The first and the last book of fills, then of credits, that a board of the day looks at."""
    since = (date.fromisoformat(day) - timedelta(days=LOOK_BACK_DAYS)).isoformat()
    return [f"slips/{kind}/{at}" for kind in ("fill", "credit") for at in (since, day)]


def slip(conn: psycopg.Connection[Any], slip_id: str) -> SlipRecord | None:
    """One fill or credit with its signatures and prints; None for one that nobody asked for."""
    where, values = conditions([("s.slip = %s", slip_id)])
    with snapshot(conn) as look:
        for found in _slips(look, where, values):
            return SlipRecord(look.position(Exceptions, Paper), found, prints_at(look, found.kind, found.slip))
    return None


def paid_hit(conn: psycopg.Connection[Any], slip_id: str) -> tuple[str, str] | None:
    """The progressive and the hit that a hand-pay slip is about."""
    with snapshot(conn) as look:
        found = look.rows("SELECT progressive, hit FROM views.hand_pay_slips WHERE slip = %s", (slip_id,))
        return next(((progressive, hit) for progressive, hit in found), None)


def _slips(
    look: Snapshot, where: sql.Composed | sql.SQL, values: Sequence[object], *, plain: bool = False
) -> list[SlipView]:
    """plain: without chips and signatures, which lie in the log."""
    found: dict[str, SlipView] = {}
    books: dict[str, int] = {}
    for *facts, stream, version in look.rows(sql.SQL(_SLIPS).format(where), [*values, MOST]):
        row = SlipView(*facts)
        row.requested_at, row.moved_at = utc(row.requested_at) or row.requested_at, utc(row.moved_at) or row.moved_at
        found[row.slip] = row
        books[stream] = min(version, books.get(stream, version))
    if not plain:
        _sign(look, found, books)
    return list(found.values())


def _sign(look: Snapshot, slips: dict[str, SlipView], books: dict[str, int]) -> None:
    for topic, state, position in look.rows(_BOOKS, (list(books), list(books.values()))):
        meta, event = decode(topic, bytes(state))
        step = _STEPS.get(type(event))
        row = None if step is None else slips.get(event.slip)  # type: ignore[attr-defined]
        if step is None or row is None:
            continue
        row.signatures.append(Signature(step, meta.actor, utc(meta.happened_at) or meta.happened_at, position))
        if isinstance(event, SlipRequested):
            row.chips = list(event.chips)
        elif isinstance(event, SlipPrepared):
            row.window = event.window
        elif isinstance(event, SlipVoided):
            row.reason = event.reason
