"""Where the views stand, told as it changes: read-your-write waits and live feeds hang on this.

One thread and one connection a process LISTEN to what the runner announces after each commit, wherever it runs.
"""

from __future__ import annotations

import selectors
import threading
import time
from typing import Any

import psycopg
import structlog

from projections.advance import CHANNEL
from projections.connect import Connect, connector
from projections.runner import BACKOFF_FIRST_S, BACKOFF_MOST_S, STOP_S, StopSignal

log = structlog.get_logger(__name__)

POLL_S = 1.0
_AT = (
    "SELECT coalesce(min(at), 0) FROM views.positions"
    " WHERE (name, version) IN (SELECT * FROM unnest(%s::text[], %s::integer[]))"
)


class PositionFeed:
    """`position`: up to where every view is folded. It only grows while the feed lives."""

    def __init__(self, connect: str | Connect, projections: list[tuple[str, int]] | None = None) -> None:
        from projections.catalog import all_projections

        wanted = projections or [(p.name, p.version) for p in all_projections()]
        self._names = [name for name, _ in wanted]
        self._versions = [version for _, version in wanted]
        self._connect = connector(connect) if isinstance(connect, str) else connect
        self._changed = threading.Condition()
        self._position = 0
        self._stop = StopSignal()
        self._thread = threading.Thread(target=self._run, name="position feed", daemon=True)

    def start(self) -> PositionFeed:
        self._thread.start()
        return self

    def stop(self, timeout: float = STOP_S) -> bool:
        """True when the thread has ended in time."""
        self._stop.set()
        with self._changed:
            self._changed.notify_all()
        self._thread.join(timeout)
        return not self._thread.is_alive()

    @property
    def position(self) -> int:
        return self._position

    def wait(self, position: int, seconds: float) -> bool:
        """Wait at most so long until the views are true at `position` or later; whether they are."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while self._position < position and not self._stop.is_set():
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                self._changed.wait(left)
            return self._position >= position

    def wait_past(self, position: int, seconds: float) -> int:
        """Wait at most so long for the views to move past `position`; where they stand then."""
        self.wait(position + 1, seconds)
        return self._position

    def _run(self) -> None:
        backoff = BACKOFF_FIRST_S
        while not self._stop.is_set():
            try:
                with self._connect() as conn:
                    self._listen(conn)
                    backoff = BACKOFF_FIRST_S
            except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                log.warning("position feed lost the database", error=str(error).strip(), retry_in_s=backoff)
                self._stop.wait(backoff)
                backoff = min(2 * backoff, BACKOFF_MOST_S)

    def _listen(self, conn: psycopg.Connection[Any]) -> None:
        conn.execute(f"LISTEN {CHANNEL}")
        with selectors.DefaultSelector() as selector:
            selector.register(conn.fileno(), selectors.EVENT_READ)
            selector.register(self._stop.fileno(), selectors.EVENT_READ)
            while not self._stop.is_set():
                self._look(conn)
                if conn.pgconn.notifies() is None:
                    selector.select(POLL_S)

    def _look(self, conn: psycopg.Connection[Any]) -> None:
        row = conn.execute(_AT, (self._names, self._versions), prepare=True).fetchone()
        assert row is not None
        with self._changed:
            if row[0] > self._position:
                self._position = row[0]
                self._changed.notify_all()
