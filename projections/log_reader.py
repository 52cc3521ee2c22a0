"""Read the log in batches by position, and decode of each batch only what somebody wants.

A batch groups its events by class: folds are sums over events of one kind, and a tight loop over one kind is what makes
catching up fast. Where the order between kinds matters (jackpots), `Batch.merged` gives it back.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, TypeAlias, TypeVar, cast

import msgspec
import psycopg
from psycopg.rows import tuple_row

from domain.codec import Stored, UnreadableEventError, decode
from domain.events.base import Event, Meta
from domain.events.registry import EVENTS

E = TypeVar("E", bound=Event)

Row: TypeAlias = tuple[int, str, int, Meta, E]
"""position, stream, version in the stream, envelope, event."""

RawRow: TypeAlias = tuple[int, str, int, str, bytes]
"""position, stream, version, topic, state: as stored."""

BATCH = 1_000
"""Events a batch near the head of the log."""

_READERS = {
    topic: (cls.VERSION, msgspec.json.Decoder(Stored[cls]).decode)  # type: ignore[valid-type]
    for topic, cls in EVENTS.items()
}
"""The codec's way for an event of the present version, without its detours; all others go through the codec itself."""

_AFTER = (
    "SELECT notification_id, originator_id, originator_version, topic, state FROM public.pitclerk_events"
    " WHERE notification_id > %s AND notification_id <= %s ORDER BY notification_id LIMIT %s"
)
_LAST = 2**63 - 1
_HEAD = "SELECT coalesce(max(notification_id), 0) FROM public.pitclerk_events"


class UnreadableRowError(Exception):
    """A stored event that this program cannot read, at its position."""

    def __init__(self, position: int, topic: str, cause: str) -> None:
        super().__init__(f"position {position}: {cause}")
        self.position = position
        self.topic = topic
        self.cause = cause


class Batch:
    """A stretch of the log: everything after `start` up to and including `end`, events of unwanted topics included.

    unreadable: the row after `end` that could not be read, if reading stopped there.
    """

    __slots__ = ("_by_topic", "_cache", "end", "raw", "start", "unreadable")

    def __init__(self, start: int, raw: list[RawRow], wanted: Collection[str]) -> None:
        self.start = start
        self.raw = raw
        self.end = raw[-1][0] if raw else start
        self.unreadable: UnreadableRowError | None = None
        self._by_topic: dict[str, list[Row[Any]]] = {topic: [] for topic in wanted}
        self._cache: dict[Any, Any] = {}
        self._decode(raw)

    def _decode(self, raw: list[RawRow]) -> None:
        # Millions of times through here in a catch-up: a sink is looked up once an event and has all that is needed.
        sinks = {topic: (rows.append, *_READERS[topic]) for topic, rows in self._by_topic.items() if topic in _READERS}
        position, topic = 0, ""
        try:
            for position, stream, version, topic, state in raw:
                sink = sinks.get(topic)
                if sink is not None:
                    append, current, read = sink
                    try:
                        stored = read(state)
                        readable = stored.v == current
                    except (msgspec.ValidationError, msgspec.DecodeError):
                        readable = False
                    meta, event = (stored.meta, stored.data) if readable else decode(topic, state)
                    append((position, stream, version, meta, event))
                elif topic not in EVENTS:
                    raise UnreadableEventError(f"topic {topic!r} is not one this program knows; a newer one wrote it")
        except UnreadableEventError as error:
            self.unreadable = UnreadableRowError(position, topic, str(error))
            at = next(at for at, row in enumerate(raw) if row[0] == position)
            self.raw = raw[:at]
            self.end = raw[at - 1][0] if at else self.start

    def __len__(self) -> int:
        return len(self.raw)

    def of(self, kind: type[E]) -> list[Row[E]]:
        """The batch's events of one kind, in order."""
        return cast("list[Row[E]]", self._by_topic.get(kind.TOPIC, []))

    def merged(self, *kinds: type[Event]) -> list[Row[Event]]:
        """The batch's events of several kinds, in the order of the log."""
        rows = [row for kind in kinds for row in self.of(kind)]
        rows.sort(key=_position)
        return rows

    def once(self, build: Any) -> Any:
        """What `build` makes of this batch, made once and shared by all folds."""
        made = self._cache.get(build)
        if made is None:
            made = self._cache[build] = build(self)
        return made


def _position(row: Row[Any]) -> int:
    return row[0]


def read_batch(
    conn: psycopg.Connection[Any], after: int, wanted: Collection[str], limit: int = BATCH, upto: int | None = None
) -> Batch:
    """The next batch after a position, not beyond `upto`; empty at the head of the log.

    Positions are given under the commit lock, so nothing can appear later at or before one that is visible.
    """
    with conn.cursor(binary=True, row_factory=tuple_row) as cursor:
        raw = cursor.execute(_AFTER, (after, _LAST if upto is None else upto, limit), prepare=True).fetchall()
    return Batch(after, cast("list[RawRow]", raw), wanted)


def head(conn: psycopg.Connection[Any]) -> int:
    """The position of the last event; 0 for an empty log."""
    row = conn.execute(_HEAD).fetchone()
    assert row is not None
    return int(row[0])


def hour_of(at: datetime) -> datetime:
    """The hour a moment lies in."""
    return at.replace(minute=0, second=0, microsecond=0)
