"""How far each version of each projection has folded the log, and the one statement that makes folding exactly once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, LiteralString, NamedTuple

import psycopg
from psycopg import sql

from projections.store import Cursor, table

Key = tuple[str, int]
"""Name and version of a projection."""


class Standing(NamedTuple):
    """epoch: raised when a rebuild takes the view's place, so that whoever folded into the old rows notices."""

    at: int
    epoch: int
    error: str | None


class Positions:
    """The positions of one schema."""

    def __init__(self, schema: str) -> None:
        def made(text: LiteralString) -> bytes:
            return sql.SQL(text).format(table(schema, "positions")).as_bytes(None)

        self._enter = made(
            "INSERT INTO {} (name, version) SELECT * FROM unnest(%s::text[], %s::integer[]) ON CONFLICT DO NOTHING"
        )
        self._excuse = made(
            "UPDATE {} SET error = NULL WHERE error IS NOT NULL"
            " AND (name, version) IN (SELECT * FROM unnest(%s::text[], %s::integer[]))"
        )
        self._read = made("SELECT name, version, at, epoch, error FROM {}")
        self._move = made(
            "UPDATE {} p SET at = %s, updated_at = clock_timestamp(), error = NULL"
            " FROM unnest(%s::text[], %s::integer[], %s::bigint[]) AS m (name, version, epoch)"
            " WHERE p.at = %s AND (p.name, p.version, p.epoch) = (m.name, m.version, m.epoch)"
        )
        self._error = made("UPDATE {} SET error = %s, updated_at = clock_timestamp() WHERE (name, version) = (%s, %s)")
        self._lock = made("SELECT at, epoch, error FROM {} WHERE (name, version) = (%s, %s) FOR UPDATE")
        self._put = made(
            "INSERT INTO {} AS p (name, version, at) VALUES (%s, %s, %s) ON CONFLICT (name, version) DO UPDATE"
            " SET at = excluded.at, epoch = p.epoch + 1, error = NULL, updated_at = clock_timestamp()"
        )
        self._drop = made("DELETE FROM {} WHERE name = %s AND version <> %s")
        self._clear = made("DELETE FROM {} WHERE name = %s")

    def enter(self, conn: psycopg.Connection[Any], keys: Sequence[Key]) -> dict[Key, Standing]:
        """Enter who is new, excuse who has stopped; where everybody stands."""
        names, versions = [name for name, _ in keys], [version for _, version in keys]
        conn.execute(self._enter, (names, versions))
        conn.execute(self._excuse, (names, versions))
        return self.read(conn)

    def read(self, conn: psycopg.Connection[Any]) -> dict[Key, Standing]:
        """Where everybody stands."""
        return {(name, version): Standing(*rest) for name, version, *rest in conn.execute(self._read).fetchall()}

    def move(self, cursor: Cursor, keys: Sequence[Key], epochs: Sequence[int], start: int, end: int) -> bool:
        """Move from `start` to `end` whoever stands at `start`; whether those were all of them."""
        names, versions = [name for name, _ in keys], [version for _, version in keys]
        cursor.execute(self._move, (end, names, versions, list(epochs), start), prepare=True)
        return cursor.rowcount == len(keys)

    def stop(self, conn: psycopg.Connection[Any], key: Key, error: str) -> None:
        """Say why one stands still."""
        conn.execute(self._error, (error, *key))

    def lock(self, conn: psycopg.Connection[Any], key: Key) -> Standing | None:
        """Where one stands, held until the end of the transaction; None for one that is not entered."""
        row = conn.execute(self._lock, key).fetchone()
        return None if row is None else Standing(*row)

    def put(self, conn: psycopg.Connection[Any], key: Key, at: int) -> None:
        """Set one to a position in a new epoch, and drop its other versions."""
        conn.execute(self._put, (*key, at))
        conn.execute(self._drop, key)

    def clear(self, conn: psycopg.Connection[Any], name: str) -> None:
        """Forget every version of one."""
        conn.execute(self._clear, (name,))
