"""A checkpoint for every close of a table session, issued by the service as the projection comes upon it.

What is due is a view of the log, what was issued stands in a table: nothing is forgotten by a restart, and two services
at once sign the same tree. The thread looks every second; a close is sealed within that of being folded.
"""

from __future__ import annotations

import threading
from typing import Any, Final

import psycopg
import structlog
from psycopg_pool import PoolTimeout

from api.seals import keys
from api.seals.issue import issue, origin
from api.settings import Settings
from api.wiring import House
from projections.reads import checkpoints
from projections.reads.tree import LogDiffersError, NoSuchTreeError
from projections.seal import Close

log = structlog.get_logger("pitclerk.seals")

LOOK_S: Final = 1.0
AGAIN_S: Final = 60.0  # after a refusal that only people can end
STOP_S: Final = 5.0
BATCH: Final = 100


class Sealer:
    """The thread, from `start` to `stop`."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._after = -1
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sealer", daemon=True)

    def start(self) -> Sealer:
        self._thread.start()
        return self

    def stop(self) -> None:
        """End the thread, within `STOP_S`."""
        self._stopping.set()
        self._thread.join(STOP_S)

    def _run(self) -> None:
        wait = LOOK_S
        while not self._stopping.wait(wait):
            wait = LOOK_S
            try:
                self._house.read(self.seal)
            except (psycopg.Error, PoolTimeout, NoSuchTreeError) as error:
                log.warning("closes cannot be sealed now", error=str(error).strip())
            except (LogDiffersError, OSError) as error:
                log.error("closes are not sealed", cause=str(error))
                wait = AGAIN_S

    def seal(self, conn: psycopg.Connection[Any]) -> None:
        """Issue what is due, some at a time."""
        for close in seal_due(conn, self._house.settings, after=self._after, limit=BATCH):
            self._after = close.size


def seal_due(conn: psycopg.Connection[Any], settings: Settings, *, after: int, limit: int) -> list[Close]:
    """Issue the checkpoints of closes in trees of more than `after` leaves; those that were sealed now, in order.

    Raises what `issue` raises, and KeyFileError.
    """
    due = checkpoints.due(conn, after=after, limit=limit)
    if due:
        key = keys.obtain(settings.signing_key_file, origin(settings.site))
        for close in due:
            issue(conn, key, settings.site, size=close.size, cause=f"session {close.session} closed")
            log.info("session sealed", session=close.session, size=close.size, position=close.position)
    return due
