"""The runner: wakes, leads or stands by, survives killed backends, stops loudly and stops clean."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from structlog.testing import capture_logs

from domain.store.statements import CHANNEL
from projections import runner as runners
from projections.advance import CHANNEL as VIEWS_CHANNEL
from projections.advance import Advancer
from projections.catalog import all_projections
from projections.catch_up import StalledError, run_until
from projections.connect import Connect, connector
from projections.lag import lag
from projections.log_reader import head
from projections.runner import LEADING, LOG_CHANNEL, STANDBY, STOPPED, RunnerThread
from tests.databases import Database
from tests.projections.conftest import FoldAll
from tests.projections.logs import INSERT, START, Log, Pool, Table, night
from tests.projections.rows import everything
from tests.projections.waiting import until

QUIET = 60.0  # a poll so slow that only notifications can wake


@contextmanager
def running(connect: str | Connect, **options: Any) -> Iterator[RunnerThread]:
    thread = RunnerThread(connect, **options).start()
    try:
        yield thread
    finally:
        assert thread.stop(5), "the runner stops"


def _at(conn: psycopg.Connection[Any]) -> int:
    rows = conn.execute("SELECT at FROM views.positions").fetchall()
    return min((at for (at,) in rows), default=0) if len(rows) == len(all_projections()) else 0


def _compare_with_one_fold(conn: psycopg.Connection[Any], fold_all: FoldAll) -> None:
    found = everything(conn)
    for name in {t for p in all_projections() for t in p.tables} | {"positions"}:
        conn.execute(f"TRUNCATE views.{name}")
    fold_all()
    assert everything(conn) == found


def test_the_recorder_announces_on_the_channel_that_wakes_us() -> None:
    assert LOG_CHANNEL == CHANNEL


def test_a_notification_wakes_the_runner_at_once(pg: Database, conn: psycopg.Connection[Any]) -> None:
    log = Log()
    table = Table(log)
    with running(pg.url, poll_s=QUIET) as thread:
        until(lambda: thread.state == LEADING)
        for _ in range(50):
            table.buy_in(100)
            began = time.monotonic()
            end = log.write(conn, CHANNEL)
            until(lambda end=end: _at(conn) >= end)  # type: ignore[misc]
            assert time.monotonic() - began < QUIET / 4


def test_the_poll_finds_what_no_notification_told(pg: Database, conn: psycopg.Connection[Any]) -> None:
    log = Log()
    table = Table(log)
    with running(pg.url, poll_s=0.05):
        for _ in range(5):
            table.buy_in(100)
            end = log.write(conn)
            until(lambda end=end: _at(conn) >= end)  # type: ignore[misc]


def test_an_event_between_listen_and_the_first_look_is_seen(pg: Database, conn: psycopg.Connection[Any]) -> None:
    """Committed and announced before LISTEN, after the runner has connected: the look after LISTEN finds it."""
    log = Log()
    Table(log).buy_in(100)

    class Late:
        """A connection that records an event just before it begins to listen."""

        def __init__(self) -> None:
            self.conn = connector(pg.url)()
            self.done = threading.Event()
            execute = self.conn.execute

            def spy(query: Any, *args: Any, **kwargs: Any) -> Any:
                if isinstance(query, str) and query.startswith("LISTEN"):
                    log.write(conn, CHANNEL)
                    self.done.set()
                return execute(query, *args, **kwargs)

            self.conn.execute = spy  # type: ignore[method-assign]

    late = Late()
    with running(lambda: late.conn, poll_s=QUIET):
        until(late.done.is_set)
        until(lambda: _at(conn) == head(conn) > 0)


def test_the_position_is_announced_after_each_commit(pg: Database, conn: psycopg.Connection[Any]) -> None:
    end = night(1, 2, 10).write(conn)
    conn.execute(f"LISTEN {VIEWS_CHANNEL}")
    with running(pg.url):
        heard: list[int] = []
        for notify in conn.notifies(timeout=20):
            heard.append(int(notify.payload))
            if heard[-1] == end:
                break
    assert heard == sorted(heard)
    assert heard[-1] == end


def test_killed_backends_cost_nothing_and_double_nothing(
    pg: Database, conn: psycopg.Connection[Any], fold_all: FoldAll
) -> None:
    dice = random.Random(2)
    log = Log()
    pool, floor = Pool(log), [Table(log, name) for name in ("T1", "T2")]
    with running(pg.url, poll_s=0.05), psycopg.connect(pg.superuser_url, autocommit=True) as killer:
        for number in range(30):
            for table in floor:
                table.round(dice, 2, pool)
            log.write(conn, CHANNEL)
            if number % 3 == 0:
                killer.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND application_name = 'pitclerk projections' AND pid <> %s",
                    (conn.info.backend_pid,),
                )
        until(lambda: _at(conn) == head(conn))
    _compare_with_one_fold(conn, fold_all)


def test_runners_that_overlap_never_count_twice(
    pg: Database, conn: psycopg.Connection[Any], fold_all: FoldAll, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The leader's lock is for liveness only: without it two runners fold the same log, and the figures still hold."""
    monkeypatch.setattr(runners, "try_lead", lambda _conn: True)
    monkeypatch.setattr(Advancer, "_next_limit", lambda *_: 20)
    dice = random.Random(3)
    log = Log()
    pool, floor = Pool(log), [Table(log, name) for name in ("T1", "T2", "T3")]
    with capture_logs() as lines, running(pg.url, poll_s=0.01), running(pg.url, poll_s=0.01):
        for turn in range(600):  # until they have met: when that is, the machine decides
            for table in floor:
                table.round(dice, 2, pool)
            log.write(conn, CHANNEL)
            if turn >= 60 and any(line["event"] == "projections overtaken" for line in lines):
                break
        until(lambda: _at(conn) == head(conn))
    assert any(line["event"] == "projections overtaken" for line in lines), "they did overlap"
    _compare_with_one_fold(conn, fold_all)


def test_a_standby_takes_over(pg: Database, conn: psycopg.Connection[Any]) -> None:
    log = Log()
    table = Table(log)
    with running(pg.url) as first:
        until(lambda: first.state == LEADING)
        with running(pg.url, poll_s=0.05) as second:
            until(lambda: second.state == STANDBY)
            table.buy_in(100)
            end = log.write(conn, CHANNEL)
            until(lambda: _at(conn) == end)
            assert second.state == STANDBY
            assert first.stop()
            until(lambda: second.state == LEADING)
            table.buy_in(100)
            end = log.write(conn, CHANNEL)
            until(lambda: _at(conn) == end)


def test_it_stops_loudly_and_the_standby_tries_once(pg: Database, conn: psycopg.Connection[Any]) -> None:
    log = Log()
    table = Table(log)
    with running(pg.url) as first:
        until(lambda: first.state == LEADING)
        with running(pg.url, poll_s=0.05) as second:
            until(lambda: second.state == STANDBY)
            conn.execute(INSERT, ("table/T9/2026-03-14/1", 1, "table.unheard_of", b"{}", START))
            table.buy_in(1)
            log.write(conn, CHANNEL)
            until(lambda: first.state == second.state == STOPPED)
    states = lag(pg.url)["projections"]
    assert {row["state"] for row in states} == {"stopped"}
    assert all("table.unheard_of" in (row["error"] or "") for row in states)


def test_it_starts_before_the_server_and_outlives_its_absence(pg: Database, conn: psycopg.Connection[Any]) -> None:
    failing = threading.Event()
    failing.set()

    def connect() -> psycopg.Connection[Any]:
        if failing.is_set():
            raise psycopg.OperationalError("no server")
        return connector(pg.url)()

    log = Log()
    Table(log).buy_in(5)
    end = log.write(conn)
    with running(connect) as thread:
        until(lambda: thread.state == runners.RECONNECTING)
        failing.clear()
        until(lambda: _at(conn) == end)


def test_stopping_takes_no_time(pg: Database, conn: psycopg.Connection[Any]) -> None:
    night(1, 1, 3).write(conn)
    thread = RunnerThread(pg.url, poll_s=QUIET).start()
    until(lambda: thread.state == LEADING and _at(conn) > 0)
    began = time.monotonic()
    assert thread.stop()
    assert time.monotonic() - began < 1
    assert thread.state == STOPPED


def test_run_until_folds_itself_when_nobody_does(pg: Database, conn: psycopg.Connection[Any]) -> None:
    end = night(1, 2, 20).write(conn)
    assert run_until(pg.url) == end
    assert _at(conn) == end
    assert run_until(pg.url, 5) == end


def test_run_until_waits_for_who_leads(pg: Database, conn: psycopg.Connection[Any]) -> None:
    with running(pg.url, poll_s=0.05) as thread:
        until(lambda: thread.state == LEADING)
        end = night(1, 2, 20).write(conn)
        assert run_until(pg.url) == end


def test_run_until_gives_up_on_a_leader_that_does_not_move(pg: Database, conn: psycopg.Connection[Any]) -> None:
    night(1, 1, 2).write(conn)
    with connector(pg.url)() as idle:
        assert runners.try_lead(idle)
        with pytest.raises(StalledError, match="nothing has moved"):
            run_until(pg.url, stalled_s=0.2)


def test_run_until_says_what_stopped(pg: Database, conn: psycopg.Connection[Any]) -> None:
    conn.execute(INSERT, ("table/T9/2026-03-14/1", 1, "table.unheard_of", b"{}", START))
    with pytest.raises(StalledError, match=r"table\.unheard_of"):
        run_until(pg.url)


def test_lag_says_how_far_behind(pg: Database, conn: psycopg.Connection[Any], fold_all: FoldAll) -> None:
    log = night(1, 2, 20)
    end = log.write(conn)
    standing = lag(pg.url)
    assert standing["head"] == end
    assert {row["state"] for row in standing["projections"]} == {"behind"}
    assert {row["events_behind"] for row in standing["projections"]} == {len(log.events)}
    assert all(row["seconds_behind"] > 0 for row in standing["projections"])
    fold_all()
    after = lag(pg.url)["projections"]
    assert [(r["state"], r["events_behind"], r["seconds_behind"]) for r in after] == [("current", 0, 0.0)] * len(after)
    assert {row["name"] for row in after} == {p.name for p in all_projections()}
