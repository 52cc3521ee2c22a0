"""The log as seen by a save that holds the commit lock: nothing can be added to it meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from psycopg import sql
from psycopg.rows import TupleRow, tuple_row

from domain.store import statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from typing import LiteralString

    from psycopg import Connection
    from psycopg.abc import Params

JACKPOT_TOPICS = ("progressive.%", "table.jackpot_%")
"""The patterns of the partial index on jackpot events: given exactly so, `events_after` reads through it."""

PAGE = 1000


class LogRow(NamedTuple):
    """One stored event."""

    position: int
    stream: str
    version: int
    topic: str
    state: bytes
    recorded_at: datetime


class LockedLog:
    """Reads in the transaction of a save. Valid until `finish` returns."""

    def __init__(self, conn: Connection[Any]) -> None:
        self._conn = conn

    def head(self) -> int:
        """Return the position of the last event, 0 for an empty log."""
        return int(self.query(statements.HEAD)[0][0])

    def events_after(self, position: int, topics: Sequence[str] = ()) -> Iterator[LogRow]:
        """Yield the events after `position` in order, read in pages: memory stays flat.

        `topics` are LIKE patterns (`table.jackpot_%`, or a whole topic), any of which may match; none: all events.
        """
        statement = _events_after(topics)
        while True:
            rows = self.query(statement, (position, PAGE))
            for row in rows:
                yield LogRow(*row)
            if len(rows) < PAGE:
                return
            position = rows[-1][0]

    def query(
        self, statement: LiteralString | bytes | sql.SQL | sql.Composed, params: Params | None = None
    ) -> list[TupleRow]:
        """Run a SELECT of the caller's and return its rows."""
        with self._conn.cursor(row_factory=tuple_row, binary=True) as cursor:
            return cursor.execute(statement, params, prepare=True).fetchall()


def _events_after(topics: Sequence[str]) -> sql.Composed:
    # Patterns are written into the statement: the planner uses a partial index only for a condition it can read.
    patterns = [sql.SQL("topic LIKE {}").format(sql.Literal(topic.replace("%", "%%"))) for topic in topics]
    condition = sql.SQL(" AND ({})").format(sql.SQL(" OR ").join(patterns)) if patterns else sql.SQL("")
    return sql.SQL(
        "SELECT notification_id, originator_id, originator_version, topic, state, recorded_at"
        " FROM public.pitclerk_events WHERE notification_id > %s{} ORDER BY notification_id LIMIT %s"
    ).format(condition)
