"""Keeping the jackpot's checkpoint near while a simulation fills the log faster than any floor would.

A hit is decided under the commit lock on the meter folded from its last checkpoint. Where a service runs, its
projections are never far behind; here nobody may be running them, and every hit would fold the whole night again.
"""

from types import TracebackType
from typing import Self

from domain.store.connection import conninfo
from projections.advance import Advancer
from projections.connect import connector
from projections.jackpot_meters import JackpotMeters
from projections.runner import release, try_lead


class MeterKeeper:
    """The projection of the jackpot meters alone, moved when asked; it stands back for whoever runs them all."""

    def __init__(self, database_url: str) -> None:
        self._connect = connector(conninfo(database_url))

    def __enter__(self) -> Self:
        self._conn = self._connect()
        self._advancer = Advancer(self._conn, [JackpotMeters()])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._conn.close()

    def keep_up(self) -> None:
        """Fold the meters up to the head of the log, unless somebody else is at it."""
        if not try_lead(self._conn):
            return
        try:
            self._advancer.open()
            while self._advancer.step():
                pass
        finally:
            release(self._conn)
