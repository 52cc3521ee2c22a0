"""The checkpoints that were kept, with who signed them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, LiteralString, NamedTuple

import psycopg
from msgspec import Struct
from psycopg.rows import tuple_row

from domain.note import Checkpoint, Note, Signature
from projections.reads.snapshot import Snapshot, snapshot, utc
from projections.seal import Close, Difference

MOST_SIGNATURES = 200
"""Of one checkpoint; more witnesses are turned away."""

BATCH = 500


class Kept(NamedTuple):
    """A checkpoint as it was signed. position: of its last event, as noted then. source: where it was kept."""

    size: int
    position: int | None
    root: bytes
    note: Note
    source: str


class Listed(Struct):
    """A kept checkpoint for people. cause: why it was issued; note: the whole signed note."""

    size: int
    position: int
    root: str
    cause: str
    issued_at: datetime
    note: str


class Checkpoints(Struct):
    """next: the `after` of the next page, a size; null at the end."""

    position: int
    checkpoints: list[Listed]
    next: int | None


_SIGNATURES = """
       ARRAY(SELECT s.name FROM public.pitclerk_signatures s WHERE s.size = c.size ORDER BY s.added_at, s.name),
       ARRAY(SELECT s.key_id FROM public.pitclerk_signatures s WHERE s.size = c.size ORDER BY s.added_at, s.name),
       ARRAY(SELECT s.signature FROM public.pitclerk_signatures s WHERE s.size = c.size ORDER BY s.added_at, s.name)
FROM public.pitclerk_checkpoints c"""

_KEPT: LiteralString = "SELECT c.size, c.position, c.root, c.origin, c.cause, c.issued_at," + _SIGNATURES

_PAGE: LiteralString = _KEPT + " WHERE c.size > %s ORDER BY c.size LIMIT %s"
_LATEST: LiteralString = _KEPT + " WHERE c.size < %s ORDER BY c.size DESC LIMIT %s"
_ONE: LiteralString = _KEPT + " WHERE c.size = %s"
_BEFORE: LiteralString = _KEPT + " WHERE c.size <= %s ORDER BY c.size DESC LIMIT 1"
_COVERING: LiteralString = _KEPT + " WHERE c.size > %s AND c.size <= %s ORDER BY c.size LIMIT 1"
_ALL: LiteralString = _KEPT + " ORDER BY c.size"

_HEAD = "SELECT coalesce(max(position), 0) FROM public.pitclerk_checkpoints"

_DIFFERENCES: LiteralString = (
    "SELECT difference, position, events FROM views.seal_differences ORDER BY position LIMIT 10"
)

_DUE: LiteralString = """
SELECT size, position, session FROM views.seal_closes d
WHERE size > %s AND NOT EXISTS (SELECT FROM public.pitclerk_checkpoints c WHERE c.size = d.size)
ORDER BY size LIMIT %s"""


def checkpoints(conn: psycopg.Connection[Any], *, after: int = -1, limit: int = 100) -> Checkpoints:
    """Kept checkpoints of more than `after` leaves, the smallest first."""
    with snapshot(conn) as look:
        rows = look.rows(_PAGE, (after, limit + 1))
        position = look.rows(_HEAD)[0][0]
    page = [_listed(row) for row in rows[:limit]]
    return Checkpoints(position, page, page[-1].size if len(rows) > limit else None)


def latest(conn: psycopg.Connection[Any], *, before: int = 2**63 - 1, limit: int = 100) -> Checkpoints:
    """Kept checkpoints of fewer than `before` leaves, the largest first; next is the `before` of the next page."""
    with snapshot(conn) as look:
        rows = look.rows(_LATEST, (before, limit + 1))
        position = look.rows(_HEAD)[0][0]
    page = [_listed(row) for row in rows[:limit]]
    return Checkpoints(position, page, page[-1].size if len(rows) > limit else None)


def kept(look: Snapshot, size: int) -> Kept | None:
    """The checkpoint of that size."""
    return next((_kept(row) for row in look.rows(_ONE, (size,))), None)


def newest(look: Snapshot, size: int = 2**63 - 1) -> Kept | None:
    """The largest kept checkpoint of at most that size."""
    return next((_kept(row) for row in look.rows(_BEFORE, (size,))), None)


def covering(look: Snapshot, index: int, size: int) -> Kept | None:
    """The smallest kept checkpoint that covers leaf `index`, of at most `size` leaves: the first that ever did."""
    return next((_kept(row) for row in look.rows(_COVERING, (index, size))), None)


def every(conn: psycopg.Connection[Any]) -> Iterator[Kept]:
    """All kept checkpoints by size, a few at a time; inside a transaction."""
    with conn.cursor("every_checkpoint", row_factory=tuple_row) as cursor:
        cursor.execute(_ALL, binary=True)
        while rows := cursor.fetchmany(BATCH):
            yield from map(_kept, rows)


def differences(look: Snapshot) -> list[Difference]:
    """What was not as recorded when the tree took it in."""
    return [Difference(*row) for row in look.rows(_DIFFERENCES)]


def due(conn: psycopg.Connection[Any], *, after: int, limit: int) -> list[Close]:
    """Closes of sessions in trees of more than `after` leaves that have no checkpoint yet, the earliest first."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        return [Close(*row) for row in cursor.execute(_DUE, (after, limit)).fetchall()]


def _listed(row: tuple[Any, ...]) -> Listed:
    size, at, root, origin, cause, issued, *signed = row
    return Listed(size, at, root.hex(), cause, utc(issued) or issued, str(_note(size, root, origin, signed)))


def _kept(row: tuple[Any, ...]) -> Kept:
    size, position, root, origin, _, _, *signed = row
    return Kept(size, position, root, _note(size, root, origin, signed), "log")


def _note(size: int, root: bytes, origin: str, signed: list[Any]) -> Note:
    signatures = tuple(Signature(name, bytes(key), bytes(made)) for name, key, made in zip(*signed, strict=True))
    return Note(Checkpoint(origin, size, root).text, signatures)
