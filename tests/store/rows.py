"""Stored events for tests of the store: their content does not matter here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
from eventsourcing.persistence import StoredEvent

from domain.recorder import AnswerRow, LogRow, Placed, Save

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

STREAM = "table/CS07/2026-03-14/1"


def events(stream: str = STREAM, first: int = 1, count: int = 3, topic: str = "table.ante_placed") -> list[StoredEvent]:
    """Make consecutive events of one stream."""
    return [
        StoredEvent(stream, version, topic, f'{{"v":1,"data":{{"n":{version}}}}}'.encode())
        for version in range(first, first + count)
    ]


def answering(identity: str, key: str, body: bytes = b"{}") -> Save:
    """Make a save that keeps an answer."""
    return Save(identity=identity, key=key, answer=answer(identity, key, body))


def answer(identity: str, key: str, body: bytes = b"{}") -> Callable[[Sequence[Placed]], AnswerRow]:
    """Build the answer's row from the last position."""
    return lambda placed: AnswerRow(identity, key, bytes(32), 201, body, placed[-1].position)


def log(url: str) -> list[LogRow]:
    """Read the whole log in order."""
    with psycopg.connect(url) as conn:
        rows = conn.execute(
            "SELECT notification_id, originator_id, originator_version, topic, state, recorded_at"
            " FROM pitclerk_events ORDER BY notification_id"
        )
        return [LogRow(*row) for row in rows]


def chain_rows(url: str) -> list[tuple[int, bytes, bytes]]:
    """Read the whole chain in order."""
    with psycopg.connect(url) as conn:
        return conn.execute("SELECT position, leaf, link FROM pitclerk_chain ORDER BY position").fetchall()
