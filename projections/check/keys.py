"""Each (identity, idempotency key) belongs to one save: its answer stands at the last event of a save with that key.

The table of answers cannot hold an (identity, key) twice, so it is enough that answers and keyed saves match one to
one. Both lie in the order of positions, so they are merged without keeping either in memory. Of a log that was brought
in, the answers stayed where they were given: up to there no save has one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
from psycopg.rows import tuple_row

from domain.request import IMPORTED
from projections.check.examiner import Identity, Look, Seen, Violations

_ANSWERS = """
SELECT position, key FROM public.pitclerk_answers WHERE position <= %s AND identity <> %s ORDER BY position"""
_IMPORTED = "SELECT coalesce(max(position), 0) FROM public.pitclerk_answers WHERE identity = %s"
PAGE = 2_000


class KeyExaminer:
    """Merges the answers with the saves."""

    def __init__(self, conn: psycopg.Connection[Any], upto: int) -> None:
        self._violations = Violations("idempotency")
        self._imported = _imported(conn)
        self._answers = self._stream(conn, upto)
        self._next: tuple[int, str] | None = next(self._answers, None)
        self._save: tuple[str | None, str] | None = None
        self._last = 0
        self._count = 0

    @staticmethod
    def _stream(conn: psycopg.Connection[Any], upto: int) -> Iterator[tuple[int, str]]:
        with conn.cursor("check_answers", row_factory=tuple_row) as cursor:
            cursor.itersize = PAGE
            cursor.execute(_ANSWERS, (upto, IMPORTED))
            yield from cursor

    def take(self, seen: Seen, look: Look) -> None:  # noqa: ARG002
        save = (seen.meta.key, seen.meta.event_id.rpartition("-")[0])
        if self._save is not None and save != self._save:
            self._end()
        self._save, self._last = save, seen.position

    def _end(self) -> None:
        """A save is complete: a keyed one has exactly one answer, where it ends; another has none."""
        assert self._save is not None
        key = self._save[0]
        answers = []
        while self._next is not None and self._next[0] <= self._last:
            answers.append(self._next)
            self._next = next(self._answers, None)
        expected = [] if key is None or self._last <= self._imported else [(self._last, key)]
        self._count += len(expected)
        if answers != expected:
            told = f"the save that ends at position {self._last} has key {key!r}"
            self._violations.add(f"{told} and the answers {answers}")

    def verdicts(self, look: Look) -> list[Identity]:  # noqa: ARG002
        if self._save is not None:
            self._end()
        while self._next is not None:
            self._violations.add(f"the answer at position {self._next[0]} belongs to no save")
            self._next = next(self._answers, None)
        self._answers.close()  # type: ignore[attr-defined]
        return [self._violations.verdict(f"{self._count} keyed saves, each with one answer")]


def _imported(conn: psycopg.Connection[Any]) -> int:
    """Up to which position the log was brought in from elsewhere; 0: none of it."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        found = cursor.execute(_IMPORTED, (IMPORTED,)).fetchone()
    assert found is not None, "a maximum"
    return int(found[0])
