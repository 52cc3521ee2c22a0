"""Read and decode the next batch while the present one is stored.

Folding waits for the server at every statement; in that time another connection reads on. Only for catching up: at the
head of the log there is nothing to read ahead.
"""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import psycopg

from projections.connect import Connect
from projections.log_reader import Batch, read_batch


class Wanted(NamedTuple):
    """What is to be read: after a position, the topics to decode, how many events, and not beyond which position."""

    after: int
    topics: Collection[str]
    limit: int
    upto: int | None


class ReadAhead:
    """At most one batch ahead, on a thread and a connection that live only while there is much to catch up with."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._conn: psycopg.Connection[Any] | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._ahead: tuple[Wanted, Future[Batch]] | None = None

    def begin(self, wanted: Wanted) -> None:
        """Start to read."""
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="projections read ahead")
        self._ahead = (wanted, self._pool.submit(self._read, wanted))

    def take(self, wanted: Wanted) -> Batch | None:
        """The batch, if it is exactly what was read ahead; None: read it yourself."""
        ahead, self._ahead = self._ahead, None
        if ahead is None:
            return None
        try:
            batch = ahead[1].result()
        except psycopg.Error:
            self.close()  # the reader's own connection will meet the same trouble, and say so
            return None
        return batch if ahead[0] == wanted else None

    def close(self) -> None:
        """Let thread and connection go; they come back when there is something to read ahead."""
        self._ahead = None
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
        if self._conn is not None:
            self._conn.close()
            self._conn = None

    def _read(self, wanted: Wanted) -> Batch:
        if self._conn is None:
            self._conn = self._connect()
        return read_batch(self._conn, wanted.after, wanted.topics, wanted.limit, wanted.upto)
