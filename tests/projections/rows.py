"""What the views hold, in a form that two runs can be compared in."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import sql

from projections.catalog import all_projections
from projections.store import LIVE, table

Rows = dict[str, list[tuple[Any, ...]]]


def everything(conn: psycopg.Connection[Any], schema: str = LIVE) -> Rows:
    """Every row of every view, in the order of its columns."""
    return {name: rows_of(conn, name, schema) for p in all_projections() for name in p.tables}


def rows_of(conn: psycopg.Connection[Any], name: str, schema: str = LIVE) -> list[tuple[Any, ...]]:
    """The rows of one table."""
    rows = conn.execute(sql.SQL("SELECT * FROM {} t ORDER BY t").format(table(schema, name))).fetchall()
    return [tuple(row) for row in rows]
