"""One stream at a time played again, on one connection."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, NotRequired, TypedDict, cast

import psycopg
from psycopg.rows import tuple_row

from domain import streams
from domain.codec import UnreadableEventError, decode
from domain.events.slips import SlipRequested
from projections.live import Rulesets
from projections.log_reader import RawRow
from projections.replay.corrected import Corrections
from projections.replay.difference import Difference, refused
from projections.replay.session import SessionReplay, Sources
from projections.replay.shadowing import Shadowed, ShadowReplay, progressive_at

PAGE = 2_000


class Bounds(NamedTuple):
    """Positions to replay from and to, and whether the shadow payer judges too.

    cut: the log goes on after `last`, so a round that is not closed by then may have been cut within one save, and
    nothing can be demanded of it.
    """

    first: int
    last: int
    shadow: bool
    cut: bool


class Part(TypedDict):
    """What one stream came to."""

    rounds: int
    events: int
    differences: list[Difference]
    shadow: NotRequired[Shadowed]


class Player:
    """Replays streams one after the other on one connection; rulesets are made ready once."""

    def __init__(self, conn: psycopg.Connection[Any]) -> None:
        self._conn = conn
        self._rulesets = Rulesets()
        self._slips: dict[str, dict[str, int]] = {}

    def __call__(self, stream: str, bounds: Bounds) -> Part:
        """One session; nothing of it if it ended before `first`."""
        first, last, with_shadow, cut = bounds
        shadow = ShadowReplay(lambda name, at: progressive_at(self._conn, name, at)) if with_shadow else None
        sources = Sources(
            lambda digest: self._rulesets.fetch(self._conn, digest), Corrections(self._conn), self._requested
        )
        session = SessionReplay(sources, first, shadow)
        if first and not self._reaches(stream, first):
            return Part(rounds=0, events=0, differences=[])
        events = 0
        for position, _, _, topic, state in rows_of(self._conn, stream, last):
            events += position >= first
            try:
                event = decode(topic, state)[1]
            except UnreadableEventError as error:
                session.differences.append(refused(position, None, str(error), None))
                continue
            session.take(position, event)
        if not cut:
            session.finish()
        part = Part(rounds=session.rounds, events=events, differences=session.differences)
        if shadow is not None:
            part["shadow"] = shadow.result()
        return part

    def _requested(self, slip: str) -> int | None:
        """What a slip was asked for, minor units; None for a slip that nobody has asked for."""
        kind, _, rest = slip.partition("-")
        stream = streams.slips(kind, rest[:10])
        if stream not in self._slips:
            rows = self._conn.execute(_REQUESTED, (stream, SlipRequested.TOPIC)).fetchall()
            events = [decode(topic, bytes(state))[1] for topic, state in rows]
            self._slips[stream] = {event.slip: event.amount for event in events if isinstance(event, SlipRequested)}
        return self._slips[stream].get(slip)

    def _reaches(self, stream: str, first: int) -> bool:
        newest = "SELECT notification_id FROM public.pitclerk_events WHERE originator_id = %s"
        row = self._conn.execute(newest + " ORDER BY originator_version DESC LIMIT 1", (stream,)).fetchone()
        return row is not None and row[0] >= first


_REQUESTED = (
    "SELECT topic, state FROM public.pitclerk_events WHERE originator_id = %s AND topic = %s"
    " ORDER BY originator_version"
)
_STREAM = (
    "SELECT notification_id, originator_id, originator_version, topic, state FROM public.pitclerk_events"
    " WHERE originator_id = %s AND originator_version > %s AND notification_id <= %s"
    " ORDER BY originator_version LIMIT %s"
)


def rows_of(conn: psycopg.Connection[Any], stream: str, last: int) -> Iterator[RawRow]:
    """A stream's rows as stored, in order, up to a position."""
    version = 0
    with conn.cursor(binary=True, row_factory=tuple_row) as cursor:
        while True:
            rows = cursor.execute(_STREAM, (stream, version, last, PAGE), prepare=True).fetchall()
            yield from cast("list[RawRow]", rows)
            if len(rows) < PAGE:
                return
            version = rows[-1][2]
