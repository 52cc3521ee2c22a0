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

    def fetch(self, conn: psycopg.Connection[Any], schema: str, column: str, values: Collection[str]) -> None:
        """Forget the last batch's rows, and take up those whose column has one of the values."""
        self.rows = {}
        if not values:
            return
        columns = sql.SQL(", ").join(map(sql.Identifier, columns_of(self._row)))
        statement = sql.SQL("SELECT {} FROM {} WHERE {} = ANY(%s)").format(
            columns, table(schema, self._name), sql.Identifier(column)
        )
        with conn.cursor(row_factory=tuple_row) as cursor:
            for found in cursor.execute(statement, (list(values),)).fetchall():
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
