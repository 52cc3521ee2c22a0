"""One consistent look at the views: every statement of a read sees the same commit, and the position belongs to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, LiteralString

import psycopg
from psycopg import sql
from psycopg.rows import tuple_row

from projections.fold import Projection

Rows = list[tuple[Any, ...]]


class Snapshot:
    """A read-only transaction in which all statements see one state of the database."""

    def __init__(self, conn: psycopg.Connection[Any]) -> None:
        self._conn = conn

    def rows(self, statement: LiteralString | sql.Composed, parameters: Any = None) -> Rows:
        """The rows of a statement, as tuples."""
        with self._conn.cursor(row_factory=tuple_row) as cursor:
            return cursor.execute(statement, parameters).fetchall()

    def position(self, *projections: type[Projection[Any]]) -> int:
        """The position at which these views are true; 0 before anything was folded."""
        names = [p.name for p in projections]
        versions = [p.version for p in projections]
        found = self.rows(_POSITIONS, (names, versions))
        return min(at for (at,) in found) if len(found) == len(projections) else 0


_POSITIONS = "SELECT at FROM views.positions WHERE (name, version) IN (SELECT * FROM unnest(%s::text[], %s::integer[]))"


@contextmanager
def snapshot(conn: psycopg.Connection[Any]) -> Iterator[Snapshot]:
    """Open one on an idle connection."""
    with conn.transaction():
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield Snapshot(conn)


def utc(at: datetime | None) -> datetime | None:
    """A time of the database in UTC, whatever the connection's time zone."""
    return None if at is None else at.astimezone(UTC)


def conditions(parts: Sequence[tuple[LiteralString, object]]) -> tuple[sql.Composed, list[object]]:
    """`WHERE` of the conditions whose value is not None, and their values in order."""
    held = [(text, value) for text, value in parts if value is not None]
    if not held:
        return sql.Composed([]), []
    where = sql.SQL("WHERE {}").format(sql.SQL(" AND ").join(sql.SQL(text) for text, _ in held))
    return where, [value for _, value in held]
