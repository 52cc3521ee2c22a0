"""One save: what it records, in which order, and what keeps it from recording."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import psycopg
import pytest
from eventsourcing.persistence import StoredEvent

from domain import chain
from domain.recorder import (
    JACKPOT_TOPICS,
    AlreadyAnswered,
    LockedLog,
    LockTimeout,
    Save,
    StaleVersion,
    StoreRefused,
    StoreUnavailable,
)
from domain.store import statements
from tests.store.rows import STREAM, answer, answering, chain_rows, events, log

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.databases import Database


def test_a_plain_insert_records_events_and_their_chain(pg: Database) -> None:
    with pg.recorder() as recorder:
        positions = recorder.insert_events(events(count=3))
        later = recorder.insert_events(events(first=4, count=2))
    rows, links = log(pg.url), chain_rows(pg.url)
    assert [row[0] for row in rows] == [*positions, *later]
    link = chain.GENESIS
    for row, (position, leaf, stored_link) in zip(rows, links, strict=True):
        assert position == row[0]
        assert leaf == chain.leaf_hash(chain.leaf_bytes(*row))
        link = chain.link(link, leaf)
        assert stored_link == link


def test_an_empty_save_records_nothing(pg: Database) -> None:
    with pg.recorder() as recorder:
        assert recorder.insert_events([]) == []
    assert log(pg.url) == []


def test_the_library_reads_what_was_saved(pg: Database) -> None:
    with pg.recorder() as recorder:
        recorder.insert_events(events(count=3))
        assert list(recorder.select_events(STREAM, gt=1)) == events(first=2, count=2)
        assert [n.originator_version for n in recorder.select_notifications(start=1, limit=10)] == [1, 2, 3]
        assert recorder.max_notification_id() == log(pg.url)[-1][0]


def test_commit_order_is_position_order_with_eight_writers(pg: Database) -> None:
    """A reader that has seen position N must never later find a new one below N."""
    seen: list[int] = []
    done = threading.Event()

    def tail() -> None:
        with psycopg.connect(pg.url, autocommit=True) as conn:
            last_look = False
            while not last_look:
                last_look = done.is_set()
                seen.extend(row[0] for row in conn.execute(
                    "SELECT notification_id FROM pitclerk_events WHERE notification_id > %s ORDER BY 1",
                    (seen[-1] if seen else 0,),
                ))  # fmt: skip

    with pg.recorder(pool_size=8) as recorder, ThreadPoolExecutor(9) as pool:
        reader = pool.submit(tail)

        def write(writer: int) -> None:
            for first in range(1, 61, 3):
                recorder.insert_events(events(f"table/{writer}/2026-03-14/1", first))

        list(pool.map(write, range(8)))
        done.set()
        reader.result(timeout=30)
    assert seen == [row[0] for row in log(pg.url)]
    assert len(seen) == 8 * 60


def test_recorded_at_never_decreases_and_is_one_for_a_save(pg: Database) -> None:
    with pg.recorder(pool_size=4) as recorder, ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: recorder.insert_events(events(f"table/{n}/2026-03-14/1", count=4)), range(20)))
    times = [row[5] for row in log(pg.url)]
    assert times == sorted(times)
    assert all(len(set(times[start : start + 4])) == 1 for start in range(0, len(times), 4))


def test_recorded_at_does_not_go_back_with_the_clock(pg: Database) -> None:
    with psycopg.connect(pg.superuser_url) as conn:
        conn.execute("INSERT INTO pitclerk_events VALUES ('house', 1, 'x', '', '2999-01-01T00:00:00Z')")
    with pg.recorder() as recorder:
        recorder.insert_events(events(count=1))
    times = [row[5] for row in log(pg.url)]
    assert times[0] == times[1]


def test_the_announcement_carries_the_last_position(pg: Database) -> None:
    with psycopg.connect(pg.url, autocommit=True) as listener, pg.recorder() as recorder:
        listener.execute(f"LISTEN {statements.CHANNEL}")
        positions = recorder.insert_events(events())
        heard = list(listener.notifies(timeout=5, stop_after=1))
    assert [notice.payload for notice in heard] == [str(positions[-1])]


class TestVersions:
    def test_an_occupied_version_is_stale(self, pg: Database) -> None:
        with pg.recorder() as recorder:
            recorder.insert_events(events(count=3))
            with pytest.raises(StaleVersion) as caught:
                recorder.insert_events(events(first=3, count=2))
        assert (caught.value.stream, caught.value.expected, caught.value.found) == (STREAM, 2, 3)
        assert len(log(pg.url)) == 3

    def test_a_skipped_version_is_refused(self, pg: Database) -> None:
        with pg.recorder() as recorder, pytest.raises(StaleVersion) as caught:
            recorder.insert_events(events(first=2))
        assert (caught.value.expected, caught.value.found) == (1, 0)

    def test_a_stream_that_was_read_must_not_have_moved(self, pg: Database) -> None:
        with pg.recorder() as recorder:
            recorder.insert_events(events("house", count=2))
            recorder.insert_events(events(), save=Save(versions={"house": 2, "staff/ann": 0}))
            with pytest.raises(StaleVersion) as caught:
                recorder.insert_events(events(first=4), save=Save(versions={"house": 1}))
            assert (caught.value.stream, caught.value.expected, caught.value.found) == ("house", 1, 2)
            with pytest.raises(StaleVersion):
                recorder.insert_events(events(first=4), save=Save(versions={"house": 0}))
        assert len(log(pg.url)) == 5

    def test_of_two_deciders_one_is_told(self, pg: Database) -> None:
        outcomes: list[str] = []

        def write(_: int) -> None:
            try:
                recorder.insert_events(events(count=1))
                outcomes.append("recorded")
            except StaleVersion:
                outcomes.append("stale")

        with pg.recorder(pool_size=6) as recorder, ThreadPoolExecutor(6) as pool:
            list(pool.map(write, range(6)))
        assert sorted(outcomes) == ["recorded"] + ["stale"] * 5

    def test_a_row_written_past_the_lock_is_still_stale(self, pg: Database) -> None:
        """Between looking and inserting only one who ignores the lock can take the version; the primary key notices."""

        def intrude(_: LockedLog) -> Sequence[StoredEvent]:
            with psycopg.connect(pg.superuser_url) as conn:
                conn.execute("INSERT INTO pitclerk_events VALUES (%s, 1, 'x', '', now())", (STREAM,))
            return events()

        with pg.recorder() as recorder, pytest.raises(StaleVersion) as caught:
            recorder.insert_events(events(), save=Save(finish=intrude))
        assert caught.value.stream == STREAM


class TestAnswers:
    def test_the_answer_is_kept_with_the_events(self, pg: Database) -> None:
        with pg.recorder() as recorder:
            saved = recorder.save(events(), answering("ann", "k1", b'{"round":"r1"}'))
            kept = recorder.find_answer("ann", "k1")
            assert recorder.find_answer("bob", "k1") is None
            assert recorder.find_answer("ann", "k2", settled=True) is None
        assert kept == saved.answer
        assert kept is not None
        assert kept.answer == b'{"round":"r1"}'
        assert kept.position == saved.placed[-1].position

    def test_one_key_saves_once_from_many_threads(self, pg: Database) -> None:
        def write(n: int) -> str:
            try:
                recorder.save(events(f"table/{n}/2026-03-14/1"), answering("ann", "k1", str(n).encode()))
            except AlreadyAnswered as error:
                return f"told {error.row.answer.decode()}"
            return f"saved {n}"

        with pg.recorder(pool_size=6) as recorder, ThreadPoolExecutor(6) as pool:
            outcomes = list(pool.map(write, range(6)))
        (winner,) = [outcome.split()[1] for outcome in outcomes if outcome.startswith("saved")]
        assert sorted(outcomes) == sorted([f"saved {winner}"] + [f"told {winner}"] * 5)
        assert len(log(pg.url)) == 3

    def test_a_repeated_key_is_noticed_before_its_stale_versions(self, pg: Database) -> None:
        """A client that repeats a request repeats its versions too: it must be told its answer, not a conflict."""
        with pg.recorder() as recorder:
            recorder.save(events(), answering("ann", "k1"))
            with pytest.raises(AlreadyAnswered):
                recorder.save(events(), answering("ann", "k1"))

    def test_a_refused_save_keeps_no_key(self, pg: Database) -> None:
        with pg.recorder() as recorder:
            with pytest.raises(StaleVersion):
                recorder.save(events(first=9), answering("ann", "k1"))
            assert recorder.find_answer("ann", "k1") is None
            recorder.save(events(), answering("ann", "k1"))

    def test_an_answer_written_past_the_lock_is_told_all_the_same(self, pg: Database) -> None:
        def intrude(_: LockedLog) -> Sequence[StoredEvent]:
            with psycopg.connect(pg.superuser_url) as conn:
                conn.execute("INSERT INTO pitclerk_answers VALUES ('ann', 'k1', '', 201, 'theirs', 7, now())")
            return events()

        with pg.recorder() as recorder, pytest.raises(AlreadyAnswered) as caught:
            recorder.save(events(), Save(identity="ann", key="k1", finish=intrude, answer=answer("ann", "k1")))
        assert caught.value.row.answer == b"theirs"
        assert log(pg.url) == []

    def test_an_answer_needs_a_key(self) -> None:
        with pytest.raises(ValueError, match="identity and a key"):
            Save(answer=answer("ann", "k1"))
        with pytest.raises(ValueError, match="identity and a key"):
            Save(identity="ann")


class TestFinish:
    def test_events_are_finished_under_the_lock(self, pg: Database) -> None:
        def finish(locked: LockedLog) -> Sequence[StoredEvent]:
            assert locked.head() == head
            contributions = list(locked.events_after(0, JACKPOT_TOPICS))
            assert [row.version for row in contributions] == [4, 5]
            assert [row.topic for row in locked.events_after(contributions[0].position)] == [
                "table.jackpot_contributed"
            ]
            assert locked.query("SELECT count(*) FROM pitclerk_events WHERE originator_id = %s", (STREAM,)) == [(5,)]
            return [*events(first=6, count=1), *events("progressive/MEGA", count=1)]

        with pg.recorder() as recorder:
            recorder.insert_events(events(count=3))
            head = recorder.insert_events(events(first=4, count=2, topic="table.jackpot_contributed"))[-1]
            saved = recorder.save(events(first=6, count=5), Save(finish=finish))
        assert [(placed.stream, placed.version) for placed in saved.placed] == [(STREAM, 6), ("progressive/MEGA", 1)]

    def test_long_tails_are_read_in_pages(self, pg: Database) -> None:
        with pg.recorder() as recorder:
            recorder.insert_events(events(count=2500))
            found: list[int] = []

            def finish(locked: LockedLog) -> Sequence[StoredEvent]:
                found.extend(row.version for row in locked.events_after(0))
                return []

            recorder.save([], Save(finish=finish))
        assert found == list(range(1, 2501))

    def test_the_jackpot_tail_is_read_through_its_index(self, pg: Database) -> None:
        plans: list[str] = []

        def finish(locked: LockedLog) -> Sequence[StoredEvent]:
            condition = " OR ".join(f"topic LIKE '{pattern}'" for pattern in JACKPOT_TOPICS)
            rows = locked.query(
                f"EXPLAIN SELECT state FROM pitclerk_events WHERE notification_id > 1 AND ({condition}) "
                "ORDER BY notification_id LIMIT 1000".encode()
            )
            plans.append("\n".join(row[0] for row in rows))
            return []

        with pg.recorder() as recorder:
            recorder.insert_events(events(count=2000))
            recorder.save([], Save(finish=finish))
        assert "pitclerk_events_jackpot_idx" in plans[0]

    def test_an_error_in_finish_passes_through_and_undoes_the_save(self, pg: Database) -> None:
        def finish(_: LockedLog) -> Sequence[StoredEvent]:
            raise LookupError("no such table")

        with pg.recorder(lock_timeout_s=1) as recorder:
            with pytest.raises(LookupError, match="no such table"):
                recorder.save(events(), Save(finish=finish))
            recorder.insert_events(events())  # the lock has fallen
        assert len(log(pg.url)) == 3


class TestTimeouts:
    def test_the_lock_is_waited_for_as_long_as_asked(self, pg: Database) -> None:
        with psycopg.connect(pg.url) as holder, pg.recorder(lock_timeout_s=1) as recorder:
            holder.execute("SELECT pg_advisory_xact_lock(%s)", (statements.COMMIT_LOCK,))
            started = time.monotonic()
            with pytest.raises(LockTimeout):
                recorder.insert_events(events())
            waited = time.monotonic() - started
            with pytest.raises(LockTimeout):
                recorder.find_answer("ann", "k1", settled=True)
            assert recorder.find_answer("ann", "k1") is None
            holder.rollback()
            recorder.insert_events(events())
        assert 0.9 < waited < 3

    def test_a_server_that_is_not_there_is_named(self, pg: Database) -> None:
        with pg.recorder(pool_timeout_s=1) as recorder:
            recorder.insert_events(events())
            recorder.datastore.pool.kwargs["host"] = "/nonexistent"  # type: ignore[index]
            with psycopg.connect(pg.superuser_url, autocommit=True) as admin:
                admin.execute(
                    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                    " WHERE usename = 'pitclerk_service' AND datname = current_database()"
                )
            started = time.monotonic()
            for action in (
                lambda: recorder.insert_events(events(first=4)),
                lambda: recorder.select_events(STREAM),
                recorder.max_notification_id,
                lambda: recorder.find_answer("ann", "k1"),
            ):
                with pytest.raises(StoreUnavailable):
                    action()
        assert time.monotonic() - started < 20

    def test_what_the_database_refuses_for_good_is_named(self, pg: Database) -> None:
        with pg.recorder() as recorder:
            with pytest.raises(StoreRefused):
                recorder.insert_events([StoredEvent(STREAM, 1, "nul\0in topic", b"")])
            recorder.insert_events(events())
