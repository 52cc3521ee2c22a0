"""The stored tree: the same by whatever batches, true to the rows, and telling of rows that were not as recorded."""

from __future__ import annotations

import random
from typing import Any

import psycopg
import pytest
from eventsourcing.persistence import StoredEvent

from domain.events.session import SessionReleased
from domain.merkle import EMPTY_ROOT, root_of, verify_consistency, verify_inclusion
from projections.advance import Advancer
from projections.reads import checkpoints, tree
from projections.reads.snapshot import snapshot
from projections.reads.tree import NoSuchTreeError, UnknownPositionError
from projections.seal import DIFFERS, NO_CHAIN, Seal
from projections.verify import leaf_of
from tests.databases import Database
from tests.projections.conftest import FoldAll
from tests.projections.logs import Log, Table, night
from tests.projections.rows import rows_of

ROWS = (
    "SELECT notification_id, originator_id, originator_version, topic, state, timestamptz_send(recorded_at)"
    " FROM pitclerk_events ORDER BY notification_id"
)


def record(pg: Database, log: Log, at_once: int = 50) -> int:
    """Record a made-up log as the service does: with its chain."""
    rows, log.rows = log.rows, []
    with pg.recorder() as recorder:
        for at in range(0, len(rows), at_once):
            events = [StoredEvent(stream, v, topic, state) for stream, v, topic, state, _ in rows[at : at + at_once]]
            placed = recorder.insert_events(events)
    assert placed is not None
    return int(placed[-1])


def stored(conn: psycopg.Connection[Any]) -> list[tuple[int, bytes]]:
    """Position and leaf of every row of the log."""
    rows = conn.cursor(binary=True).execute(ROWS).fetchall()
    return [(row[0], leaf_of(row)) for row in rows]


def differences(conn: psycopg.Connection[Any]) -> dict[str, tuple[int, int]]:
    with snapshot(conn) as look:
        return {kind: (at, events) for kind, at, events in checkpoints.differences(look)}


def test_an_empty_log_has_an_empty_tree(conn: psycopg.Connection[Any], fold_all: FoldAll) -> None:
    fold_all()
    found = tree.head(conn)
    assert (found.position, found.size, found.root) == (0, 0, EMPTY_ROOT.hex())
    with pytest.raises(UnknownPositionError):
        tree.inclusion(conn, 1)


def test_the_tree_is_that_of_the_rows_and_proves_each(
    pg: Database, conn: psycopg.Connection[Any], fold_all: FoldAll
) -> None:
    end = record(pg, night(3, 2, 40))
    with psycopg.connect(pg.superuser_url) as master:  # a save that failed leaves a gap
        master.execute("SELECT nextval(pg_get_serial_sequence('pitclerk_events', 'notification_id'))")
    more = Log()
    more.versions["table/T98"] = 0
    Table(more, "T98").buy_in(500)
    end = record(pg, more)
    fold_all()
    rows = stored(conn)
    assert end > len(rows), "there is a gap"
    found = tree.head(conn)
    root = root_of(leaf for _, leaf in rows)
    assert (found.position, found.size, found.root) == (end, len(rows), root.hex())
    assert differences(conn) == {}
    dice = random.Random(1)
    for index in [0, len(rows) - 1, len(rows) - 2, *dice.sample(range(len(rows)), 20)]:
        position, leaf = rows[index]
        size = dice.randint(index + 1, len(rows))
        proof = tree.inclusion(conn, position, size)
        assert (proof.index, proof.leaf, proof.position) == (index, leaf.hex(), position)
        of_size = root_of(one for _, one in rows[:size])
        verify_inclusion(leaf, index, size, [bytes.fromhex(step) for step in proof.path], of_size)
        steps = tree.consistency(conn, size, len(rows))
        verify_consistency(size, len(rows), of_size, root, [bytes.fromhex(step) for step in steps.path])
    with pytest.raises(UnknownPositionError):
        tree.inclusion(conn, rows[-2 - len(more.events)][0] + 10_000)
    gap = next(p for p in range(1, end) if p not in {position for position, _ in rows})
    with pytest.raises(UnknownPositionError):
        tree.inclusion(conn, gap)
    with pytest.raises(NoSuchTreeError):
        tree.inclusion(conn, rows[5][0], 5)


def test_batches_and_new_beginnings_make_no_difference(pg: Database, conn: psycopg.Connection[Any]) -> None:
    record(pg, night(4, 2, 30))
    found = []
    for size in (1, 33, 1000):
        for name in (*Seal.tables, "positions"):
            conn.execute(f"TRUNCATE views.{name}".encode())
        step = True
        while step:  # a new process for every few batches
            advancer = Advancer(conn, [Seal()])
            advancer.open()
            for _ in range(40):
                for member in advancer.members:
                    member.limit = size
                step = advancer.step()
        found.append([rows_of(conn, name) for name in Seal.tables])
    assert found[0] == found[1] == found[2]
    assert found[0][0] != []


def test_a_row_changed_before_it_was_folded_is_noticed(
    pg: Database, conn: psycopg.Connection[Any], fold_all: FoldAll
) -> None:
    record(pg, night(5, 1, 10))
    with psycopg.connect(pg.superuser_url) as master:
        master.execute("ALTER TABLE pitclerk_events DISABLE TRIGGER ALL")
        master.execute("ALTER TABLE pitclerk_chain DISABLE TRIGGER ALL")
        master.execute("UPDATE pitclerk_events SET state = state || ' ' WHERE notification_id IN (7, 9, 20)")
        master.execute("UPDATE pitclerk_events SET recorded_at = 'infinity' WHERE notification_id = 12")
        master.execute("DELETE FROM pitclerk_chain WHERE position IN (15, 16)")
    advancer = fold_all()
    assert all(member.error is None for member in advancer.members), "noticed, not stopped at"
    assert differences(conn) == {DIFFERS: (7, 4), NO_CHAIN: (15, 2)}


def test_closes_are_where_a_checkpoint_is_due(pg: Database, conn: psycopg.Connection[Any], fold_all: FoldAll) -> None:
    log = Log()
    for number in range(1, 4):
        table = Table(log, "T01", number=number)
        table.buy_in(500)
        closer = table.close()
        released = SessionReleased(
            table="T01", session=table.stream.removeprefix("table/"), closer=(), closer_total=closer
        )
        log.add("table/T01", released)
    record(pg, log, 1000)
    fold_all()
    due = checkpoints.due(conn, after=-1, limit=10)
    assert [one.size for one in due] == [4, 8, 12]
    assert [one.position for one in due] == [4, 8, 12]
    assert due[0].session == "T01/2026-03-14/1"
    assert [one.size for one in checkpoints.due(conn, after=4, limit=1)] == [8]
