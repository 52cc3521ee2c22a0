"""Rows that a fold of rare events goes on from: fetched for a batch, moved by the fold, written back whole."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Generic, TypeVar

import msgspec
import psycopg
from psycopg import sql
from psycopg.rows import tuple_row

from projections.store import Cursor, Upsert, columns_of, table

R = TypeVar("R", bound=msgspec.Struct)


class Kept(Generic[R]):
    """The rows of one table that a batch is about, by their primary key."""

    def __init__(self, name: str, row: type[R], keys: tuple[str, ...]) -> None:
        self._name = name
        self._row = row
        self._keys = keys
        self._upsert = Upsert(name, row, keys)
        self.rows: dict[tuple[Any, ...], R] = {}

    def fetch(
        self,
        conn: psycopg.Connection[Any],
        schema: str,
        column: str,
        values: Collection[str],
        also: tuple[str, Collection[str]] | None = None,
    ) -> None:
        """Forget the last batch's rows, and take up those whose column (and another one) has one of the values."""
        self.rows = {}
        self.fetch_more(conn, schema, column, values, also)

    def fetch_more(
        self,
        conn: psycopg.Connection[Any],
        schema: str,
        column: str,
        values: Collection[str],
        also: tuple[str, Collection[str]] | None = None,
    ) -> None:
        """Take up more rows."""
        if not values:
            return
        columns = sql.SQL(", ").join(map(sql.Identifier, columns_of(self._row)))
        conditions = [(column, list(values))] if also is None else [(column, list(values)), (also[0], list(also[1]))]
        where = sql.SQL(" AND ").join(sql.SQL("{} = ANY(%s)").format(sql.Identifier(name)) for name, _ in conditions)
        statement = sql.SQL("SELECT {} FROM {} WHERE {}").format(columns, table(schema, self._name), where)
        with conn.cursor(row_factory=tuple_row) as cursor:
            for found in cursor.execute(statement, [of for _, of in conditions]).fetchall():
                self.put(self._row(*found))

    def get(self, *key: Any) -> R | None:
        """The row of a key."""
        return self.rows.get(key)

    def put(self, row: R) -> R:
        """Take a new row up, or another in the place of the one of its key."""
        self.rows[tuple(getattr(row, key) for key in self._keys)] = row
        return row

    def taken(self) -> list[R]:
        """The rows as the fold left them."""
        return list(self.rows.values())

    def store(self, cursor: Cursor, schema: str, rows: list[R]) -> None:
        """Write rows back."""
        self._upsert.run(cursor, schema, rows)
