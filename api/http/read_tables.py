"""The floor: tables and their sessions, and what the boxes in play can still be paid."""

from typing import Any

from psycopg import Connection

from api.http.doors import Doors
from api.http.queries import Name, Query
from api.problems import ProblemError
from projections.reads import limits, tables
from projections.reads.limits import Limits
from projections.reads.tables import Tables


class LimitsQuery(Query, frozen=True, kw_only=True):
    table: Name | None = None


def mount(doors: Doors) -> None:
    doors.read("/v1/tables", Query, _tables, "Every table with its present or last session")
    doors.read("/v1/tables/{table}", Query, _table, "One table")
    doors.read("/v1/limits", LimitsQuery, _limits, "What the boxes of live rounds can still be paid")


def _tables(conn: Connection[Any], _query: Query) -> Tables:
    return tables.tables(conn)


def _table(conn: Connection[Any], _query: Query, table: str) -> Tables:
    found = tables.tables(conn, table=table)
    if not found.rows:
        raise ProblemError("unknown_table", f"no table {table!r} was opened up to position {found.position}")
    return found


def _limits(conn: Connection[Any], query: LimitsQuery) -> Limits:
    return limits.limits(conn, table=query.table)
