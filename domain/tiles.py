"""How the tree is stored: tiles of 32 hashes, so that a proof of any event is a read of a few rows.

A tile of level L holds the roots of 32 neighbouring perfect subtrees of 32**L leaves each; level 0 holds the leaves
themselves and, beside each, the position of its event. A tile is written as it fills and never changes once full; a
subtree between two levels is computed from the tile below it (at most 31 hashes). This is the layout of tiled logs
(C2SP tlog-tiles) with 5 levels a tile in place of 8: a row of a kilobyte is what PostgreSQL keeps in one piece.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from domain.merkle import HASH_BYTES, Node, Read, fold, parents, perfect_nodes

HEIGHT = 5
WIDTH = 1 << HEIGHT
_FULL = WIDTH * HASH_BYTES
MOST_LEVELS = 13
"""Enough for 2**63 positions."""


class TileKey(NamedTuple):
    """The tile of `level` that begins at subtree 32 * tile."""

    level: int
    tile: int


@dataclass(frozen=True, slots=True)
class Tile:
    """What stands in a row. positions: 8 bytes big-endian for each leaf; empty above level 0."""

    key: TileKey
    hashes: bytes
    positions: bytes = b""

    def position(self, place: int) -> int:
        """The position of the event whose leaf stands at that place."""
        return int.from_bytes(self.positions[8 * place : 8 * place + 8], "big", signed=True)

    def place_of(self, position: int) -> int | None:
        """Where the leaf of the event at a position stands; None if not here."""
        places = struct.unpack(f">{len(self.positions) // 8}q", self.positions)
        place = bisect_left(places, position)
        return place if place < len(places) and places[place] == position else None


def leaf_place(index: int) -> tuple[TileKey, int]:
    """Where a leaf stands: its tile and its place in it."""
    return TileKey(0, index // WIDTH), index % WIDTH


def tiles_for(nodes: Iterable[Node]) -> set[TileKey]:
    """The tiles that are needed to know the hashes of these perfect subtrees."""
    return {_place(node)[0] for node in nodes}


def reader(tiles: Mapping[TileKey, bytes]) -> Read:
    """The hashes of perfect subtrees from tiles at hand (those of `tiles_for`)."""

    def read(nodes: Sequence[Node]) -> list[bytes]:
        return [_node(tiles, node) for node in nodes]

    return read


def _place(node: Node) -> tuple[TileKey, int, int]:
    """The tile below a subtree, and which of its hashes the subtree spans."""
    level, above = divmod(node.level, HEIGHT)
    tile, first = divmod(node.index << above, WIDTH)
    return TileKey(level, tile), first, first + (1 << above)


def _node(tiles: Mapping[TileKey, bytes], node: Node) -> bytes:
    key, first, end = _place(node)
    hashes = tiles[key][first * HASH_BYTES : end * HASH_BYTES]
    assert len(hashes) == (end - first) * HASH_BYTES, f"tile {key} is shorter than the tree is wide"
    return parents(hashes, node.level % HEIGHT)


def edge_keys(size: int) -> list[TileKey]:
    """The tiles of a tree of that size which are not full yet: what must be known to append to it."""
    keys = []
    for level in range(MOST_LEVELS):
        width = size >> (HEIGHT * level)
        if width % WIDTH:
            keys.append(TileKey(level, width // WIDTH))
    return keys


class Grower:
    """The right edge of a stored tree; gives the tiles that change as leaves come. Memory: one tile a level."""

    def __init__(self, size: int = 0, edge: Iterable[Tile] = ()) -> None:
        self.size = size
        self._hashes: list[bytes] = [b""] * MOST_LEVELS
        self._positions = b""
        for tile in edge:
            self._hashes[tile.key.level] = tile.hashes
            if tile.key.level == 0:
                self._positions = tile.positions

    def append(self, leaves: Sequence[bytes], positions: Sequence[int]) -> list[Tile]:
        """Add leaf hashes with the positions of their events; the tiles that are new or longer now."""
        changed: list[Tile] = []
        self._positions += struct.pack(f">{len(positions)}q", *positions)
        grown, first = self._hashes[0] + b"".join(leaves), self.size // WIDTH
        self.size += len(leaves)
        for level in range(MOST_LEVELS):
            full = len(grown) // _FULL
            changed += [
                Tile(TileKey(level, first + number), grown[at : at + _FULL], self._places(level, number))
                for number, at in enumerate(range(0, full * _FULL, _FULL))
            ]
            rest = self._hashes[level] = grown[full * _FULL :]
            if rest:
                changed.append(Tile(TileKey(level, first + full), rest, self._places(level, full)))
            if not full:
                break
            roots = parents(grown[: full * _FULL], HEIGHT)
            grown, first = self._hashes[level + 1] + roots, first // WIDTH
        self._positions = self._positions[-8 * (self.size % WIDTH) :] if self.size % WIDTH else b""
        return changed

    def _places(self, level: int, number: int) -> bytes:
        """The positions of the leaves of a tile, counted from the first one that was not full."""
        return b"" if level else self._positions[8 * WIDTH * number : 8 * WIDTH * (number + 1)]

    def root(self) -> bytes:
        """The root of the tree as it is now."""
        tiles = {key: self._hashes[key.level] for key in edge_keys(self.size)}
        return fold(reader(tiles)(perfect_nodes((0, self.size))))
