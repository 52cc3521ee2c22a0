"""`finder`: which stretches of the log hold a term, so that a search reads only those.

| table | one row a | columns |
|---|---|---|
| views.search_terms | term and stretch of 1024 positions in which it occurs | term, stretch |

An index of every event by every term would be larger than the log. By stretches it is a tenth of a row an event, and
what a search then reads of the log is bounded by how many stretches it looks at.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import msgspec
import psycopg

from domain.events.registry import EVENTS
from projections.log_reader import Batch
from projections.store import Cursor, Upsert
from projections.terms import STRETCH_BITS, TermsOf, Values, table_of, terms_of


class TermRow(msgspec.Struct, frozen=True):
    term: str
    stretch: int


class Finder:
    """The projection; in memory what the last stretch already has, so that it is not written again."""

    name: ClassVar[str] = "finder"
    version: ClassVar[int] = 1
    topics: ClassVar[frozenset[str]] = frozenset(EVENTS)
    tables: ClassVar[Sequence[str]] = ("search_terms",)

    def __init__(self) -> None:
        self._last: set[tuple[str, int]] = set()

    def load(self, conn: psycopg.Connection[Any], schema: str, batch: Batch) -> None:
        """Nothing: an event says under which terms it is found."""

    def fold(self, batch: Batch) -> list[TermRow]:
        """The terms of the batch by stretch, but for those that were written before."""
        found = {(one, at) for at, values in _gathered(batch).items() for one in terms_of(values)}
        new = found - self._last
        last = batch.end >> STRETCH_BITS
        self._last = {pair for pair in self._last | new if pair[1] == last}
        return [TermRow(one, at) for one, at in sorted(new)]

    def store(self, cursor: Cursor, schema: str, changes: list[TermRow]) -> None:
        _PUT.run(cursor, schema, changes)

    def forget(self) -> None:
        """What was remembered as written may not have been."""
        self._last = set()


def _gathered(batch: Batch) -> dict[int, Values]:
    """What the events of each stretch say."""
    values: dict[int, Values] = defaultdict(lambda: defaultdict(set))
    for kind, terms in _TERMS:
        for stretch, rows in _by_stretch(batch.of(kind)):
            terms.gather(values[stretch], [row[3] for row in rows], [row[4] for row in rows])
    for stretch, raw in _by_stretch(batch.raw):
        values[stretch]["table"].update(map(table_of, {row[1] for row in raw}))
    return values


def _by_stretch(rows: list[Any]) -> Iterator[tuple[int, list[Any]]]:
    """Rows in the order of their positions, cut where a stretch ends."""
    begin = 0
    while begin < len(rows):
        stretch = rows[begin][0] >> STRETCH_BITS
        end = bisect_left(rows, (stretch + 1 << STRETCH_BITS,), begin)
        yield stretch, rows[begin:end]
        begin = end


_TERMS = [(kind, TermsOf(kind)) for kind in EVENTS.values()]
_PUT = Upsert("search_terms", TermRow, ("term", "stretch"))
