"""The register of orphans: what progressives stopped for good still held, and where it has gone since."""

from __future__ import annotations

from datetime import datetime
from typing import Any, LiteralString

import msgspec
import psycopg
from msgspec import Struct

from domain.events.progressive import FundsSent, Orphan, ProgressiveOrphaned, ProgressiveStarted
from projections.jackpot_days import JackpotDays
from projections.reads.progressives import RecordView, records_at
from projections.reads.snapshot import Snapshot, snapshot

MOST = 1_000
"""Entries told, the oldest first; and recoveries of one entry."""


class Recovery(Struct):
    """A level's money that went to another progressive: the entry in red, referring to its original.

    amount_u: millionths of a minor unit, as decimal text.
    """

    level: int
    to: str
    to_level: int
    amount_u: str
    at: datetime
    actor: str
    approver: str | None
    position: int


class OrphanLevel(Struct):
    """increment_u: the players' part, base_u: the house's own; millionths of a minor unit, as decimal text."""

    level: int
    increment_u: str
    base_u: str


class OrphanEntry(Struct):
    """One entry. state: `open`, `recovered` (all levels have gone elsewhere), or `resumed` (it was started again)."""

    progressive: str
    position: int
    at: datetime
    actor: str
    approver: str | None
    reason: str
    recoverable_until: str
    levels: list[OrphanLevel]
    recovered: list[Recovery]
    state: str


class Orphans(Struct):
    position: int
    entries: list[OrphanEntry]


class _Entry(Struct):
    levels: list[Orphan]
    recoverable_until: str


def orphans(conn: psycopg.Connection[Any]) -> Orphans:
    """The whole register in the order of its entries."""
    with snapshot(conn) as look:
        found = look.rows(_ENTRIES, (ProgressiveOrphaned.TOPIC, MOST))
        entries = [_entry(look, progressive, position, before) for progressive, position, before in found]
        return Orphans(look.position(JackpotDays), entries)


_ENTRIES: LiteralString = """
SELECT progressive, position, lead(position) OVER (PARTITION BY site, progressive ORDER BY position)
FROM views.jackpot_records WHERE event = %s ORDER BY position LIMIT %s"""


def _entry(look: Snapshot, progressive: str, position: int, before: int | None) -> OrphanEntry:
    """An entry with what became of it, up to the next one of the same progressive."""
    of_it: list[tuple[LiteralString, object]] = [("progressive = %s", progressive)]
    (itself,) = records_at(look, [*of_it, ("position = %s", position)], 1)
    later: list[tuple[LiteralString, object]] = [*of_it, ("position > %s", position), ("position < %s", before)]
    sent = records_at(look, [*later, ("event = %s", FundsSent.TOPIC)], MOST)
    resumed = records_at(look, [*later, ("event = %s", ProgressiveStarted.TOPIC)], 1)
    said = msgspec.json.decode(itself.said, type=_Entry)
    recovered = [_recovery(one) for one in sent if not resumed or one.position < resumed[0].position]
    gone = {one.level for one in recovered} >= {one.level for one in said.levels}
    return OrphanEntry(
        progressive=progressive,
        position=position,
        at=itself.at,
        actor=itself.actor,
        approver=itself.approver,
        reason=itself.reason or "",
        recoverable_until=said.recoverable_until,
        levels=[OrphanLevel(one.level, str(one.increment_u), str(one.base_u)) for one in said.levels],
        recovered=recovered,
        state="recovered" if gone else "resumed" if resumed else "open",
    )


def _recovery(record: RecordView) -> Recovery:
    sent = msgspec.json.decode(record.said, type=FundsSent)
    amount_u = sent.display_u + sent.reserve_u + sent.overflow_u + sent.residue_u
    return Recovery(
        level=sent.level,
        to=sent.to,
        to_level=sent.to_level,
        amount_u=str(amount_u),
        at=record.at,
        actor=record.actor,
        approver=record.approver,
        position=record.position,
    )
