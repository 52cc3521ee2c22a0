"""`cage`: cashiers' shifts at their windows, and the money rules as adopted.

| table | one row a | columns |
|---|---|---|
| views.cage_shifts | cashier's shift at a window | opening, what it should hold, trades, transfers, closing count |
| views.money_rules | adoption of money rules | from which gaming day, the rules as JSON |
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar

import msgspec
import psycopg

from domain.cage import change
from domain.events.base import Event, Meta
from domain.events.cage import (
    ChipsRedeemed,
    ChipsSold,
    CreditTaken,
    FillServed,
    FillTakenBack,
    HandoverOffered,
    HandPaid,
    TransferArrived,
    TransferReceived,
    TransferSent,
    WindowClosed,
    WindowOpened,
)
from domain.events.rules import RulesAdopted
from projections.fold import FoldError
from projections.kept import Kept
from projections.log_reader import Batch
from projections.store import Cursor, Upsert

OPEN, OFFERED, CLOSED = "open", "offered", "closed"

_EVENTS = (
    WindowOpened,
    ChipsSold,
    ChipsRedeemed,
    HandPaid,
    FillServed,
    FillTakenBack,
    CreditTaken,
    TransferSent,
    TransferReceived,
    TransferArrived,
    HandoverOffered,
    WindowClosed,
)


class ShiftRow(msgspec.Struct):
    site: str
    stream: str
    window_name: str
    cage_shift: str
    gaming_day: str
    shift: str
    cashier: str
    currency: str
    state: str
    opened_at: datetime
    opening_cash: int
    opening_chips: int
    taken_over: str | None
    cash: int = 0
    chips: int = 0
    sold: int = 0
    redeemed: int = 0
    hand_paid: int = 0
    sent: int = 0
    received: int = 0
    in_transit: int = 0
    closed_at: datetime | None = None
    counted_cash: int | None = None
    counted_chips: int | None = None
    over_short: int | None = None
    handed_to: str | None = None
    position: int = 0
    fills: int = 0
    credits: int = 0


class RulesRow(msgspec.Struct):
    site: str
    position: int
    valid_from: str
    rules: str
    adopted_at: datetime
    approver: str | None


class Changes(msgspec.Struct):
    shifts: list[ShiftRow]
    rules: list[RulesRow]


class Cage:
    """The projection."""

    name: ClassVar[str] = "cage"
    version: ClassVar[int] = 1
    topics: ClassVar[frozenset[str]] = frozenset(kind.TOPIC for kind in (*_EVENTS, RulesAdopted))
    tables: ClassVar[Sequence[str]] = ("cage_shifts", "money_rules")

    def __init__(self) -> None:
        self._shifts = Kept("cage_shifts", ShiftRow, ("site", "stream"))

    def load(self, conn: psycopg.Connection[Any], schema: str, batch: Batch) -> None:
        self._shifts.fetch(conn, schema, "stream", {row[1] for row in batch.merged(*_EVENTS)})

    def fold(self, batch: Batch) -> Changes:
        """The shifts of the batch as they now stand, and what rules were adopted."""
        for position, stream, _, meta, event in batch.merged(*_EVENTS):
            if isinstance(event, WindowOpened):
                row = self._shifts.put(_opened(stream, meta, event))
            else:
                found = self._shifts.get(meta.site, stream)
                if found is None:
                    raise FoldError(position, f"{stream} does not begin with its window's opening")
                row = found
            cash, chips = change(event)
            row.cash += cash
            row.chips += chips
            row.position = position
            _move(row, meta, event)
        rules = [
            RulesRow(
                site=meta.site,
                position=position,
                valid_from=adopted.rules.valid_from,
                rules=msgspec.json.encode(adopted.rules).decode(),
                adopted_at=meta.happened_at,
                approver=meta.approver,
            )
            for position, _, _, meta, adopted in batch.of(RulesAdopted)
        ]
        return Changes(self._shifts.taken(), rules)

    def store(self, cursor: Cursor, schema: str, changes: Changes) -> None:
        self._shifts.store(cursor, schema, changes.shifts)
        _RULES.run(cursor, schema, changes.rules)

    def forget(self) -> None:
        self._shifts.rows.clear()


def _opened(stream: str, meta: Meta, e: WindowOpened) -> ShiftRow:
    return ShiftRow(
        site=meta.site,
        stream=stream,
        window_name=e.window,
        cage_shift=e.cage_shift,
        gaming_day=e.gaming_day,
        shift=e.shift,
        cashier=meta.actor,
        currency=e.currency,
        state=OPEN,
        opened_at=meta.happened_at,
        opening_cash=e.cash_total,
        opening_chips=e.chips_total,
        taken_over=e.taken_over,
    )


def _move(row: ShiftRow, meta: Meta, event: Event) -> None:
    match event:
        case ChipsSold():
            row.sold += event.amount
        case ChipsRedeemed():
            row.redeemed += event.amount
        case HandPaid():
            row.hand_paid += event.amount
        case FillServed():
            row.fills += event.amount
        case FillTakenBack():
            row.fills -= event.amount
        case CreditTaken():
            row.credits += event.amount
        case TransferSent():
            row.sent += event.cash + event.chips
            row.in_transit += 1
        case TransferReceived():
            row.received += event.cash + event.chips
        case TransferArrived():
            row.in_transit -= 1
        case HandoverOffered():
            row.state = OFFERED
        case WindowClosed():
            row.state, row.closed_at, row.handed_to = CLOSED, meta.happened_at, event.handed_to
            row.counted_cash, row.counted_chips, row.over_short = event.cash_total, event.chips_total, event.over_short


_RULES = Upsert("money_rules", RulesRow, ("site", "position"))
