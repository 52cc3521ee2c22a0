"""`paper`: slips of jackpot payments with their numbers, and every print that was made of any slip.

| table | one row a | columns |
|---|---|---|
| views.hand_pay_slips | payment of a hit | slip, number of its gaming day, hit, amount, instrument, who and when |
| views.slip_prints | print | kind and slip, number of the print from 1, who and when |
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar

import msgspec
import psycopg

from domain.events.slips import HandPaySlipIssued, SlipPrinted
from projections.journal import day_of
from projections.log_reader import Batch
from projections.store import Cursor, Upsert


class IssuedRow(msgspec.Struct):
    site: str
    slip: str
    number: int
    progressive: str
    hit: str
    amount: int
    instrument: str
    paid_by: str
    gaming_day: str
    actor: str
    issued_at: datetime
    position: int


class PrintRow(msgspec.Struct):
    site: str
    kind: str
    slip: str
    number: int
    actor: str
    printed_at: datetime
    position: int


class Changes(msgspec.Struct):
    """What a batch adds."""

    issued: list[IssuedRow]
    prints: list[PrintRow]


class Paper:
    """The projection; it keeps nothing in memory."""

    name: ClassVar[str] = "paper"
    version: ClassVar[int] = 1
    topics: ClassVar[frozenset[str]] = frozenset((HandPaySlipIssued.TOPIC, SlipPrinted.TOPIC))
    tables: ClassVar[Sequence[str]] = ("hand_pay_slips", "slip_prints")

    def load(self, conn: psycopg.Connection[Any], schema: str, batch: Batch) -> None:
        """Nothing: an event says all there is to know."""

    def fold(self, batch: Batch) -> Changes:
        """A row an event."""
        issued = [
            IssuedRow(
                site=meta.site,
                slip=event.slip,
                number=event.number,
                progressive=event.progressive,
                hit=event.hit,
                amount=event.amount,
                instrument=event.instrument,
                paid_by=event.paid_by,
                gaming_day=day_of(meta),
                actor=meta.actor,
                issued_at=meta.happened_at,
                position=position,
            )
            for position, _, _, meta, event in batch.of(HandPaySlipIssued)
        ]
        prints = [
            PrintRow(meta.site, event.kind, event.slip, event.number, meta.actor, meta.happened_at, position)
            for position, _, _, meta, event in batch.of(SlipPrinted)
        ]
        return Changes(issued, prints)

    def store(self, cursor: Cursor, schema: str, changes: Changes) -> None:
        _ISSUED.run(cursor, schema, changes.issued)
        _PRINTS.run(cursor, schema, changes.prints)

    def forget(self) -> None:
        """Nothing is kept."""


_ISSUED = Upsert("hand_pay_slips", IssuedRow, ("site", "slip"))
_PRINTS = Upsert("slip_prints", PrintRow, ("site", "kind", "slip", "number"))
