"""A lost connection never makes a save look failed that was recorded, nor recorded that was not."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from domain.recorder import AlreadyAnswered, CasinoRecorder, LockedLog, Save, StoreUnavailable, Unknown
from tests.databases import Database
from tests.store.rows import answer, answering, chain_rows, events, log
from tests.store.severed import Severing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from eventsourcing.persistence import StoredEvent


@contextmanager
def severed(pg: Database, *, deliver: bool) -> Iterator[CasinoRecorder]:
    """Yield a recorder whose next COMMIT is cut."""
    with (
        tempfile.TemporaryDirectory(prefix="cut-", dir="/tmp") as directory,
        Severing(pg.url, Path(directory), deliver=deliver) as proxy,
        Database(proxy.url, pg.superuser_url).recorder() as recorder,
    ):
        proxy.armed = True
        yield recorder
        assert proxy.cut.is_set()


def test_an_answer_lost_after_commit_is_unknown_and_then_found(pg: Database) -> None:
    with severed(pg, deliver=True) as recorder, pytest.raises(Unknown):
        recorder.save(events(), answering("ann", "k1", b"paid"))
    with pg.recorder() as recorder:
        kept = recorder.find_answer("ann", "k1", settled=True)
        assert kept is not None
        assert kept.answer == b"paid"
        with pytest.raises(AlreadyAnswered) as caught:  # trying again with the key is just as safe
            recorder.save(events(), answering("ann", "k1", b"paid again"))
    assert caught.value.row == kept
    assert [row[0] for row in log(pg.url)] == [row[0] for row in chain_rows(pg.url)]
    assert len(log(pg.url)) == 3


def test_a_commit_lost_on_its_way_is_unknown_and_then_absent(pg: Database) -> None:
    with severed(pg, deliver=False) as recorder, pytest.raises(Unknown):
        recorder.save(events(), answering("ann", "k1"))
    with pg.recorder() as recorder:
        assert recorder.find_answer("ann", "k1", settled=True) is None
        recorder.save(events(), answering("ann", "k1"))
    assert len(log(pg.url)) == 3


def test_a_connection_lost_before_commit_is_a_plain_failure(pg: Database) -> None:
    def kill(locked: LockedLog) -> Sequence[StoredEvent]:
        ((pid,),) = locked.query("SELECT pg_backend_pid()")
        with psycopg.connect(pg.superuser_url) as admin:
            assert admin.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,)).fetchone() == (True,)
        return events()

    with pg.recorder() as recorder:
        with pytest.raises(StoreUnavailable):
            recorder.save(events(), Save(identity="ann", key="k1", finish=kill, answer=answer("ann", "k1")))
        assert recorder.find_answer("ann", "k1", settled=True) is None
        recorder.save(events(), answering("ann", "k1"))  # the pool has replaced the connection
    assert len(log(pg.url)) == 3


def test_a_save_cancelled_by_the_server_is_a_plain_failure(pg: Database) -> None:
    def slow(locked: LockedLog) -> Sequence[StoredEvent]:
        locked.query("SELECT set_config('statement_timeout', '50', true)")
        locked.query("SELECT pg_sleep(10)")
        return events()

    with pg.recorder(lock_timeout_s=1) as recorder:
        with pytest.raises(StoreUnavailable):
            recorder.save(events(), Save(finish=slow))
        recorder.insert_events(events())
    assert len(log(pg.url)) == 3
