"""Search: events by table, round, box, player, person, amount, hand, type, exception and time, in the order of the log.

A round and an exception are looked up in their views. For the rest the log is read in windows of positions, along its
index, so that a request costs the same whatever it asks for and however long the log is: one that has read its share
says where to go on, whether it found anything or not. What a row's bytes cannot hold is passed over in the database;
what they may hold is looked at closely here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final, LiteralString

import msgspec
import psycopg
from msgspec import Struct
from psycopg import sql

from projections.reads.events import LoggedEvent, logged, of_round
from projections.reads.moments import position_before
from projections.reads.snapshot import Snapshot, snapshot
from projections.reads.tree import log_head

WINDOW: Final = 10_000
WINDOWS: Final = 20
"""So that one request reads at most 200,000 positions of the log."""

MOST_EXCEPTIONS: Final = 1_000

_NO_AMOUNTS: Final = frozenset(
    {"box", "number", "wager", "level", "count", "version", "config_version", "ruleset_version", "winner", "winners"}
)
"""Whole numbers that are no money; of parts per million and millionths the names say so."""

_HANDS: Final = ("hand", "second", "was", "now")


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
        if wanted.round is not None or wanted.exception is not None:
            events = [event for event in _named(look, wanted, first) if first < event.position <= last]
            rows = list(_holding(events, wanted))
            return Found(head, rows[:limit], rows[limit - 1].position if len(rows) > limit else None)
        rows, following = _scanned(look, wanted, (first, last), limit)
        return Found(head, rows, following)


def _scanned(
    look: Snapshot, wanted: Wanted, bounds: tuple[int, int], limit: int
) -> tuple[list[FoundEvent], int | None]:
    """Window by window; and where to go on."""
    where, values = _conditions(wanted)
    at, last = bounds
    rows: list[FoundEvent] = []
    for _ in range(WINDOWS):
        if at >= last:
            return rows, None
        upto = min(at + WINDOW, last)
        raw = look.rows(_WINDOW.format(where), [at, upto, *values])
        for row in _holding((logged(one) for one in raw), wanted):
            if len(rows) == limit:
                return rows, rows[-1].position
            rows.append(row)
        at = upto
    return rows, at if at < last else None


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


def _named(look: Snapshot, wanted: Wanted, after: int) -> list[LoggedEvent]:
    """The events of a round, or those that exceptions are about."""
    if wanted.round is not None:
        found = of_round(look, wanted.round)
        if wanted.exception is None:
            return found
        about = {position for (position,) in look.rows(_EXCEPTIONS, (wanted.exception, after, MOST_EXCEPTIONS))}
        return [event for event in found if event.position in about]
    positions = [position for (position,) in look.rows(_EXCEPTIONS, (wanted.exception, after, MOST_EXCEPTIONS))]
    return [logged(row) for row in look.rows(_AT, (positions,))]


_EXCEPTIONS: LiteralString = """
SELECT DISTINCT position FROM views.exceptions WHERE code = %s AND position > %s ORDER BY position LIMIT %s"""
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
        and (wanted.hand is None or wanted.hand in [data.get(name) for name in _HANDS])
        and (wanted.amount is None or any(wanted.amount == one for one in _amounts(data)))
    )


def _table(event: LoggedEvent, data: dict[str, Any]) -> str | None:
    if event.stream.startswith("table/"):
        return event.stream.split("/")[1]
    named = data.get("table")
    return named if isinstance(named, str) else None


def _amounts(data: object) -> Iterator[int]:
    """Every amount in an event's fields, those of its parts included."""
    if isinstance(data, dict):
        for name, value in data.items():
            if name in _NO_AMOUNTS or name.endswith(("_ppm", "_u")):
                continue
            if type(value) is int:
                yield value
            else:
                yield from _amounts(value)
    elif isinstance(data, list):
        for one in data:
            yield from _amounts(one)


def _bounds(look: Snapshot, wanted: Wanted, after: int, head: int) -> tuple[int, int]:
    """After which position and up to which one to look."""
    first = after if wanted.since is None else max(after, position_before(look, wanted.since))
    last = head if wanted.until is None else min(head, position_before(look, wanted.until))
    return first, last
