"""`counts`: drop boxes from mounted to counted, and trays counted in the middle of a session.

| table | one row a | columns |
|---|---|---|
| views.drop_boxes | stay of a drop box at a table | where it is, how often counted, what it holds once settled |
| views.adjustments | correction of a settled count, or adjustment of the audit | what, how far, why, who |
| views.tray_counts | count of a tray between opener and closer | counted, expected, the rounds dealt by then |

A single count is never kept: until the box is settled the second counter must not see the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar

import msgspec
import psycopg

from domain.counts import COUNTED, COUNTING, MOUNTED, RECEIVED, REMOVED
from domain.events.adjustment import BoxCorrected, FigureAdjusted
from domain.events.base import Event, Meta
from domain.events.count import BoxCounted, BoxMounted, BoxReceived, BoxRemoved, BoxSettled
from domain.events.tray import TrayCounted
from domain.streams import day_of
from projections.fold import FoldError
from projections.kept import Kept
from projections.log_reader import Batch, Row
from projections.store import Cursor, Upsert

_BOX_EVENTS = (BoxMounted, BoxRemoved, BoxReceived, BoxCounted, BoxSettled, BoxCorrected)


class BoxRow(msgspec.Struct):
    site: str
    drop_id: str
    gaming_day: str
    box: str
    table_name: str
    session: str
    stream: str
    currency: str
    state: str
    counts: int
    counted: int | None
    differ: bool
    mounted_at: datetime
    removed_at: datetime | None
    received_at: datetime | None
    counted_at: datetime | None
    position: int
    counted_position: int | None
    corrected: int


class TrayCountRow(msgspec.Struct):
    site: str
    position: int
    stream: str
    counted_at: datetime
    actor: str
    total: int
    expected: int
    difference: int
    rounds: int


class AdjustmentRow(msgspec.Struct):
    """drop_id None: an adjustment of the audit. amount: how far the figure moves, win: how far win does."""

    site: str
    position: int
    gaming_day: str
    table_name: str
    session: str
    stream: str
    currency: str
    drop_id: str | None
    figure: str
    was: int | None
    amount: int
    win: int
    reason: str
    proposed_by: str
    approved_by: str
    adjusted_at: datetime


class Changes(msgspec.Struct):
    boxes: list[BoxRow]
    trays: list[TrayCountRow]
    adjustments: list[AdjustmentRow]


class Counts:
    """The projection."""

    name: ClassVar[str] = "counts"
    version: ClassVar[int] = 1
    topics: ClassVar[frozenset[str]] = frozenset(kind.TOPIC for kind in (*_BOX_EVENTS, FigureAdjusted, TrayCounted))
    tables: ClassVar[Sequence[str]] = ("drop_boxes", "tray_counts", "adjustments")

    def __init__(self) -> None:
        self._boxes = Kept("drop_boxes", BoxRow, ("site", "drop_id"))

    def load(self, conn: psycopg.Connection[Any], schema: str, batch: Batch) -> None:
        self._boxes.fetch(conn, schema, "drop_id", {event.drop for *_, event in batch.merged(*_BOX_EVENTS)})  # type: ignore[attr-defined]

    def fold(self, batch: Batch) -> Changes:
        """The boxes of the batch as they now stand, and its counts of trays."""
        for position, stream, _, meta, event in batch.merged(*_BOX_EVENTS):
            if isinstance(event, BoxMounted):
                self._boxes.put(_mounted(position, stream, meta, event))
                continue
            row = self._boxes.get(meta.site, event.drop)  # type: ignore[attr-defined]
            if row is None:
                raise FoldError(position, f"{event.TOPIC} of a drop box that was never mounted")
            _move(row, position, meta, event)
        trays = [
            TrayCountRow(
                meta.site, position, stream, meta.happened_at, meta.actor, e.total, e.expected, e.difference, e.rounds
            )
            for position, stream, _, meta, e in batch.of(TrayCounted)
        ]
        adjustments = [_adjustment(row) for row in batch.merged(BoxCorrected, FigureAdjusted)]
        return Changes(self._boxes.taken(), trays, adjustments)

    def store(self, cursor: Cursor, schema: str, changes: Changes) -> None:
        self._boxes.store(cursor, schema, changes.boxes)
        _TRAYS.run(cursor, schema, changes.trays)
        _ADJUSTMENTS.run(cursor, schema, changes.adjustments)

    def forget(self) -> None:
        self._boxes.rows.clear()


def _mounted(position: int, stream: str, meta: Meta, event: BoxMounted) -> BoxRow:
    return BoxRow(
        site=meta.site,
        drop_id=event.drop,
        gaming_day=day_of(stream),
        box=event.box,
        table_name=event.table,
        session=event.session,
        stream=event.session_stream,
        currency=event.currency,
        state=MOUNTED,
        counts=0,
        counted=None,
        differ=False,
        mounted_at=meta.happened_at,
        removed_at=None,
        received_at=None,
        counted_at=None,
        position=position,
        counted_position=None,
        corrected=0,
    )


def _move(row: BoxRow, position: int, meta: Meta, event: Event) -> None:
    if isinstance(event, BoxRemoved):
        row.state, row.removed_at = REMOVED, meta.happened_at
    elif isinstance(event, BoxReceived):
        row.state, row.received_at = RECEIVED, meta.happened_at
    elif isinstance(event, BoxCounted):
        row.state, row.counts = COUNTING, event.count
    elif isinstance(event, BoxSettled):
        row.state, row.counted, row.differ = COUNTED, event.total, event.differ
        row.counted_at, row.counted_position = meta.happened_at, position
    elif isinstance(event, BoxCorrected):
        row.counted = event.now
        row.corrected += event.now - event.was


def _adjustment(row: Row[Event]) -> AdjustmentRow:
    position, stream, _, meta, event = row
    assert isinstance(event, BoxCorrected | FigureAdjusted), "asked for by kind"
    if isinstance(event, BoxCorrected):
        drop, figure, was, amount, win = event.drop, "drop", event.was, event.now - event.was, event.difference or 0
    else:
        drop, figure, was, amount, win = None, event.figure, None, event.amount, event.win
    return AdjustmentRow(
        site=meta.site,
        position=position,
        gaming_day=day_of(stream),
        table_name=event.table,
        session=event.session,
        stream=event.session_stream,
        currency=event.currency,
        drop_id=drop,
        figure=figure,
        was=was,
        amount=amount,
        win=win,
        reason=event.reason,
        proposed_by=event.proposer,
        approved_by=meta.approver or meta.actor,
        adjusted_at=meta.happened_at,
    )


_ADJUSTMENTS = Upsert("adjustments", AdjustmentRow, ("site", "position"))
_TRAYS = Upsert("tray_counts", TrayCountRow, ("site", "position"))
