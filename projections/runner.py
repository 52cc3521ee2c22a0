"""The one runner of all projections: leads or stands by, wakes when the log grows, survives lost connections.

A session advisory lock makes one process of many the leader. It is for liveness only (two folding at once would be
correct, and slow): a second process is a hot standby which tries for the lock every second and takes over when the
leader's connection ends. The lock, LISTEN and the folding share one connection, so a leader that lost its connection
has lost its lead and knows it.

Waking: LISTEN is set before the log is looked at, so an event committed in between is seen by the look or announced
after it; and a slow poll looks again in any case.
"""

from __future__ import annotations

import selectors
import socket
import threading
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
import structlog

from projections.advance import Advancer, OvertakenError
from projections.catalog import all_projections
from projections.connect import Connect, connector
from projections.fold import Projection
from projections.rebuild import Build, BuildStoppedError, RebuildBusyError, needs_build

log = structlog.get_logger(__name__)

LOG_CHANNEL = "pitclerk_events"
"""NOTIFY channel of the log's recorder (which the projections do not import; a test holds the two names together)."""

LEADER_LOCK = 7_046_029_254_386_353_140
"""The advisory lock of whoever runs the projections."""

POLL_S = 1.0
BACKOFF_FIRST_S = 0.1
BACKOFF_MOST_S = 2.0
STOP_S = 2.0

STARTING, LEADING, STANDBY, RECONNECTING, STOPPED = "starting", "leading", "standby", "reconnecting", "stopped"


class StopSignal:
    """Set once, from any thread; wakes a runner that waits for its socket."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._wake, self._woken = socket.socketpair()

    def set(self) -> None:
        if not self._event.is_set():
            self._event.set()
            self._wake.send(b"x")

    def is_set(self) -> bool:
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; True when set."""
        return self._event.wait(seconds)

    def fileno(self) -> int:
        return self._woken.fileno()

    def close(self) -> None:
        self._wake.close()
        self._woken.close()


class Runner:
    """Folds until stopped. connect: a connection string, or what opens a connection in autocommit mode."""

    def __init__(
        self,
        connect: str | Connect,
        projections: Callable[[], Sequence[Projection[Any]]] = all_projections,
        *,
        poll_s: float = POLL_S,
    ) -> None:
        self._connect = connector(connect) if isinstance(connect, str) else connect
        self._projections = projections
        self._poll_s = poll_s
        self.state = STARTING

    def run(self, stop: StopSignal) -> None:
        """Run until `stop` is set, or until every projection has stopped at an event it cannot take."""
        backoff = BACKOFF_FIRST_S
        while not stop.is_set():
            try:
                with self._connect() as conn:
                    backoff = BACKOFF_FIRST_S
                    if self._run_connected(conn, stop):
                        break
            except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                if stop.is_set():
                    break
                self.state = RECONNECTING
                log.warning("projections lost the database", error=str(error).strip(), retry_in_s=backoff)
                stop.wait(backoff)
                backoff = min(2 * backoff, BACKOFF_MOST_S)
        self.state = STOPPED

    def _run_connected(self, conn: psycopg.Connection[Any], stop: StopSignal) -> bool:
        """Stand by, then lead; True when there is no more to do at all."""
        self.state = STANDBY
        while not try_lead(conn):
            if stop.wait(self._poll_s):
                return True
        self.state = LEADING
        log.info("projections lead")
        lead = _Lead(conn, self._projections())
        conn.execute(f"LISTEN {LOG_CHANNEL}")
        ears = _Ears(conn, stop)
        try:
            lead.open()
            while not stop.is_set():
                folded = lead.step()
                if lead.idle:
                    log.error("all projections have stopped")
                    break
                if not folded:
                    ears.wait(self._poll_s)
        finally:
            ears.close()
            release(conn)
        return True


class _Lead:
    """The projections of whoever leads: those in use, and those whose new version is built beside the old one."""

    def __init__(self, conn: psycopg.Connection[Any], projections: Sequence[Projection[Any]]) -> None:
        self._conn = conn
        self._new = [p for p in projections if needs_build(conn, p)]
        self._advancer = Advancer(conn, [p for p in projections if p not in self._new])
        self._build: Build | None = None

    def open(self) -> None:
        self._advancer.open()

    @property
    def idle(self) -> bool:
        """Nothing moves any more, and nothing is being built."""
        return not self._advancer.moving and not self._new

    def step(self) -> bool:
        """One batch for the views in use, one for the build if there is one; whether anything was folded."""
        try:
            folded = self._advancer.step()
        except OvertakenError as error:
            log.warning("projections overtaken", cause=str(error))
            self._advancer.open()
            return True
        return self._step_build() or folded

    def _step_build(self) -> bool:
        """Builds go one after the other: there is one set of build tables."""
        if not self._new:
            return False
        if self._build is None:
            build = Build(self._conn, [self._new[0]])
            try:
                build.begin()
            except RebuildBusyError:
                return False  # somebody rebuilds by hand: look again after the next wait
            self._build = build
            log.info("projection builds beside", projection=self._new[0].name, version=self._new[0].version)
        try:
            if self._build.step():
                return True
            self._build.swap()
        except BuildStoppedError as error:
            log.error("projection cannot be built", error=str(error))  # the old version stays in use
        else:
            self._advancer.adopt(self._new[0])
            log.info("projection swapped in", projection=self._new[0].name, version=self._new[0].version)
        self._build.release()
        self._build = None
        del self._new[0]
        return True


def try_lead(conn: psycopg.Connection[Any]) -> bool:
    """Take the leader's lock for this connection if it is free."""
    row = conn.execute("SELECT pg_try_advisory_lock(%s)", (LEADER_LOCK,)).fetchone()
    assert row is not None
    return bool(row[0])


def release(conn: psycopg.Connection[Any]) -> None:
    """Give the leader's lock back, if the connection still lives."""
    if conn.closed or conn.broken:
        return
    try:
        conn.execute("SELECT pg_advisory_unlock(%s)", (LEADER_LOCK,))
    except psycopg.Error:
        conn.close()


class _Ears:
    """Waits until the log may have grown: a notification, the poll's time, or a stop."""

    def __init__(self, conn: psycopg.Connection[Any], stop: StopSignal) -> None:
        self._conn = conn
        self._heard = False
        conn.add_notify_handler(self._hear)
        self._selector = selectors.DefaultSelector()
        self._selector.register(conn.fileno(), selectors.EVENT_READ)
        self._selector.register(stop.fileno(), selectors.EVENT_READ)

    def _hear(self, _notify: psycopg.Notify) -> None:
        self._heard = True

    def wait(self, seconds: float) -> None:
        """Return at once if something was announced since the last look at the log, else wait for it."""
        # What arrived together with the answer to the last statement lies in libpq's buffer: no socket will tell of it.
        while self._conn.pgconn.notifies() is not None:
            self._heard = True
        if not self._heard:
            self._selector.select(seconds)
        self._heard = False

    def close(self) -> None:
        self._conn.remove_notify_handler(self._hear)
        self._selector.close()


class RunnerThread:
    """A runner on a thread of its own, as `serve` keeps one."""

    def __init__(self, connect: str | Connect, **options: Any) -> None:
        self.runner = Runner(connect, **options)
        self._stop = StopSignal()
        self._thread = threading.Thread(target=self._run, name="projections", daemon=True)

    def start(self) -> RunnerThread:
        self._thread.start()
        return self

    def stop(self, timeout: float = STOP_S) -> bool:
        """Stop after the batch in hand; True when the thread has ended in time."""
        self._stop.set()
        self._thread.join(timeout)
        return not self._thread.is_alive()

    @property
    def state(self) -> str:
        """`starting`, `leading`, `standby`, `reconnecting` or `stopped`."""
        return self.runner.state

    def _run(self) -> None:
        try:
            self.runner.run(self._stop)
        except Exception:
            self.runner.state = STOPPED
            log.exception("projections failed")
            raise
