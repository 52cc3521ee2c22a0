"""An examiner holds the log against one identity."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, TypedDict

import psycopg
from psycopg.rows import dict_row, tuple_row

from domain.events.base import Event, Meta

SHOWN = 3
"""How many violations a detail spells out; the rest are counted."""


class Seen(NamedTuple):
    """An event of the log."""

    position: int
    stream: str
    version: int
    meta: Meta
    event: Event


class Identity(TypedDict):
    """One identity's verdict. detail: what was looked at, or the first violations with their positions."""

    name: str
    ok: bool
    detail: str


class Look:
    """The snapshot that everything is read in."""

    def __init__(self, conn: psycopg.Connection[Any]) -> None:
        self._conn = conn

    def rows(self, statement: Any, parameters: Any = None) -> list[tuple[Any, ...]]:
        """Rows as tuples."""
        with self._conn.cursor(row_factory=tuple_row) as cursor:
            return cursor.execute(statement, parameters).fetchall()

    def dicts(self, statement: Any, parameters: Any = None) -> list[dict[str, Any]]:
        """Rows by column."""
        with self._conn.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(statement, parameters).fetchall()


class Examiner(Protocol):
    """Takes every event of the log in order, then gives its verdicts."""

    def take(self, seen: Seen, look: Look) -> None: ...

    def verdicts(self, look: Look) -> list[Identity]: ...


class Violations:
    """What an examiner found wrong: counted, the first ones kept in words."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0
        self._first: list[str] = []

    def add(self, what: str) -> None:
        """One more."""
        self.count += 1
        if len(self._first) < SHOWN:
            self._first.append(what)

    def verdict(self, looked_at: str) -> Identity:
        """The identity's verdict: `looked_at` says what held, where all did."""
        if not self.count:
            return Identity(name=self.name, ok=True, detail=looked_at)
        more = f"; and {self.count - len(self._first)} more" if self.count > len(self._first) else ""
        return Identity(name=self.name, ok=False, detail="; ".join(self._first) + more)
