"""Prove that the log is as it was recorded: every row against its chain row, every link against the one before.

Events and chain are read side by side in the order of positions, in one snapshot; memory stays flat. The chain cannot
show that its own end was cut off together with the log's, nor that all of it was computed anew after a change: for that
`verify_seals` watches the same walk and compares it with the signed checkpoints.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, LiteralString, NamedTuple, TypeAlias

from psycopg.rows import TupleRow, tuple_row

from domain import chain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from psycopg import Connection

BATCH = 2000

# timestamptz_send gives the stored microseconds as they are: no calendar, no infinity to stumble over.
_EVENTS: LiteralString = """
SELECT notification_id, originator_id, originator_version, topic, state, timestamptz_send(recorded_at)
FROM public.pitclerk_events ORDER BY notification_id"""

_CHAIN: LiteralString = "SELECT position, leaf, link FROM public.pitclerk_chain ORDER BY position"

POSTGRES_EPOCH = 946_684_800_000_000
"""2000-01-01 in microseconds since 1970: what the database counts its times from."""


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


Watch: TypeAlias = "Callable[[int, bytes], None]"
"""Told of every row of the log in order: its position and its leaf (UNREADABLE if it has none)."""

UNREADABLE = bytes(32)
"""The leaf of a row that no program of ours has written."""


def verify(conn: Connection[Any]) -> VerifyResult:
    """Check the whole log on an idle connection of any role that may read it. psycopg's errors pass through."""
    with conn.transaction():
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        return walk_log(conn)


def walk_log(conn: Connection[Any], watch: Watch | None = None) -> VerifyResult:
    """The same in a transaction that has begun."""
    return walk(_rows(conn, "verify_events", _EVENTS), _rows(conn, "verify_chain", _CHAIN), watch)


def _rows(conn: Connection[Any], name: str, statement: LiteralString) -> Iterator[TupleRow]:
    with conn.cursor(name, row_factory=tuple_row) as cursor:
        cursor.execute(statement, binary=True)
        while rows := cursor.fetchmany(BATCH):
            yield from rows


def walk(events: Iterator[TupleRow], links: Iterator[TupleRow], watch: Watch | None = None) -> VerifyResult:
    """Compare the two, as they come from the database. After the first difference what remains is only counted."""
    count, position, head = 0, 0, chain.GENESIS
    first_bad: int | None = None
    for event, link in _side_by_side(events, links):
        leaf = leaf_of(event) if event is not None and (first_bad is None or watch is not None) else UNREADABLE
        if first_bad is None and not _agree(event, link, leaf, head):
            first_bad = next(row[0] for row in (event, link) if row is not None)
        if event is not None:
            count, position = count + 1, event[0]
            if watch is not None:
                watch(position, leaf)
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


def _agree(event: TupleRow | None, link: TupleRow | None, leaf: bytes, before: bytes) -> bool:
    """Whether an event (of this leaf) and a chain row belong together and follow the link before."""
    if event is None or link is None or event[0] != link[0]:
        return False
    return bool(leaf != UNREADABLE and leaf == link[1] and chain.link(before, leaf) == link[2])


def leaf_of(event: TupleRow) -> bytes:
    """The leaf of a row as it is stored; UNREADABLE if it cannot have one."""
    position, stream, version, topic, state, recorded_at = event
    if stream is None or version is None or topic is None or state is None or recorded_at is None:
        return UNREADABLE  # columns that someone has made nullable
    micros = int.from_bytes(recorded_at, "big", signed=True) + POSTGRES_EPOCH
    try:
        return chain.leaf_hash(chain.leaf_bytes_at(position, stream, version, topic, state, micros))
    except struct.error:
        return UNREADABLE  # a time beyond all others, such as 'infinity'
