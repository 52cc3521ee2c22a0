"""The stored tree of the log: its root at any size, and proofs, each a read of a few tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, LiteralString

import psycopg
from msgspec import Struct, field

from domain.chain import leaf_bytes, leaf_hash
from domain.merkle import HASH_BYTES, Node, consistency_proof, inclusion_proof, root_at
from domain.tiles import WIDTH, Tile, TileKey, leaf_place, reader, tiles_for
from projections.reads.snapshot import Snapshot, snapshot
from projections.seal import Seal


class UnknownPositionError(LookupError):
    """The tree has no event of that position."""


class NoSuchTreeError(LookupError):
    """The tree has not, or not yet, so many leaves; or no proof leads between such sizes."""


class LogDiffersError(Exception):
    """The log is not what the tree has sealed; the message says where."""


class Head(Struct):
    """The tree as it stands: position is that of its last event (0 without one)."""

    position: int
    size: int
    root: str


class Inclusion(Struct):
    """RFC 6962 section 2.1.1: `path` leads from the leaf to the root over the first `size` leaves. Hashes are hex."""

    position: int
    leaf: str
    index: int
    size: int
    path: list[str]
    root: str


class Consistency(Struct):
    """RFC 6962 section 2.1.2: the tree of `to` leaves begins with all of that of `from` leaves. Hashes are hex."""

    position: int
    first: int = field(name="from")
    second: int = field(name="to")
    path: list[str]
    first_root: str = field(name="from_root")
    second_root: str = field(name="to_root")


class Tree:
    """The stored tree in a snapshot."""

    def __init__(self, look: Snapshot) -> None:
        self._look = look
        last = look.rows(_LAST)
        self.position = look.position(Seal)
        self.size = int(last[0][0]) * WIDTH + len(last[0][1]) // HASH_BYTES if last else 0

    def root(self, size: int) -> bytes:
        """The root over the first `size` leaves. Raises NoSuchTreeError."""
        if not 0 <= size <= self.size:
            raise NoSuchTreeError(f"the tree has {self.size} leaves; there is none of {size}")
        return root_at(size, self.read)

    def read(self, nodes: Sequence[Node]) -> Sequence[bytes]:
        """The hashes of perfect subtrees, with one statement."""
        keys = sorted(tiles_for(nodes))
        rows = self._look.rows(_TILES, ([key.level for key in keys], [key.tile for key in keys]))
        return reader({TileKey(level, tile): hashes for level, tile, hashes in rows})(nodes)

    def index_of(self, position: int) -> int:
        """Which leaf the event at a position is. Raises UnknownPositionError."""
        for number, hashes, positions in self._look.rows(_TILE_OF, (position,)):
            tile = Tile(TileKey(0, number), hashes, positions)
            index = tile.place_of(position)
            if index is not None:
                return int(number) * WIDTH + index
        raise UnknownPositionError(f"the tree, true at position {self.position}, has no event at {position}")

    def leaf(self, index: int) -> tuple[int, bytes]:
        """The position and the hash of a leaf."""
        key, place = leaf_place(index)
        hashes, positions = self._look.rows(_ONE_TILE, (key.level, key.tile))[0]
        tile = Tile(key, hashes, positions)
        return tile.position(place), hashes[place * HASH_BYTES : (place + 1) * HASH_BYTES]


_LAST: LiteralString = "SELECT tile, hashes FROM views.seal_tiles WHERE level = 0 ORDER BY tile DESC LIMIT 1"

_TILES: LiteralString = """
SELECT level, tile, hashes FROM views.seal_tiles
WHERE (level, tile) IN (SELECT * FROM unnest(%s::integer[], %s::bigint[]))"""

_ONE_TILE: LiteralString = "SELECT hashes, positions FROM views.seal_tiles WHERE level = %s AND tile = %s"

_TILE_OF: LiteralString = """
SELECT tile, hashes, positions FROM views.seal_tiles
WHERE level = 0 AND first_position <= %s ORDER BY first_position DESC LIMIT 1"""

_LOG_HEAD: LiteralString = "SELECT coalesce(max(notification_id), 0) FROM public.pitclerk_events"

_ROW: LiteralString = """
SELECT notification_id, originator_id, originator_version, topic, state, recorded_at
FROM public.pitclerk_events WHERE notification_id = %s"""


def log_head(look: Snapshot) -> int:
    """The position of the log's last event, which the tree may not have reached; 0 without one."""
    return int(look.rows(_LOG_HEAD)[0][0])


def head(conn: psycopg.Connection[Any]) -> Head:
    """The tree as it stands."""
    with snapshot(conn) as look:
        tree = Tree(look)
        return Head(tree.position, tree.size, tree.root(tree.size).hex())


def inclusion(conn: psycopg.Connection[Any], position: int, size: int | None = None) -> Inclusion:
    """Proof that the event at a position is in the tree of `size` leaves (None: as it stands).

    Raises UnknownPositionError, NoSuchTreeError, and LogDiffersError where the row is no longer what was sealed.
    """
    with snapshot(conn) as look:
        return inclusion_at(look, Tree(look), position, size)


def inclusion_at(look: Snapshot, tree: Tree, position: int, size: int | None = None) -> Inclusion:
    """The same in a look that is open."""
    index, size = tree.index_of(position), tree.size if size is None else size
    if not index < size <= tree.size:
        raise NoSuchTreeError(f"position {position} is leaf {index}, the tree has {tree.size} leaves: not {size}")
    leaf = leaf_of(look, position)
    if leaf != tree.leaf(index)[1]:
        raise LogDiffersError(f"the row at position {position} is not the one that leaf {index} was made of")
    path = [step.hex() for step in inclusion_proof(index, size, tree.read)]
    return Inclusion(position, leaf.hex(), index, size, path, tree.root(size).hex())


def consistency(conn: psycopg.Connection[Any], first: int, second: int) -> Consistency:
    """Proof that the tree of `second` leaves begins with all of that of `first` leaves. Raises NoSuchTreeError."""
    with snapshot(conn) as look:
        tree = Tree(look)
        if not 0 < first <= second <= tree.size:
            raise NoSuchTreeError(f"the tree has {tree.size} leaves; no proof leads from {first} to {second}")
        path = [step.hex() for step in consistency_proof(first, second, tree.read)]
        return Consistency(tree.position, first, second, path, tree.root(first).hex(), tree.root(second).hex())


def leaf_of(look: Snapshot, position: int) -> bytes:
    """The leaf hash of the row that stands at a position now. Raises LogDiffersError where there is none."""
    return leaf_hash(leaf_bytes_of(look, position))


def leaf_bytes_of(look: Snapshot, position: int) -> bytes:
    """The leaf bytes of the row that stands at a position now. Raises LogDiffersError where there is none."""
    rows = look.rows(_ROW, (position,))
    if not rows:
        raise LogDiffersError(f"the row at position {position} is gone")
    number, stream, version, topic, state, recorded_at = rows[0]
    return leaf_bytes(number, stream, version, topic, bytes(state), recorded_at)
