"""One row of the log as it is stored, with its place in the chain: for those who want to see for themselves."""

from __future__ import annotations

from datetime import datetime
from typing import Any, LiteralString

import msgspec
import psycopg
from msgspec import Struct

from domain import chain
from projections.reads.snapshot import Snapshot, snapshot, utc


class Stored(Struct):
    """A row. state: its bytes as text. Hashes in hex, those of the chain as they are stored.

    before, after: the positions beside it. leaf_now, link_now: what the row and the link before give today.
    """

    position: int
    stream: str
    version: int
    type: str
    recorded_at: datetime
    meta: dict[str, Any]
    data: Any
    state: str
    leaf_bytes: bytes
    leaf: str | None
    link: str | None
    link_before: str
    leaf_now: str
    link_now: str
    before: int | None
    after: int | None

    @property
    def holds(self) -> bool:
        """Whether the row gives the leaf and the link that are stored."""
        return (self.leaf, self.link) == (self.leaf_now, self.link_now)


_ROW: LiteralString = """
SELECT e.originator_id, e.originator_version, e.topic, e.state, e.recorded_at, c.leaf, c.link
FROM public.pitclerk_events e LEFT JOIN public.pitclerk_chain c ON c.position = e.notification_id
WHERE e.notification_id = %s"""
_BEFORE: LiteralString = """
SELECT position, link FROM public.pitclerk_chain WHERE position < %s ORDER BY position DESC LIMIT 1"""
_NEXT: LiteralString = """
SELECT notification_id FROM public.pitclerk_events WHERE notification_id > %s ORDER BY notification_id LIMIT 1"""


def stored(conn: psycopg.Connection[Any], position: int) -> Stored | None:
    """The row at a position; None where there is none."""
    with snapshot(conn) as look:
        rows = look.rows(_ROW, (position,))
        return _stored(look, position, rows[0]) if rows else None


def _stored(look: Snapshot, position: int, row: tuple[Any, ...]) -> Stored:
    stream, version, topic, state, recorded_at, leaf, link = row
    before = look.rows(_BEFORE, (position,))
    after = look.rows(_NEXT, (position,))
    link_before = bytes(before[0][1]) if before else chain.GENESIS
    packed = chain.leaf_bytes(position, stream, version, topic, bytes(state), recorded_at)
    leaf_now = chain.leaf_hash(packed)
    said = _said(bytes(state))
    return Stored(
        position=position,
        stream=stream,
        version=version,
        type=topic,
        recorded_at=utc(recorded_at) or recorded_at,
        meta=said.get("meta", {}),
        data=said.get("data"),
        state=bytes(state).decode("utf-8", "backslashreplace"),
        leaf_bytes=packed,
        leaf=None if leaf is None else bytes(leaf).hex(),
        link=None if link is None else bytes(link).hex(),
        link_before=link_before.hex(),
        leaf_now=leaf_now.hex(),
        link_now=chain.link(link_before, leaf_now).hex(),
        before=before[0][0] if before else None,
        after=after[0][0] if after else None,
    )


def _said(state: bytes) -> dict[str, Any]:
    try:
        said = msgspec.json.decode(state)
    except msgspec.DecodeError:
        return {}
    return said if isinstance(said, dict) else {}
