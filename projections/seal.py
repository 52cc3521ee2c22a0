"""seal: the Merkle tree over the whole log, kept as tiles, so that any event can be proved with a few reads.

The leaves are computed anew from the stored rows and then compared with the chain's: a row that was changed between its
save and this fold is noticed here, and no checkpoint is signed over it. Noticed, not stopped at: play goes on, and the
tree says of every row what it found. The tree is of the log as a whole: a site has a log of its own.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, LiteralString, NamedTuple

import psycopg
from psycopg import sql
from psycopg.rows import tuple_row

from domain.chain import leaves
from domain.events.session import SessionReleased
from domain.merkle import HASH_BYTES
from domain.tiles import MOST_LEVELS, WIDTH, Grower, Tile, TileKey
from projections.fold import FoldError
from projections.log_reader import Batch
from projections.store import table
from projections.verify import POSTGRES_EPOCH

DIFFERS, NO_CHAIN = "row and chain row differ", "no chain row"

NO_LEAF = bytes(HASH_BYTES)
"""What stands for the leaf of a missing chain row; no bytes hash to it."""

_LAST = 2**63 - 1 - POSTGRES_EPOCH
"""The last moment that the leaf bytes can hold: a row changed to a later one ('infinity') counts as of that moment."""

# What a batch lacks: the times of its rows as stored, and the leaves of the chain. One row, two long byte strings. The
# chain has its own bounds, or a planner may walk it from its beginning for every batch.
_CONTEXT: LiteralString = """
SELECT coalesce(string_agg(timestamptz_send(at), ''::bytea), ''), coalesce(string_agg(leaf, ''::bytea), '')
FROM (SELECT e.recorded_at AS at, coalesce(c.leaf, decode(repeat('00', 32), 'hex')) AS leaf
      FROM (SELECT notification_id, recorded_at FROM public.pitclerk_events
            WHERE notification_id > %(start)s AND notification_id <= %(end)s) e
      LEFT JOIN (SELECT position, leaf FROM public.pitclerk_chain
                 WHERE position > %(start)s AND position <= %(end)s) c ON c.position = e.notification_id
      ORDER BY e.notification_id) AS stretch"""

_EDGE: LiteralString = """
SELECT t.level, t.tile, t.hashes, t.positions
FROM generate_series(0, %s) AS l (level)
CROSS JOIN LATERAL (SELECT * FROM {0} WHERE level = l.level ORDER BY tile DESC LIMIT 1) AS t"""

_PUT_TILES: LiteralString = """
INSERT INTO {0} (level, tile, hashes, positions, first_position)
SELECT level, tile, hashes, positions, CASE level WHEN 0 THEN first_position END
FROM unnest(%b::integer[], %b::bigint[], %b::bytea[], %b::bytea[], %b::bigint[])
     AS r (level, tile, hashes, positions, first_position)
ON CONFLICT (level, tile) DO UPDATE SET hashes = excluded.hashes, positions = excluded.positions"""

_PUT_CLOSES: LiteralString = "INSERT INTO {0} (size, position, session) VALUES (%s, %s, %s)"

_PUT_DIFFERENCES: LiteralString = """
INSERT INTO {0} AS t (difference, position, events) VALUES (%s, %s, %s)
ON CONFLICT (difference) DO UPDATE SET events = t.events + excluded.events"""


class Close(NamedTuple):
    """A table session was closed: the tree has `size` leaves with that event."""

    size: int
    position: int
    session: str


class Difference(NamedTuple):
    """`events` rows of a batch were not as recorded, the first of them at `position`."""

    difference: str
    position: int
    events: int


class Changes(NamedTuple):
    """What a batch adds."""

    tiles: list[Tile]
    closes: list[Close]
    differences: list[Difference]


class Seal:
    """The fold; in memory only the tiles at the right edge."""

    name: ClassVar[str] = "seal"
    version: ClassVar[int] = 1
    topics: ClassVar[frozenset[str]] = frozenset({SessionReleased.TOPIC})
    tables: ClassVar[Sequence[str]] = ("seal_tiles", "seal_closes", "seal_differences")

    def __init__(self) -> None:
        self._grower: Grower | None = None
        self._times: tuple[int, ...] = ()
        self._chain = b""

    def load(self, conn: psycopg.Connection[Any], schema: str, batch: Batch) -> None:
        with conn.cursor(binary=True, row_factory=tuple_row) as cursor:
            if self._grower is None:
                rows = cursor.execute(sql.SQL(_EDGE).format(table(schema, "seal_tiles")), (MOST_LEVELS - 1,)).fetchall()
                self._grower = grower_from([Tile(TileKey(row[0], row[1]), row[2], row[3]) for row in rows])
            found = cursor.execute(_CONTEXT, {"start": batch.start, "end": batch.end}, prepare=True).fetchone()
        assert found is not None, "an aggregate is one row"
        times, self._chain = found
        if len(times) != 8 * len(batch):
            raise FoldError(batch.end, f"{len(times) // 8} rows stand where {len(batch)} were read a moment ago")
        self._times = struct.unpack(f">{len(batch)}q", times)

    def fold(self, batch: Batch) -> Changes:
        assert self._grower is not None, "load comes first"
        found = leaves_of(batch, self._times)
        positions = [row[0] for row in batch.raw]
        size = self._grower.size
        closes = [
            Close(size + bisect_left(positions, position) + 1, position, event.session)
            for position, _, _, _, event in batch.of(SessionReleased)
        ]
        return Changes(self._grower.append(found, positions), closes, compare(found, self._chain, positions))

    def store(self, cursor: psycopg.Cursor[Any], schema: str, changes: Changes) -> None:
        cursor.execute(_statement(_PUT_TILES, schema, "seal_tiles"), _columns(changes.tiles), prepare=True)
        if changes.closes:
            cursor.executemany(_statement(_PUT_CLOSES, schema, "seal_closes"), changes.closes)
        if changes.differences:
            cursor.executemany(_statement(_PUT_DIFFERENCES, schema, "seal_differences"), changes.differences)

    def forget(self) -> None:
        self._grower = None


def leaves_of(batch: Batch, times: Sequence[int]) -> list[bytes]:
    """The leaves of a batch's rows, their times given in microseconds since 2000."""
    if times and max(times) > _LAST:
        times = [min(at, _LAST) for at in times]
    return leaves(batch.raw, [at + POSTGRES_EPOCH for at in times])


def compare(computed: Sequence[bytes], chain: bytes, positions: Sequence[int]) -> list[Difference]:
    """Where leaves computed from rows are not the chain's (one behind the other; NO_LEAF where it has none)."""
    if b"".join(computed) == chain:
        return []
    found: dict[str, list[int]] = {}
    for at, (leaf, position) in enumerate(zip(computed, positions, strict=True)):
        recorded = chain[at * HASH_BYTES : (at + 1) * HASH_BYTES]
        if leaf != recorded:
            found.setdefault(NO_CHAIN if recorded == NO_LEAF else DIFFERS, []).append(position)
    return [Difference(kind, at[0], len(at)) for kind, at in sorted(found.items())]


def grower_from(last: Sequence[Tile]) -> Grower:
    """The right edge, from the last tile of each level."""
    size = max((t.key.tile * WIDTH + len(t.hashes) // HASH_BYTES for t in last if t.key.level == 0), default=0)
    return Grower(size, [tile for tile in last if len(tile.hashes) < WIDTH * HASH_BYTES])


def _columns(tiles: Sequence[Tile]) -> tuple[list[Any], ...]:
    return (
        [tile.key.level for tile in tiles],
        [tile.key.tile for tile in tiles],
        [tile.hashes for tile in tiles],
        [tile.positions for tile in tiles],
        list(_first_positions(tiles)),
    )


def _first_positions(tiles: Sequence[Tile]) -> Iterator[int]:
    """The position of a tile's first leaf; 0 above level 0, where there is none."""
    for tile in tiles:
        yield int.from_bytes(tile.positions[:8], "big", signed=True)


_statements: dict[tuple[str, str], bytes] = {}


def _statement(text: LiteralString, schema: str, name: str) -> bytes:
    """A statement for the tables of a schema, made once."""
    made = _statements.get((text, schema))
    if made is None:
        made = _statements[text, schema] = sql.SQL(text).format(table(schema, name)).as_bytes(None)
    return made
