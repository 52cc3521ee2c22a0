"""Writers go on while the server is killed under them; afterwards every outcome they were told must be the truth."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import time
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from eventsourcing.persistence import InfrastructureFactory
from eventsourcing.utils import Environment

from deploy.embedded import EmbeddedServer
from domain.recorder import CasinoRecorder, StoreError, Unknown
from domain.store.connection import environment
from projections.verify import verify
from tests.crash.clients import postmaster, runs, wait_until
from tests.store.rows import STREAM, answering, events

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.crash

WRITERS = 4
KILLS = 3


@pytest.fixture
def server() -> Iterator[EmbeddedServer]:
    with tempfile.TemporaryDirectory(prefix="crash-", dir="/tmp") as home, EmbeddedServer(Path(home)) as running:
        yield running


@contextmanager
def recording(server: EmbeddedServer) -> Iterator[CasinoRecorder]:
    settings = environment(server.database_url, pool_size=WRITERS, lock_timeout_s=2)
    with InfrastructureFactory.construct(Environment("pitclerk", settings)) as factory:
        recorder = factory.application_recorder()
        assert isinstance(recorder, CasinoRecorder)
        yield recorder


def kill(server: EmbeddedServer) -> None:
    home = Path(server.superuser_url.split("host=")[1].split("&")[0].replace("%2F", "/")).parent
    pid = postmaster(home)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not runs(pid), 10, "the killed postmaster is gone")


def test_outcomes_are_the_truth(server: EmbeddedServer) -> None:
    outcomes: dict[str, str] = {}
    progress = threading.Semaphore(0)
    over = threading.Event()

    def write(writer: int) -> None:
        version = 1
        stream = f"table/{writer}/2026-03-14/1"
        for attempt in range(100_000):
            if over.is_set():
                return
            key = f"{writer}-{attempt}"
            try:
                recorder.save(events(stream, version, count=2), answering("terminal", key))
                outcomes[key] = "recorded"
                version += 2
                progress.release()
            except Unknown:
                outcomes[key] = "unknown"
                version = 1 + len(patiently(recorder, stream))
            except StoreError:
                outcomes[key] = "failed"

    with recording(server) as recorder:
        threads = [threading.Thread(target=write, args=(writer,)) for writer in range(WRITERS)]
        for thread in threads:
            thread.start()
        for _ in range(KILLS):
            for _ in range(40):  # so many saves between two kills
                assert progress.acquire(timeout=30)
            kill(server)
            server.ensure_running()
        for _ in range(40):
            assert progress.acquire(timeout=30)
        over.set()
        for thread in threads:
            thread.join(60)
        check(server, recorder, outcomes)


def patiently(recorder: CasinoRecorder, stream: str) -> list[object]:
    """Read a stream while its server is being restarted."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return list(recorder.select_events(stream))
        except StoreError:
            assert time.monotonic() < deadline


def check(server: EmbeddedServer, recorder: CasinoRecorder, outcomes: dict[str, str]) -> None:
    """Compare what the writers were told with what is there."""
    kept = {key: recorder.find_answer("terminal", key, settled=True) is not None for key in outcomes}
    assert all(kept[key] for key, told in outcomes.items() if told == "recorded")
    assert not any(kept[key] for key, told in outcomes.items() if told == "failed")
    with psycopg.connect(server.database_url) as conn:
        result = verify(conn)
        versions = defaultdict(list)
        for stream, version in conn.execute(
            "SELECT originator_id, originator_version FROM pitclerk_events ORDER BY notification_id"
        ):
            versions[stream].append(version)
    assert result.ok
    assert result.events == 2 * sum(kept.values()), "every answer has its events, every event its answer"
    assert all(found == list(range(1, len(found) + 1)) for found in versions.values())


def test_a_pool_recovers_as_soon_as_the_server_does(server: EmbeddedServer) -> None:
    with recording(server) as recorder:
        recorder.save(events())
        kill(server)
        with pytest.raises(StoreError):
            save_on_and_on(recorder)
        assert server.ensure_running()
        started = time.monotonic()
        recorder.save(events(first=1 + len(recorder.select_events(STREAM))))
        assert time.monotonic() - started < 3


def save_on_and_on(recorder: CasinoRecorder) -> None:
    """Save until it fails: the last backends may outlive their postmaster by a moment."""
    while True:
        recorder.save(events(first=1 + len(recorder.select_events(STREAM)), count=1))
