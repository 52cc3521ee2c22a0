"""The rows of `jackpot_days`, and what each event says of a level in its own words."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from domain.events.base import Event
from domain.events.jackpot import JackpotContributed, JackpotHit
from domain.events.progressive import (
    FundsReceived,
    FundsSent,
    HitRejected,
    MeterAdjusted,
    ProgressiveOpened,
    TermsChanged,
)
from domain.money import MICRO
from domain.progressive.meters import Level
from projections.journal import day_of
from projections.log_reader import Row

_ENCODER = msgspec.json.Encoder()


class MetersRow(msgspec.Struct):
    site: str
    progressive: str
    meters: str


class DayRow(msgspec.Struct):
    """A level's sums of a gaming day, added to what stands there; `_u` in millionths of a minor unit.

    stakes, in_u: contributions recorded; stakes_taken, taken_u: jackpot stakes that tables took, which must be as many.
    increments_u and reserve_shares_u are stake x rate in force. moved_*: by how much the fold moved the balance.
    rest: overflow and residue together.
    """

    site: str
    progressive: str
    level: int
    gaming_day: str
    stakes: int = 0
    stakes_taken: int = 0
    in_u: int = 0
    taken_u: int = 0
    increments_u: int = 0
    reserve_shares_u: int = 0
    overflowed_u: int = 0
    from_house_u: int = 0
    from_reserve_u: int = 0
    awards_u: int = 0
    house_prizes_u: int = 0
    adjusted_display_u: int = 0
    adjusted_reserve_u: int = 0
    adjusted_rest_u: int = 0
    transferred_display_u: int = 0
    transferred_reserve_u: int = 0
    transferred_rest_u: int = 0
    hits: int = 0
    wins: int = 0
    moved_display_u: int = 0
    moved_reserve_u: int = 0
    moved_rest_u: int = 0
    moved_base_u: int = 0


class RecordRow(msgspec.Struct):
    """display_*_u: the level's meter around the event; null where the event is of no one level."""

    site: str
    progressive: str
    position: int
    event: str
    level: int | None
    gaming_day: str
    happened_at: datetime
    actor: str
    approver: str | None
    approval: str | None
    reason: str | None
    display_before_u: int | None
    display_after_u: int | None
    said: str


def says(row: DayRow, event: Event, level: Level) -> int:
    """Add what the event says of the level; gives what it says of overflow and residue. level: as it stood before."""
    rule = _RULES.get(type(event))
    return 0 if rule is None else rule(row, event, level)


def _contributed(row: DayRow, event: JackpotContributed, level: Level) -> int:
    # The rates in force, not the shares that the event carries: those are what the fold adds.
    row.stakes += 1
    row.in_u += event.stake * MICRO
    row.increments_u += event.stake * level.terms.increment_ppm
    row.reserve_shares_u += event.stake * level.terms.reserve_ppm
    return 0


def _hit(row: DayRow, event: JackpotHit, _level: Level) -> int:
    row.hits += 1
    row.wins += event.award
    if event.charged_to == "meter":
        row.awards_u += event.award * MICRO
    else:
        row.house_prizes_u += event.award * MICRO
    row.from_house_u += event.reset_from_house_u
    row.from_reserve_u += event.reset_from_reserve_u
    return 0


def _rejected(row: DayRow, event: HitRejected, _level: Level) -> int:
    row.hits -= 1
    row.wins -= event.award
    row.awards_u -= event.award * MICRO
    row.from_house_u -= event.to_house_u
    row.from_reserve_u -= event.to_reserve_u
    return 0


def _adjusted(row: DayRow, event: MeterAdjusted, _level: Level) -> int:
    if event.balance == "display":
        row.adjusted_display_u += event.amount_u
        return 0
    if event.balance == "reserve":
        row.adjusted_reserve_u += event.amount_u
        return 0
    row.adjusted_rest_u += event.amount_u
    return event.amount_u


def _sent(row: DayRow, event: FundsSent, _level: Level) -> int:
    row.transferred_display_u -= event.display_u
    row.transferred_reserve_u -= event.reserve_u
    rest = event.overflow_u + event.residue_u
    row.transferred_rest_u -= rest
    return -rest


def _received(row: DayRow, event: FundsReceived, _level: Level) -> int:
    row.transferred_display_u += event.display_u
    row.transferred_reserve_u += event.reserve_u
    return 0


_RULES: dict[type[Event], Any] = {
    JackpotContributed: _contributed,
    JackpotHit: _hit,
    HitRejected: _rejected,
    MeterAdjusted: _adjusted,
    FundsSent: _sent,
    FundsReceived: _received,
}


def levels_named(event: Event) -> tuple[int, ...]:
    """The levels that an event may move or make."""
    if isinstance(event, JackpotContributed):
        return tuple(share.level for share in event.shares)
    if isinstance(event, ProgressiveOpened | TermsChanged):
        return tuple(terms.level for terms in event.levels)
    number = getattr(event, "level", None)
    return () if number is None else (number,)


def record_row(row: Row[Event], before_u: int | None, after_u: int | None) -> RecordRow:
    """An event of a progressive's life as it is remembered."""
    position, _, _, meta, event = row
    levels = levels_named(event)
    return RecordRow(
        site=meta.site,
        progressive=event.progressive,  # type: ignore[attr-defined]
        position=position,
        event=event.TOPIC,
        level=getattr(event, "level", None) if levels else None,
        gaming_day=day_of(meta),
        happened_at=meta.happened_at,
        actor=meta.actor,
        approver=meta.approver,
        approval=getattr(event, "approval", None),
        reason=getattr(event, "reason", None),
        display_before_u=before_u,
        display_after_u=after_u,
        said=_ENCODER.encode(event).decode(),
    )
