"""The one reader of the process: listens for new figures, reads them once, hands them to the hub on the event loop.

A connection of its own, because LISTEN holds it. When the database goes away the displays are told that their figures
are old; when it comes back the next read finds every moment since the last one.
"""

import asyncio
import threading
from collections.abc import Callable
from typing import Any, Final

import psycopg
import structlog
from psycopg import Connection

from api.feed.follower import Follower, FollowError
from api.feed.hub import Hub
from domain.store.statements import CHANNEL as LOG_CHANNEL
from projections.advance import CHANNEL
from projections.catalog import all_projections

log = structlog.get_logger("pitclerk.feed")

APPLICATION: Final = "pitclerk feed"
POLL_S: Final = 0.5  # a lost notification delays a figure by no more
RETRY_S: Final = (0.1, 0.2, 0.5, 1.0, 2.0)
STOP_S: Final = 3.0

_VIEWS_AT: Final = (
    "SELECT coalesce(min(at), 0) FROM views.positions"
    " WHERE (name, version) IN (SELECT * FROM unnest(%s::text[], %s::integer[]))"
)


class Source:
    """Reads the meters for a hub, in a thread, from `start` to `stop`."""

    def __init__(self, hub: Hub, conninfo: str) -> None:
        self._hub = hub
        self._conninfo = conninfo
        every = all_projections()
        self._every = ([view.name for view in every], [view.version for view in every])
        self._stopping = threading.Event()
        self._failures = 0
        self._thread = threading.Thread(target=self._run, name="feed", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._follower = Follower()
        self._views_at = 0

    def start(self) -> None:
        """Begin; to be called on the event loop that the hub lives on."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    def stop(self) -> None:
        """End the thread; within `STOP_S`."""
        self._stopping.set()
        self._thread.join(STOP_S)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                with psycopg.connect(self._conninfo, autocommit=True, application_name=APPLICATION) as conn:
                    self._follow(conn)
            except (psycopg.Error, FollowError) as error:
                log.warning("feed cannot read", error=str(error).strip(), failures=self._failures)
                self._on_loop(self._hub.stale)
                self._stopping.wait(RETRY_S[min(self._failures, len(RETRY_S) - 1)])
                self._failures += 1

    def _follow(self, conn: Connection[Any]) -> None:
        """Read at once, then whenever something may have changed; never faster than the hub's pace."""
        for channel in (LOG_CHANNEL, CHANNEL):
            conn.execute(f"LISTEN {channel}")
        views_moved = True
        while not self._stopping.is_set():
            self._read(conn, views_moved=views_moved)
            self._failures = 0
            self._stopping.wait(self._hub.pace_s())
            heard = {notify.channel for notify in conn.notifies(timeout=POLL_S, stop_after=1)}
            heard |= {notify.channel for notify in conn.notifies(timeout=0)}
            views_moved = CHANNEL in heard or not heard

    def _read(self, conn: Connection[Any], *, views_moved: bool) -> None:
        if views_moved:
            # Asked before the picture is read, and only told with it: whoever waited for it reads nothing older.
            row = conn.execute(_VIEWS_AT, self._every, prepare=True).fetchone()
            assert row is not None, "a minimum is one row"
            self._views_at = int(row[0])
        picture, moments = self._follower.next(conn)
        self._on_loop(self._hub.publish, picture, moments, self._views_at)

    def _on_loop(self, call: Callable[..., None], *given: object) -> None:
        assert self._loop is not None, "started on a loop"
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call, *given)
