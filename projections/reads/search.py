"""Search: events by table, round, box, player, person, amount, hand, type, exception and time, in the order of the log.

A round and an exception are looked up in their views. For the rest the `finder` knows which stretches of the log hold
what is wanted, from the first round on, and only those are read; what it has not folded yet is read as it is. A
request costs the same however long the log is: one that has read its share says where to go on, whether it found
anything or not. What a row's bytes cannot hold is passed over in the database; what they may hold is looked at here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final, LiteralString

import msgspec
import psycopg
from msgspec import Struct
from psycopg import sql

from projections.finder import Finder
from projections.reads.events import LoggedEvent, logged, of_round
from projections.reads.moments import position_before
from projections.reads.snapshot import Snapshot, snapshot
from projections.reads.tree import log_head
from projections.terms import HANDS, STRETCH_BITS, amounts_of, table_of, term

WINDOW: Final = 10_000
WINDOWS: Final = 20
"""So that one request reads at most 200,000 positions of the log."""

STRETCH: Final = 1 << STRETCH_BITS
MOST_STRETCHES: Final = WINDOW * WINDOWS // STRETCH
MOST_LOOKED: Final = 20_000
"""Stretches whose terms one request compares: twenty million positions."""

MOST_EXCEPTIONS: Final = 1_000


class Wanted(Struct, frozen=True, kw_only=True):
    """What is looked for; all that is given must hold. since and until bound the time of recording."""

    table: str | None = None
    round: str | None = None
    box: int | None = None
    player: str | None = None
    actor: str | None = None
    amount: int | None = None
    hand: str | None = None
    topic: str | None = None
    exception: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    def given(self) -> dict[str, Any]:
        """What was asked for, without what was not."""
        given = msgspec.structs.asdict(self).items()
        return {name: str(of) if isinstance(of, datetime) else of for name, of in given if of is not None}

    def terms(self) -> list[str]:
        """What a stretch of the log must hold for an event in it to be as wanted; the rarer kinds first."""
        given = self.given()
        names = {"player": "player", "amount": "amount", "hand": "hand", "actor": "actor", "topic": "type"}
        names |= {"table": "table", "box": "box"}
        return [term(kind, given[name]) for name, kind in names.items() if name in given]


class FoundEvent(Struct):
    """An event that was looked for. table: of the session or registry it lies on."""

    position: int
    type: str
    table: str | None
    round: str | None
    box: int | None
    recorded_at: datetime
    happened_at: str | None
    actor: str | None
    approver: str | None
    stream: str
    data: msgspec.Raw


class Found(Struct):
    """position: up to where the log was known. next: the `after` to go on with; null where the log was read to its end.

    A page may hold fewer rows than it could, even none, and still have a next one: then the log is long.
    """

    position: int
    rows: list[FoundEvent]
    next: int | None


def search(conn: psycopg.Connection[Any], wanted: Wanted, *, after: int = 0, limit: int = 100) -> Found:
    """Events after a position that are as wanted."""
    with snapshot(conn) as look:
        head = log_head(look)
        first, last = _bounds(look, wanted, after, head)
        if wanted.round is not None:
            events = [event for event in _of_round(look, wanted) if first < event.position <= last]
            return Found(head, *_page(list(_holding(events, wanted)), limit))
        if wanted.exception is not None:
            return Found(head, *_of_exceptions(look, wanted, (first, last), limit))
        rows, following = _scanned(look, wanted, (first, last), limit)
        return Found(head, rows, following)


def _page(rows: list[FoundEvent], limit: int) -> tuple[list[FoundEvent], int | None]:
    return rows[:limit], rows[limit - 1].position if len(rows) > limit else None


def _scanned(
    look: Snapshot, wanted: Wanted, bounds: tuple[int, int], limit: int
) -> tuple[list[FoundEvent], int | None]:
    """Window by window; and where to go on."""
    where, values = _conditions(wanted)
    first, last = bounds
    rows: list[FoundEvent] = []
    at = first
    for start, end in _windows(look, wanted, bounds):
        raw = look.rows(_WINDOW.format(where), [start, end, *values]) if end > start else []
        for row in _holding((logged(one) for one in raw), wanted):
            if len(rows) == limit:
                return rows, rows[-1].position
            rows.append(row)
        at = end
    return rows, at if at < last else None


Window = tuple[int, int]
"""After which position, and up to which; everything between two windows holds nothing that is wanted."""


def _windows(look: Snapshot, wanted: Wanted, bounds: tuple[int, int]) -> Iterator[Window]:
    """What one request reads: the stretches that hold all terms, and as they are what the view has not folded yet."""
    first, last = bounds
    terms = wanted.terms()
    known = min(look.position(Finder), last) if terms else first
    read = 0
    if first < known:
        stretches, reached = _stretches(look, terms, first, known)
        for stretch in stretches:
            start, end = stretch << STRETCH_BITS, (stretch + 1) << STRETCH_BITS
            yield max(first, start - 1), min(known, end - 1)
        yield reached, reached
        if reached < known:
            return
        read, first = len(stretches) * STRETCH // WINDOW, known
    for start in range(first, last, WINDOW)[: max(1, WINDOWS - read)]:
        yield start, min(start + WINDOW, last)


def _stretches(look: Snapshot, terms: list[str], after: int, upto: int) -> tuple[list[int], int]:
    """The next stretches in which every term occurs, and up to which position that holds for sure."""
    first, last = after + 1 >> STRETCH_BITS, upto >> STRETCH_BITS
    last_looked = min(last, first + MOST_LOOKED - 1)
    joins = [
        sql.SQL("JOIN views.search_terms t{0} ON t{0}.stretch = t0.stretch AND t{0}.term = %s").format(sql.Literal(n))
        for n in range(1, len(terms))
    ]
    statement = sql.SQL(
        "SELECT t0.stretch FROM views.search_terms t0 {} WHERE t0.term = %s AND t0.stretch BETWEEN %s AND %s"
        " ORDER BY t0.stretch LIMIT %s"
    ).format(sql.SQL(" ").join(joins))
    rows = look.rows(statement, [*terms[1:], terms[0], first, last_looked, MOST_STRETCHES])
    found = [stretch for (stretch,) in rows]
    end = found[-1] if len(found) == MOST_STRETCHES else last_looked
    return found, min(upto, (end + 1 << STRETCH_BITS) - 1)


_WINDOW: Final = sql.SQL("""
SELECT notification_id, originator_id, originator_version, topic, state, recorded_at FROM public.pitclerk_events
WHERE notification_id > %s AND notification_id <= %s {} ORDER BY notification_id""")


def _conditions(wanted: Wanted) -> tuple[sql.Composed, list[object]]:
    """What the database can pass over. Text is looked for as the codec writes it, which has no blanks."""
    parts: list[LiteralString] = []
    values: list[object] = []

    def demand(text: LiteralString, *of: object) -> None:
        parts.append(text)
        values.extend(of)

    if wanted.topic is not None:
        demand("topic = %s", wanted.topic)
    if wanted.table is not None:
        demand(
            "(originator_id = %s OR starts_with(originator_id, %s) OR position(%s::bytea IN state) > 0)",
            f"table/{wanted.table}",
            f"table/{wanted.table}/",
            _field("table", wanted.table),
        )
    for text in (wanted.player, wanted.actor, wanted.hand):
        if text is not None:
            demand("position(%s::bytea IN state) > 0", msgspec.json.encode(text))
    if wanted.box is not None:
        demand("position(%s::bytea IN state) > 0", _field("box", wanted.box))
    if wanted.amount is not None:
        demand("position(%s::bytea IN state) > 0", f":{wanted.amount}".encode())
    return sql.Composed([sql.SQL("AND ") + sql.SQL(part) + sql.SQL(" ") for part in parts]), values


def _field(name: str, value: object) -> bytes:
    return f'"{name}":'.encode() + msgspec.json.encode(value)


def _of_round(look: Snapshot, wanted: Wanted) -> list[LoggedEvent]:
    """The events of a round, or those of them that exceptions are about."""
    assert wanted.round is not None, "a round is looked for"
    found = of_round(look, wanted.round)
    if wanted.exception is None:
        return found
    positions = [event.position for event in found]
    about = {position for (position,) in look.rows(_EXCEPTIONS_AT, (wanted.exception, positions))}
    return [event for event in found if event.position in about]


def _of_exceptions(
    look: Snapshot, wanted: Wanted, bounds: tuple[int, int], limit: int
) -> tuple[list[FoundEvent], int | None]:
    """The events that exceptions are about; and where to go on."""
    first, last = bounds
    positions = [at for (at,) in look.rows(_EXCEPTIONS, (wanted.exception, first, last, MOST_EXCEPTIONS))]
    events = [logged(row) for row in look.rows(_AT, (positions,))]
    rows, following = _page(list(_holding(events, wanted)), limit)
    if following is None and len(positions) == MOST_EXCEPTIONS:
        following = positions[-1]
    return rows, following


_EXCEPTIONS: LiteralString = """
SELECT DISTINCT position FROM views.exceptions WHERE code = %s AND position > %s AND position <= %s
ORDER BY position LIMIT %s"""
_EXCEPTIONS_AT: LiteralString = "SELECT position FROM views.exceptions WHERE code = %s AND position = ANY(%s)"
_AT: LiteralString = """
SELECT notification_id, originator_id, originator_version, topic, state, recorded_at FROM public.pitclerk_events
WHERE notification_id = ANY(%s) ORDER BY notification_id"""


def _holding(events: Iterable[LoggedEvent], wanted: Wanted) -> Iterator[FoundEvent]:
    """Those that are as wanted, by their own fields."""
    for event in events:
        data = msgspec.json.decode(event.data)
        if _holds(wanted, event, data):
            yield FoundEvent(
                position=event.position,
                type=event.type,
                table=_table(event, data),
                round=data.get("round"),
                box=data.get("box"),
                recorded_at=event.recorded_at,
                happened_at=event.happened_at,
                actor=event.actor,
                approver=event.approver,
                stream=event.stream,
                data=event.data,
            )


def _holds(wanted: Wanted, event: LoggedEvent, data: dict[str, Any]) -> bool:
    return (
        (wanted.topic in (None, event.type))
        and (wanted.table is None or wanted.table == _table(event, data))
        and (wanted.box is None or wanted.box == data.get("box"))
        and (wanted.player is None or wanted.player == data.get("player"))
        and (wanted.actor is None or wanted.actor in (event.actor, event.approver))
        and (wanted.hand is None or wanted.hand in [data.get(name) for name in HANDS])
        and (wanted.amount is None or any(wanted.amount == one for one in amounts_of(data)))
    )


def _table(event: LoggedEvent, data: dict[str, Any]) -> str | None:
    own = table_of(event.stream)
    if own is not None:
        return own
    named = data.get("table")
    return named if isinstance(named, str) else None


def _bounds(look: Snapshot, wanted: Wanted, after: int, head: int) -> tuple[int, int]:
    """After which position and up to which one to look."""
    first = after if wanted.since is None else max(after, position_before(look, wanted.since))
    last = head if wanted.until is None else min(head, position_before(look, wanted.until))
    return first, last
