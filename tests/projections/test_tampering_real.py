"""The same campaign, smaller, on a real server: its master changes the tables themselves, the triggers off."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from eventsourcing.persistence import StoredEvent

from api.cli.verify import as_document
from api.seals import keys
from api.seals.issue import issue
from api.seals.keys import SigningKey, check
from domain.merkle import root_of
from domain.note import Note, checkpoint, signers
from domain.tiles import Grower
from projections.catch_up import run_until
from projections.connect import connector
from projections.reads import checkpoints
from projections.reads.snapshot import snapshot
from projections.reads.tree import LogDiffersError, Tree
from projections.verify import leaf_of
from projections.verify_seals import HOLDS, sealed, verify_with_seals
from tests.databases import Database, Databases
from tests.projections import tampering
from tests.projections.logs import night
from tests.projections.tampering import CHANGES, Attacker, Evidence, bounds, stored_time

EVERY = 100
TIMES = int(os.environ.get("PITCLERK_TAMPERINGS_ON_A_SERVER", "8"))
"""Tamperings by each of the four attackers; each writes the whole log anew, twice."""

UNLOCK = """
ALTER TABLE pitclerk_events DISABLE TRIGGER ALL;
ALTER TABLE pitclerk_chain DISABLE TRIGGER ALL;
ALTER TABLE pitclerk_events DROP CONSTRAINT pitclerk_events_pkey, DROP CONSTRAINT pitclerk_events_version_check"""

ROWS = "SELECT notification_id, originator_id, originator_version, topic, state, timestamptz_send(recorded_at)"


@dataclass(frozen=True)
class House:
    """A recorded and sealed log."""

    database: Database
    key: SigningKey
    log: Evidence

    def signed(self, note: Note) -> bool:
        return bool(signers(note, [self.key.verifier], check))


@pytest.fixture(scope="module")
def house(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with databases.fresh() as database:
        with database.recorder() as recorder:
            rows = night(6, 2, 24).rows
            for at in range(0, len(rows), 40):
                recorder.insert_events([StoredEvent(s, v, t, state) for s, v, t, state, _ in rows[at : at + 40]])
        key = keys.obtain(tmp_path_factory.mktemp("home") / "checkpoint.key", "pitclerk/main")
        run_until(database.url)
        with connector(database.url)() as conn:
            for size in range(EVERY, len(rows), EVERY):
                issue(conn, key, "main", size=size)
            issue(conn, key, "main")
        with psycopg.connect(database.superuser_url, autocommit=True) as conn:
            conn.execute(UNLOCK)
        yield House(database, key, read(database))


def read(database: Database) -> Evidence:
    with psycopg.connect(database.url) as conn:
        rows: Any = conn.execute(f"{ROWS} FROM pitclerk_events ORDER BY notification_id").fetchall()
        links: Any = conn.execute("SELECT position, leaf, link FROM pitclerk_chain ORDER BY position").fetchall()
        return Evidence(rows, links, list(sealed(conn)), list(checkpoints.every(conn)))


def write(conn: psycopg.Connection[Any], found: Evidence) -> None:
    """Make the tables say what an attacker wants them to."""
    conn.execute("TRUNCATE pitclerk_events, pitclerk_chain, views.seal_tiles")
    epoch = int.from_bytes(stored_time(0), "big", signed=True)
    with conn.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO pitclerk_events"
            " (notification_id, originator_id, originator_version, topic, state, recorded_at)"
            " OVERRIDING SYSTEM VALUE VALUES (%s, %s, %s, %s, %s, to_timestamp(0) + %s)",
            [
                (*row[:5], timedelta(microseconds=int.from_bytes(row[5], "big", signed=True) - epoch))
                for row in found.rows
            ],
        )
        cursor.executemany("INSERT INTO pitclerk_chain VALUES (%s, %s, %s)", found.links)
        tiles = Grower().append([leaf for _, leaf in found.sealed], [position for position, _ in found.sealed])
        cursor.executemany(
            "INSERT INTO views.seal_tiles VALUES (%s, %s, %s, %s, %s)",
            [(*tile.key, tile.hashes, tile.positions, tile.position(0) if tile.positions else None) for tile in tiles],
        )


def test_what_was_recorded_is_good(house: House) -> None:
    with psycopg.connect(house.database.url) as conn:
        found = verify_with_seals(conn, signed=house.signed)
    assert found.ok
    assert (found.first_bad, found.seals.held) == (None, len(house.log.kept))
    assert [one.state for one in found.seals.judged] == [HOLDS]
    assert house.log.kept[-1].root == root_of(map(leaf_of, house.log.rows))
    assert as_document(found)["seals"]["judged"][0]["size"] == len(house.log.rows)


@pytest.mark.parametrize("attacker", [tampering.plain, tampering.tidy, tampering.clever, tampering.cleverer])
def test_every_change_on_the_server_is_found(house: House, attacker: Attacker) -> None:
    dice = random.Random(f"{attacker.__name__} 2")
    done_so_far = 0
    while done_so_far < TIMES:
        done = dice.choice(CHANGES)(dice, house.log)
        if done.what in ("null", "no time") or done.first > house.log.rows[-1][0]:
            continue
        done_so_far += 1
        with psycopg.connect(house.database.superuser_url) as conn, psycopg.connect(house.database.url) as reader:
            write(conn, attacker(dice, house.log, done))
            conn.commit()
            found = verify_with_seals(reader, signed=house.signed)
            write(conn, house.log)
        assert not found.ok, done.what
        assert found.first_bad is not None, done.what
        if attacker is tampering.cleverer:
            after, upto = bounds(house.log, done)
            assert after <= found.first_bad <= upto, done.what
        else:
            assert done.first <= found.first_bad <= done.last, done.what
            assert found.last_bad == found.first_bad, done.what
    with psycopg.connect(house.database.url) as conn:
        assert verify_with_seals(conn, signed=house.signed).ok, "all is as it was again"


def test_a_shortened_log_is_not_signed(pg: Database, tmp_path: Path) -> None:
    """The end is cut off, its chain too, and the stored tree made anew: only the checkpoint remembers."""
    with pg.recorder() as recorder:
        recorder.insert_events([StoredEvent(s, v, t, state) for s, v, t, state, _ in night(7, 1, 3).rows])
    key = keys.obtain(tmp_path / "checkpoint.key", "pitclerk/main")
    run_until(pg.url)
    with connector(pg.url)() as conn:
        kept = issue(conn, key, "main")
        assert issue(conn, key, "main") == kept, "one checkpoint a size"
        with psycopg.connect(pg.superuser_url) as master:
            master.execute(UNLOCK)
            master.execute("DELETE FROM pitclerk_events WHERE notification_id > %s", (kept.size - 4,))
            master.execute("DELETE FROM pitclerk_chain WHERE position > %s", (kept.size - 4,))
            master.execute("TRUNCATE views.seal_tiles, views.seal_closes, views.seal_differences")
            master.execute("UPDATE views.positions SET at = 0 WHERE name = 'seal'")
            master.execute("UPDATE views.positions SET at = %s WHERE name <> 'seal'", (kept.size - 4,))
        run_until(pg.url)
        with snapshot(conn) as look:
            assert Tree(look).size == kept.size - 4
        with pytest.raises(LogDiffersError, match=f"{kept.size} were signed for"):
            issue(conn, key, "main")
    with psycopg.connect(pg.url) as conn:
        found = verify_with_seals(conn)
    assert (found.ok, found.first_bad, found.last_bad) == (False, 1, kept.position)
    assert checkpoint(kept.note.text).size == kept.size
