"""Hold the log against its seals: which signed checkpoints do its rows still give, and where is the first that differs?

A chain can be computed anew by whoever may write to the database; what was signed, and copied elsewhere, cannot. In one
walk over the log the tree's root is computed from the rows and compared with each checkpoint at its size. A change lies
after the last checkpoint that holds and not after the first that is broken. Between the two the stored tree says which
position exactly, if it is still the one that was signed: its leaves must give the broken checkpoint's own root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import merge
from operator import attrgetter
from typing import Any, LiteralString, NamedTuple

import psycopg
from psycopg.rows import tuple_row

from domain.merkle import HASH_BYTES, CompactRange
from domain.note import Note
from domain.tiles import Tile, TileKey
from projections.reads.checkpoints import Kept, every
from projections.verify import VerifyResult, walk_log

HOLDS, BROKEN, BEYOND, UNSIGNED = "holds", "broken", "beyond the log", "not signed by a known key"

MOST_LISTED = 100
"""Checkpoints that are told of one by one; the rest are counted."""

Signed = Callable[[Note], bool]
"""Whether a note is signed by a key that the verifier trusts."""

Sealed = tuple[int, bytes]
"""Position and leaf, as the stored tree has them."""


class Judged(NamedTuple):
    """One checkpoint. position: of its last event as the log is now; source: where it was kept."""

    size: int
    position: int | None
    root: str
    state: str
    source: str


class Seals(NamedTuple):
    """What the checkpoints say of the log.

    first_bad, last_bad: the change lies from the one to the other; the two are equal where the stored tree tells it
    exactly. tree: whether the stored tree has the leaves of the log's rows. judged: the last checkpoint that holds,
    all that do not (the first hundred), and all that were brought in files. gone: the first position whose leaf stands
    in the stored tree and which no row has any more; gone_events: how many such there are.
    """

    ok: bool
    checkpoints: int
    held: int
    first_bad: int | None
    last_bad: int | None
    tree: bool
    judged: list[Judged]
    gone: int | None = None
    gone_events: int = 0


class SealWatch:
    """Watches a walk over the log; `result` when that is over. Memory: two compact trees and what is listed.

    checkpoints: by size. sealed: the leaves of the stored tree in their order. signed None: no key is known, so every
    checkpoint is taken at its word.
    """

    def __init__(self, checkpoints: Iterable[Kept], sealed: Iterable[Sealed], signed: Signed | None = None) -> None:
        self._checkpoints = iter(checkpoints)
        self._stored = _Stored(sealed)
        self._signed = signed
        self._tree = CompactRange()
        self._at = 0
        self._count = self._held = 0
        self._good_at = 0
        self._good: Judged | None = None
        self._bad: tuple[int, bool] | None = None  # how far a change may lie; whether the stored tree is the signed one
        self._listed: list[Judged] = []
        self._next = next(self._checkpoints, None)
        self._judge()

    def __call__(self, position: int, leaf: bytes) -> None:
        """Take the next row."""
        self._stored.compare(position, leaf, self._tree)
        self._tree.append(leaf)
        self._at = position
        self._judge()

    def result(self) -> Seals:
        """The verdict."""
        self._stored.missing(self._tree)
        while self._next is not None:  # of more leaves than the log has rows
            self._end(self._next, BEYOND)
        first, last = self._where()
        tree = self._stored.differs is None
        ok = first is None and tree and all(one.state == HOLDS for one in self._listed)
        judged = self._listed if self._good is None or self._good in self._listed else [self._good, *self._listed]
        return Seals(ok, self._count, self._held, first, last, tree, judged)

    def _judge(self) -> None:
        """Compare every checkpoint of the present size."""
        while self._next is not None and self._next.size == self._tree.size:
            self._end(self._next, HOLDS if self._tree.root() == self._next.root else BROKEN)

    def _end(self, kept: Kept, state: str) -> None:
        """Note what became of a checkpoint and take the next one."""
        if self._signed is not None and not self._signed(kept.note):
            state = UNSIGNED
        position = None if state == BEYOND else self._at
        judged = Judged(kept.size, position, kept.root.hex(), state, kept.source)
        self._count += 1
        if state == HOLDS:
            self._held += 1
            self._good, self._good_at, self._bad = judged, self._at, None
        elif state != UNSIGNED and self._bad is None:
            self._bad = max(self._at, kept.position or 0), self._stored.has(kept)
        if kept.source != "log" or (state != HOLDS and len(self._listed) < MOST_LISTED):
            self._listed.append(judged)
        self._next = next(self._checkpoints, None)

    def _where(self) -> tuple[int | None, int | None]:
        """From where to where the change lies."""
        differs = self._stored.differs
        if differs is not None and differs <= self._good_at:
            differs = None  # the rows up to there are signed for: it is the stored tree that was changed
        if self._bad is None:
            return differs, differs
        last, authentic = self._bad
        if authentic and differs is not None:
            return differs, differs
        return self._good_at + 1, max(last, self._good_at + 1)


class _Stored:
    """The stored tree's leaves beside those of the rows.

    differs: the position at the first leaf that is another one: the row's, or the stored one where no row is left.
    """

    def __init__(self, sealed: Iterable[Sealed]) -> None:
        self._sealed = iter(sealed)
        self._own: CompactRange | None = None  # a tree of its own from where the two part
        self.differs: int | None = None

    def compare(self, position: int, leaf: bytes, rows: CompactRange) -> None:
        """Take the leaf that stands where a row's does; rows: the tree before that row."""
        found = next(self._sealed, None)
        if found is None:
            return
        if self._own is None and found != (position, leaf):
            self._own, self.differs = rows.copy(), position
        if self._own is not None:
            self._own.append(found[1])

    def missing(self, rows: CompactRange) -> None:
        """The rows are over: any leaf that is left is of a row that is gone."""
        if self._own is None and (found := next(self._sealed, None)) is not None:
            self._own, self.differs = rows.copy(), found[0]
            self._own.append(found[1])

    def has(self, kept: Kept) -> bool:
        """Whether the stored leaves, where they differ from the rows, are those that a checkpoint was signed over."""
        if self._own is None:
            return False
        while self._own.size < kept.size and (found := next(self._sealed, None)) is not None:
            self._own.append(found[1])
        return self._own.size == kept.size and self._own.root() == kept.root


def gone_of(sealed: Iterable[Sealed], positions: Iterable[int]) -> tuple[int | None, int]:
    """The first leaf without a row, and how many have none: rows that were put in, folded, and taken out again.

    Both in the order of positions. Where the chain was not told of such a row, it cannot miss it either.
    """
    rows = iter(positions)
    at = next(rows, None)
    first, count = None, 0
    for position, _ in sealed:
        while at is not None and at < position:
            at = next(rows, None)
        if at != position:
            first, count = position if first is None else first, count + 1
    return first, count


def with_gone(seals: Seals, gone: int | None, count: int) -> Seals:
    """The verdict with what is gone; where that lies before a difference told exactly, it is the first."""
    exact = seals.first_bad is not None and seals.first_bad == seals.last_bad
    if exact and gone is not None and gone < (seals.first_bad or 0):
        seals = seals._replace(first_bad=gone, last_bad=gone)
    return seals._replace(gone=gone, gone_events=count)


class Verdict(NamedTuple):
    """Chain and seals together; the first five are those of `verify`."""

    ok: bool
    events: int
    position: int
    head: str
    first_bad: int | None
    last_bad: int | None
    seals: Seals


def verify_with_seals(
    conn: psycopg.Connection[Any],
    files: Sequence[Kept] = (),
    signed: Signed | None = None,
    *,
    passing: Callable[[int], None] | None = None,
) -> Verdict:
    """Walk over the whole log once, in one snapshot. files: checkpoints that were kept outside of the database.

    passing: told of each position that the walk has come to; what it raises ends the walk.
    """
    with conn.transaction():
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        by_size = attrgetter("size")
        watch = SealWatch(merge(every(conn), sorted(files, key=by_size), key=by_size), sealed(conn), signed)

        def seen(position: int, leaf: bytes) -> None:
            watch(position, leaf)
            if passing is not None:
                passing(position)

        chain, seals = walk_log(conn, seen), watch.result()
        return together(chain, seals if seals.tree else with_gone(seals, *gone_leaves(conn)))


_POSITIONS: LiteralString = "SELECT notification_id FROM public.pitclerk_events ORDER BY notification_id"


def gone_leaves(conn: psycopg.Connection[Any]) -> tuple[int | None, int]:
    """`gone_of` the stored tree and the log, inside a transaction."""
    with conn.cursor("gone_positions", row_factory=tuple_row) as cursor:
        cursor.itersize = 10_000
        cursor.execute(_POSITIONS, binary=True)
        return gone_of(sealed(conn, "sealed_again"), (position for (position,) in cursor))


def together(chain: VerifyResult, seals: Seals) -> Verdict:
    """The lowest position that either finds; the chain's where the seals only know a stretch that it lies in."""
    first, last = chain.first_bad, chain.first_bad
    if seals.first_bad is not None and seals.last_bad is not None and (first is None or seals.last_bad < first):
        first, last = seals.first_bad, seals.last_bad
    return Verdict(chain.ok and seals.ok, chain.events, chain.position, chain.head, first, last, seals)


_SEALED: LiteralString = "SELECT tile, hashes, positions FROM views.seal_tiles WHERE level = 0 ORDER BY tile"


def sealed(conn: psycopg.Connection[Any], cursor_name: str = "sealed") -> Iterator[Sealed]:
    """The leaves of the stored tree with their positions, a few at a time; inside a transaction."""
    with conn.cursor(cursor_name, row_factory=tuple_row) as cursor:
        cursor.execute(_SEALED, binary=True)
        while rows := cursor.fetchmany(100):
            for number, hashes, positions in rows:
                tile = Tile(TileKey(0, number), hashes, positions)
                for place, at in enumerate(range(0, len(hashes), HASH_BYTES)):
                    yield tile.position(place), hashes[at : at + HASH_BYTES]
