"""The rows of `jackpot_meters`, and how each is made of what the log says."""

from __future__ import annotations

from datetime import datetime

import msgspec

from domain.events.base import Event
from domain.events.jackpot import JackpotHit, JackpotPaid
from domain.events.progressive import HitPaid, HitRejected, HitShown, HitStepTaken
from domain.progressive.meters import Level, Meters, hit_id
from projections.log_reader import Row
from projections.sessions import table_of

NORMAL, PENDING, STOPPED = "NORMAL", "PENDING", "STOPPED"

_ENCODER = msgspec.json.Encoder()


class MeterRow(msgspec.Struct):
    site: str
    progressive: str
    currency: str
    state: str
    meters: str
    position: int


class HistoryRow(msgspec.Struct):
    site: str
    progressive: str
    level: int
    hour: datetime
    position: int
    display_u: int
    base_u: int
    reserve_u: int
    overflow_u: int
    residue_u: int
    house_u: int
    contributed_u: int
    adjusted_u: int
    transferred_u: int
    charged_u: int
    in_u: int
    hits: int
    wins: int


class HitRow(msgspec.Struct):
    site: str
    hit: str
    progressive: str
    level: int
    stream: str
    table_name: str
    gaming_day: str | None
    round: str
    box: int
    player: str | None
    hand: str
    clause: str
    award: int
    charged_to: str
    share_ppm: int | None
    prize: int | None
    meter_before_u: int
    meter_after_u: int
    residue_u: int
    base_u: int
    reset_from_reserve_u: int
    reset_from_house_u: int
    pending: bool
    winner: int
    winners: int
    position: int
    event_id: str
    actor: str
    happened_at: datetime


class PaidRow(msgspec.Struct):
    site: str
    hit: str
    paid: int
    paid_by: str
    paid_position: int
    paid_at: datetime
    paid_actor: str


class RejectedRow(msgspec.Struct):
    site: str
    hit: str
    rejected: str
    rejected_position: int
    rejected_at: datetime
    rejected_actor: str


class StepRow(msgspec.Struct):
    site: str
    hit: str
    position: int
    step: str
    note: str
    actor: str
    happened_at: datetime
    role: str
    result: str


class ShownRow(msgspec.Struct):
    site: str
    hit: str
    display: str
    shown_at: datetime
    position: int


class Changes(msgspec.Struct):
    """What a batch does to the jackpots."""

    meters: list[MeterRow]
    history: list[HistoryRow]
    hits: list[HitRow]
    paid: list[PaidRow]
    rejected: list[RejectedRow]
    steps: list[StepRow]
    shown: list[ShownRow]


def state_of(meters: Meters) -> str:
    """What a display shows beside the amount; a stopped one is stopped, whatever waits for payment."""
    if meters.stopped:
        return STOPPED
    return PENDING if meters.pending else NORMAL


def meter_row(site: str, meters: Meters, position: int) -> MeterRow:
    """A progressive as it stands: the checkpoint."""
    encoded = _ENCODER.encode(meters).decode()
    return MeterRow(site, meters.progressive, meters.currency, state_of(meters), encoded, position)


def history_row(site: str, progressive: str, number: int, hour: datetime, position: int, level: Level) -> HistoryRow:  # noqa: PLR0917
    """A level as it stands after the event at `position`."""
    return HistoryRow(
        site=site,
        progressive=progressive,
        level=number,
        hour=hour,
        position=position,
        display_u=level.display_u,
        base_u=level.base_u,
        reserve_u=level.reserve_u,
        overflow_u=level.overflow_u,
        residue_u=level.residue_u,
        house_u=level.house_u,
        contributed_u=level.contributed_u,
        adjusted_u=level.adjusted_u,
        transferred_u=level.transferred_u,
        charged_u=level.charged_u,
        in_u=level.in_u,
        hits=level.hits,
        wins=level.wins,
    )


def hit_row(row: Row[Event], hit: JackpotHit) -> HitRow:
    """A hit as it is recorded."""
    position, stream, _, meta, _ = row
    return HitRow(
        site=meta.site,
        hit=hit_id(hit),
        progressive=hit.progressive,
        level=hit.level,
        stream=stream,
        table_name=table_of(stream),
        gaming_day=meta.gaming_day,
        round=hit.round,
        box=hit.box,
        player=hit.player,
        hand=hit.hand,
        clause=hit.clause,
        award=hit.award,
        charged_to=hit.charged_to,
        share_ppm=hit.share_ppm,
        prize=hit.prize,
        meter_before_u=hit.meter_before_u,
        meter_after_u=hit.meter_after_u,
        residue_u=hit.residue_u,
        base_u=hit.base_u,
        reset_from_reserve_u=hit.reset_from_reserve_u,
        reset_from_house_u=hit.reset_from_house_u,
        pending=hit.pending,
        winner=hit.winner,
        winners=hit.winners,
        position=position,
        event_id=meta.event_id,
        actor=meta.actor,
        happened_at=meta.happened_at,
    )


def paid_row(row: Row[Event], event: JackpotPaid | HitPaid) -> PaidRow:
    """A hit's payment."""
    position, _, _, meta, _ = row
    return PaidRow(meta.site, event.hit, event.amount, event.paid_by, position, meta.happened_at, meta.actor)


def rejected_row(row: Row[Event], event: HitRejected) -> RejectedRow:
    """A hit that was none."""
    position, _, _, meta, _ = row
    return RejectedRow(meta.site, event.hit, event.reason, position, meta.happened_at, meta.actor)


def step_row(row: Row[Event], event: HitStepTaken) -> StepRow:
    """A step of a hit's verification."""
    position, _, _, meta, _ = row
    return StepRow(
        site=meta.site,
        hit=event.hit,
        position=position,
        step=event.step,
        note=event.note,
        actor=meta.actor,
        happened_at=meta.happened_at,
        role=event.role,
        result=event.result,
    )


def shown_rows(row: Row[Event], event: HitShown) -> list[ShownRow]:
    """Displays that have shown a hit; the act sees to it that each says so once."""
    position, _, _, meta, _ = row
    return [ShownRow(meta.site, event.hit, one.display, one.shown_at, position) for one in event.displays]
