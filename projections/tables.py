"""`tables`: the floor as it stands, one row a table: its present session, limits, rounds and the tray expected.

| table | one row a | columns |
|---|---|---|
| views.tables | table | session and state, ruleset, limits, rounds, live round, expected tray, last activity |

What still happens on the stream of a session that is no longer the table's own does not move its row.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar

import msgspec
import psycopg

from domain.events.chips import BuyIn, CreditSent, FillReceived, TipDropped
from domain.events.outcome import RoundClosed
from domain.events.play import RoundOpened
from domain.events.session import LimitsPosted, SessionClosed, SessionOpened
from projections.flows import FLOW_TOPICS, flows
from projections.log_reader import Batch
from projections.store import Cursor, Update, Upsert

OPEN, CLOSED = "open", "closed"

_ACTIVITY = (
    SessionOpened,
    SessionClosed,
    LimitsPosted,
    RoundOpened,
    RoundClosed,
    BuyIn,
    FillReceived,
    CreditSent,
    TipDropped,
)


class TableRow(msgspec.Struct):
    site: str
    table_name: str
    stream: str
    session: str
    state: str
    gaming_day: str
    shift: str
    ruleset: str
    ruleset_version: int
    currency: str
    chip: int
    min: int
    max: int
    max_payout_per_box: int | None
    progressive: str | None
    opened_at: datetime
    closed_at: datetime | None
    opener: int
    closer: int | None
    rounds: int
    live_round: str | None
    tray: int
    last_activity: datetime


class MoveRow(msgspec.Struct):
    """What a batch does to a session: sums, and the last word where only the last counts."""

    site: str
    stream: str
    last_activity: datetime | None = None
    rounds: int = 0
    tray: int = 0
    round_moved: bool = False
    live_round: str | None = None
    limits_moved: bool = False
    min: int | None = None
    max: int | None = None
    max_payout_per_box: int | None = None
    closed_at: datetime | None = None
    closer: int | None = None


class Changes(msgspec.Struct):
    opened: list[TableRow]
    moved: list[MoveRow]


class Tables:
    """The projection."""

    name: ClassVar[str] = "tables"
    version: ClassVar[int] = 1
    topics: ClassVar[frozenset[str]] = FLOW_TOPICS | {kind.TOPIC for kind in _ACTIVITY}
    tables: ClassVar[Sequence[str]] = ("tables",)

    def load(self, conn: psycopg.Connection[Any], schema: str, batch: Batch) -> None:
        """Nothing is needed."""

    def fold(self, batch: Batch) -> Changes:
        """The tables opened in the batch as far as they got, and what moved in sessions opened before it."""
        moves = _moves(batch)
        opened: dict[tuple[str, str], TableRow] = {}
        superseded: set[str] = set()
        for _, stream, _, meta, event in batch.of(SessionOpened):
            before = opened.get((meta.site, event.table))
            if before is not None:
                superseded.add(before.stream)
            opened[meta.site, event.table] = _opened(meta.site, stream, meta.happened_at, event)
        for row in opened.values():
            _apply(row, moves.pop(row.stream))
        return Changes(list(opened.values()), [move for s, move in moves.items() if s not in superseded])

    def store(self, cursor: Cursor, schema: str, changes: Changes) -> None:
        _MOVED.run(cursor, schema, changes.moved)  # first: they belong to the sessions from before this batch
        _OPENED.run(cursor, schema, changes.opened)

    def forget(self) -> None:
        """Nothing is kept."""


def _moves(batch: Batch) -> dict[str, MoveRow]:
    moves: dict[str, MoveRow] = {}
    for _, stream, _, meta, event in batch.merged(*_ACTIVITY):
        move = moves.get(stream)
        if move is None:
            move = moves[stream] = MoveRow(meta.site, stream)
        if move.last_activity is None or meta.happened_at > move.last_activity:
            move.last_activity = meta.happened_at
        if isinstance(event, RoundClosed):
            move.rounds += 1
            move.round_moved, move.live_round = True, None
        elif isinstance(event, RoundOpened):
            move.round_moved, move.live_round = True, event.round
        elif isinstance(event, LimitsPosted):
            move.limits_moved = True
            move.min, move.max, move.max_payout_per_box = event.min, event.max, event.max_payout_per_box
        elif isinstance(event, SessionClosed):
            move.closed_at, move.closer = meta.happened_at, event.closer_total
    for flow in flows(batch):
        move = moves.get(flow.stream)
        if move is None:  # stakes alone are no activity by themselves: their round's opening or close is
            move = moves[flow.stream] = MoveRow(flow.site, flow.stream)
        move.tray += flow.tray()
    return moves


def _opened(site: str, stream: str, at: datetime, event: SessionOpened) -> TableRow:
    return TableRow(
        site=site,
        table_name=event.table,
        stream=stream,
        session=event.session,
        state=OPEN,
        gaming_day=event.gaming_day,
        shift=event.shift,
        ruleset=event.ruleset,
        ruleset_version=event.ruleset_version,
        currency=event.currency,
        chip=event.chip,
        min=event.min,
        max=event.max,
        max_payout_per_box=event.max_payout_per_box,
        progressive=event.progressive,
        opened_at=at,
        closed_at=None,
        opener=event.opener_total,
        closer=None,
        rounds=0,
        live_round=None,
        tray=0,
        last_activity=at,
    )


def _apply(row: TableRow, move: MoveRow) -> None:
    row.rounds += move.rounds
    row.tray += move.tray
    if move.last_activity is not None:
        row.last_activity = max(row.last_activity, move.last_activity)
    if move.round_moved:
        row.live_round = move.live_round
    if move.limits_moved:
        assert move.min is not None, "posted limits have a minimum"
        assert move.max is not None, "posted limits have a maximum"
        row.min, row.max, row.max_payout_per_box = move.min, move.max, move.max_payout_per_box
    if move.closed_at is not None:
        row.state, row.closed_at, row.closer = CLOSED, move.closed_at, move.closer


_OPENED = Upsert("tables", TableRow, ("site", "table_name"))
_MOVED = Update(
    "tables",
    MoveRow,
    ("site", "stream"),
    """rounds = t.rounds + r.rounds,
       tray = t.tray + r.tray,
       last_activity = greatest(t.last_activity, r.last_activity),
       live_round = CASE WHEN r.round_moved THEN r.live_round ELSE t.live_round END,
       min = CASE WHEN r.limits_moved THEN r.min ELSE t.min END,
       max = CASE WHEN r.limits_moved THEN r.max ELSE t.max END,
       max_payout_per_box = CASE WHEN r.limits_moved THEN r.max_payout_per_box ELSE t.max_payout_per_box END,
       state = CASE WHEN r.closed_at IS NULL THEN t.state ELSE 'closed' END,
       closed_at = coalesce(r.closed_at, t.closed_at),
       closer = coalesce(r.closer, t.closer)""",
)
