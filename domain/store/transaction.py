"""One save, one transaction: lock, look, finish, insert, seal, commit, in as few round trips as the order allows.

All statements go down one pipeline, which waits only where a result decides what comes next: after looking, after the
positions are given, and for the commit. On any error the server skips the rest of the pipeline, COMMIT included.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.pq import ConnStatus, TransactionStatus
from psycopg.rows import TupleRow, tuple_row

from domain import chain
from domain.store import statements
from domain.store.arrays import bytea_array, int8_array, text_array
from domain.store.errors import AlreadyAnswered, StaleVersion
from domain.store.locked import LockedLog
from domain.store.save import AnswerRow, Placed, Save, Saved

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from eventsourcing.persistence import StoredEvent
    from psycopg import Connection, Cursor


@dataclass(slots=True)
class Progress:
    """How far a save has come: after a failure this tells whether it can have been recorded."""

    commit_sent: bool = False
    connection_lost: bool = False


@dataclass(frozen=True, slots=True)
class _Standing:
    """What stands under the lock."""

    recorded_at: datetime
    link: bytes
    versions: Mapping[str, int]


def record(
    conn: Connection[Any], events: Sequence[StoredEvent], save: Save, lock_timeout_ms: int, progress: Progress
) -> Saved:
    """Make one save on a connection in autocommit mode. psycopg's errors pass through, the transaction undone."""
    try:
        with conn.pipeline(), conn.cursor(row_factory=tuple_row, binary=True) as cursor:
            standing = _lock_and_look(cursor, events, save, lock_timeout_ms)
            if save.finish is not None:
                events = save.finish(LockedLog(conn))
                standing = _look(cursor, _streams(events)) if _streams(events) - standing.versions.keys() else standing
            _check_continues(events, standing.versions)
            positions = _insert(cursor, events, standing)
            saved = _seal(cursor, events, positions, standing, save, progress)
            cursor.execute(statements.COMMIT)
    except BaseException:
        progress.connection_lost = not _undo(conn)
        raise
    return saved


def _lock_and_look(
    cursor: Cursor[TupleRow], events: Sequence[StoredEvent], save: Save, lock_timeout_ms: int
) -> _Standing:
    """Take the commit lock, then see whether the decision still holds."""
    cursor.execute(statements.BEGIN)
    cursor.execute(statements.LOCK, (str(lock_timeout_ms), statements.COMMIT_LOCK), prepare=True)
    finder = cursor.connection.cursor(row_factory=tuple_row, binary=True)  # its result waits beside the other's
    if save.key:
        finder.execute(statements.FIND_ANSWER, (save.identity, save.key), prepare=True)
    standing = _look(cursor, _streams(events) | save.versions.keys())
    if save.key and (answer := finder.fetchone()) is not None:
        raise AlreadyAnswered(AnswerRow(*answer))
    for stream, expected in save.versions.items():
        if standing.versions[stream] != expected:
            raise StaleVersion(stream, expected, standing.versions[stream])
    return standing


def _streams(events: Sequence[StoredEvent]) -> set[str]:
    return {str(event.originator_id) for event in events}


def _look(cursor: Cursor[TupleRow], streams: set[str]) -> _Standing:
    order = list(streams)
    row = cursor.execute(statements.READ, (text_array(order),), prepare=True).fetchone()
    assert row is not None
    recorded_at, link, versions = row
    return _Standing(recorded_at, link or chain.GENESIS, dict(zip(order, versions, strict=True)))


def _check_continues(events: Sequence[StoredEvent], versions: Mapping[str, int]) -> None:
    """Every event must carry the version after the one before it in its stream."""
    at = dict(versions)
    for event in events:
        stream = str(event.originator_id)
        if event.originator_version != at[stream] + 1:
            raise StaleVersion(stream, event.originator_version - 1, at[stream])
        at[stream] += 1


def _insert(cursor: Cursor[TupleRow], events: Sequence[StoredEvent], standing: _Standing) -> list[int]:
    if not events:
        return []
    cursor.execute(
        statements.INSERT_EVENTS,
        (
            standing.recorded_at,
            text_array([str(event.originator_id) for event in events]),
            int8_array([event.originator_version for event in events]),
            text_array([event.topic for event in events]),
            bytea_array([event.state for event in events]),
        ),
        prepare=True,
    )
    positions = [row[0] for row in cursor.fetchall()]
    assert len(positions) == len(events), "every event has a position"
    assert positions == sorted(set(positions)), "positions are given in the order of the events"
    return positions


def _seal(  # noqa: PLR0917 -- one step of `record`, split off for its length
    cursor: Cursor[TupleRow],
    events: Sequence[StoredEvent],
    positions: list[int],
    standing: _Standing,
    save: Save,
    progress: Progress,
) -> Saved:
    """Add the chain rows and the answer and announce the new head; from here on the outcome is the server's to tell."""
    leaves, links = _chain(events, positions, standing)
    placed = [
        Placed(position, str(event.originator_id), event.originator_version, event.topic, standing.recorded_at)
        for position, event in zip(positions, events, strict=True)
    ]
    answer = save.answer(placed) if save.answer is not None else None
    rows: tuple[Any, ...] = (int8_array(positions), bytea_array(leaves), bytea_array(links))
    head = str(positions[-1]) if positions else ""
    progress.commit_sent = True
    if answer is None:
        cursor.execute(statements.SEAL, (*rows, head), prepare=True)
    else:
        assert (answer.identity, answer.key) == (save.identity, save.key), "the answer is kept under the save's key"
        cursor.execute(statements.SEAL_AND_ANSWER, (*rows, *answer, standing.recorded_at, head), prepare=True)
    return Saved(placed, answer)


def _chain(events: Sequence[StoredEvent], positions: list[int], standing: _Standing) -> tuple[list[bytes], list[bytes]]:
    leaves: list[bytes] = []
    links: list[bytes] = []
    link, at = standing.link, chain.micros(standing.recorded_at)
    for position, event in zip(positions, events, strict=True):
        leaf = chain.leaf_hash(
            chain.leaf_bytes_at(
                position, str(event.originator_id), event.originator_version, event.topic, event.state, at
            )
        )
        link = chain.link(link, leaf)
        leaves.append(leaf)
        links.append(link)
    return leaves, links


def _undo(conn: Connection[Any]) -> bool:
    """Leave the connection idle, or closed when that cannot be had: either way the lock falls. True if it is idle."""
    status = conn.info.transaction_status
    if conn.pgconn.status == ConnStatus.OK and status in (TransactionStatus.INTRANS, TransactionStatus.INERROR):
        with suppress(psycopg.Error):
            conn.execute(statements.ROLLBACK)
            status = conn.info.transaction_status
    if conn.pgconn.status == ConnStatus.OK and status == TransactionStatus.IDLE:
        return True
    conn.close()
    return False
