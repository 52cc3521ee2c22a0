"""Who has carried and who has counted a drop box, and nothing of what they found: the next counter is blind to it."""

from __future__ import annotations

from typing import Any, LiteralString

import psycopg
from msgspec import Struct

from domain import streams
from domain.codec import decode
from domain.events.count import BoxCounted, BoxMounted, BoxReceived, BoxRemoved
from projections.reads.snapshot import snapshot


class Handled(Struct):
    """carriers: who had the box at its table and on the way; received_by: who took it over; counters: in order."""

    carriers: list[str]
    received_by: str | None
    counters: list[str]


_BOOK: LiteralString = """
SELECT topic, state FROM public.pitclerk_events WHERE originator_id = %s AND topic = ANY(%s)
ORDER BY originator_version"""
_KINDS = (BoxMounted, BoxRemoved, BoxReceived, BoxCounted)


def counters_of(conn: psycopg.Connection[Any], drop: str) -> Handled:
    """The people of one box; nobody for one that never was."""
    found = Handled([], None, [])
    with snapshot(conn) as look:
        rows = look.rows(_BOOK, (streams.count(drop.removeprefix("drop-")[:10]), [kind.TOPIC for kind in _KINDS]))
        for topic, state in rows:
            meta, event = decode(topic, bytes(state))
            if getattr(event, "drop", None) != drop:
                continue
            if isinstance(event, BoxCounted):
                found.counters.append(meta.actor)
            elif isinstance(event, BoxReceived):
                found.received_by = meta.actor
            else:
                found.carriers.append(meta.actor)
    return found


def newest_day(conn: psycopg.Connection[Any]) -> str | None:
    """The newest gaming day that has a drop box."""
    with snapshot(conn) as look:
        return next((day for (day,) in look.rows("SELECT max(gaming_day) FROM views.drop_boxes")), None)
