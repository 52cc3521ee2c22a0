"""Prove that the log is as it was recorded: every row against its chain row, every link against the one before.

Events and chain are read side by side in the order of positions, in one snapshot; memory stays flat. The chain cannot
show that its own end was cut off together with the log's: for that compare `head` with one kept elsewhere.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, LiteralString, NamedTuple

from psycopg.rows import TupleRow, tuple_row

from domain import chain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from psycopg import Connection

BATCH = 2000

# timestamptz_send gives the stored microseconds as they are: no calendar, no infinity to stumble over.
_EVENTS: LiteralString = """
SELECT notification_id, originator_id, originator_version, topic, state, timestamptz_send(recorded_at)
FROM public.pitclerk_events ORDER BY notification_id"""

_CHAIN: LiteralString = "SELECT position, leaf, link FROM public.pitclerk_chain ORDER BY position"

_POSTGRES_EPOCH = 946_684_800_000_000  # 2000-01-01 in microseconds since 1970


class VerifyResult(NamedTuple):
    """`events` counts the log's rows, `position` is the last one's; `head` is the last link in hex.

    `first_bad` is the lowest position whose row or chain row differs: for a deleted row its own if its chain row
    remains, else the next one that survives; for a swap the lower. None if all is as recorded.
    """

    ok: bool
    events: int
    position: int
    head: str
    first_bad: int | None


def verify(conn: Connection[Any]) -> VerifyResult:
    """Check the whole log on an idle connection of any role that may read it. psycopg's errors pass through."""
    with conn.transaction():
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        return _walk(_rows(conn, "verify_events", _EVENTS), _rows(conn, "verify_chain", _CHAIN))


def _rows(conn: Connection[Any], name: str, statement: LiteralString) -> Iterator[TupleRow]:
    with conn.cursor(name, row_factory=tuple_row) as cursor:
        cursor.execute(statement, binary=True)
        while rows := cursor.fetchmany(BATCH):
            yield from rows


def _walk(events: Iterator[TupleRow], links: Iterator[TupleRow]) -> VerifyResult:
    """Compare the two. After the first difference what remains is only counted."""
    count, position, head = 0, 0, chain.GENESIS
    first_bad: int | None = None
    for event, link in _side_by_side(events, links):
        if first_bad is None and not _agree(event, link, head):
            first_bad = next(row[0] for row in (event, link) if row is not None)
        if event is not None:
            count, position = count + 1, event[0]
        if link is not None:
            head = link[2]
    return VerifyResult(first_bad is None, count, position, head.hex(), first_bad)


def _side_by_side(
    events: Iterator[TupleRow], links: Iterator[TupleRow]
) -> Iterator[tuple[TupleRow | None, TupleRow | None]]:
    """Pair events and chain rows by position; one without a partner comes alone."""
    event, link = next(events, None), next(links, None)
    while event is not None and link is not None:
        if event[0] < link[0]:
            yield event, None
            event = next(events, None)
        elif link[0] < event[0]:
            yield None, link
            link = next(links, None)
        else:
            yield event, link
            event, link = next(events, None), next(links, None)
    while event is not None:
        yield event, None
        event = next(events, None)
    while link is not None:
        yield None, link
        link = next(links, None)


def _agree(event: TupleRow | None, link: TupleRow | None, before: bytes) -> bool:
    """Whether an event and a chain row belong together and follow the link before."""
    if event is None or link is None or event[0] != link[0]:
        return False
    position, stream, version, topic, state, recorded_at = event
    if stream is None or version is None or topic is None or state is None or recorded_at is None:
        return False  # columns that someone has made nullable
    micros = int.from_bytes(recorded_at, "big", signed=True) + _POSTGRES_EPOCH
    _, leaf, stored = link
    try:
        actual = chain.leaf_hash(chain.leaf_bytes_at(position, stream, version, topic, state, micros))
    except struct.error:
        return False  # a time beyond all others, such as 'infinity'
    return bool(actual == leaf and chain.link(before, leaf) == stored)
