"""`jackpot_meters`: every progressive's meters, their history by the hour, and each hit from claim to payment.

The tables, and how another reader finds the CHECKPOINT (the save that records a hit takes it under the commit lock,
folds the log after it, and awards):

    SELECT p.at, m.site, m.progressive, m.meters
    FROM views.positions p LEFT JOIN views.jackpot_meters m ON true
    WHERE p.name = 'jackpot_meters' AND p.version = 1

`at` and the rows are one snapshot: `meters` (JSON text of `domain.progressive.meters.Meters`) is true at position `at`.
No row, or no position: fold from zero. `views.jackpot_meters.position` is the last event that moved this progressive.

| table | one row a | columns |
|---|---|---|
| views.jackpot_meters | progressive | site, progressive, currency, state (NORMAL, PENDING, STOPPED), meters, position |
| views.jackpot_history | level and hour | position and the fields of `Level` after the last event of that hour |
| views.jackpot_hits | hit | all a hit says, where and by whom; paid, paid_by, paid_position, paid_at, paid_actor |
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar

import msgspec
import psycopg
from psycopg import sql

from domain.events.base import Event, Meta
from domain.events.jackpot import JackpotHit, JackpotPaid
from domain.events.progressive import HitPaid
from domain.progressive.folding import FOLDED, fold
from domain.progressive.meters import Meters, hit_id
from projections.fold import FoldError
from projections.log_reader import Batch, Row, hour_of
from projections.sessions import table_of
from projections.store import Cursor, Update, Upsert, table

NAME = "jackpot_meters"
VERSION = 1

EVENTS: tuple[type[Event], ...] = (*FOLDED, JackpotPaid)

NORMAL, PENDING, STOPPED = "NORMAL", "PENDING", "STOPPED"

_DECODER = msgspec.json.Decoder(Meters)
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


class Changes(msgspec.Struct):
    """What a batch does to the jackpots."""

    meters: list[MeterRow]
    history: list[HistoryRow]
    hits: list[HitRow]
    paid: list[PaidRow]


class JackpotMeters:
    """The projection. Keeps the meters in memory between batches; the tables are their checkpoint."""

    name: ClassVar[str] = NAME
    version: ClassVar[int] = VERSION
    topics: ClassVar[frozenset[str]] = frozenset(kind.TOPIC for kind in EVENTS)
    tables: ClassVar[Sequence[str]] = ("jackpot_meters", "jackpot_history", "jackpot_hits")

    def __init__(self) -> None:
        self._meters: dict[str, dict[str, Meters]] | None = None

    def load(self, conn: psycopg.Connection[Any], schema: str, batch: Batch) -> None:  # noqa: ARG002
        """The checkpoint, read once."""
        if self._meters is not None:
            return
        found: dict[str, dict[str, Meters]] = defaultdict(dict)
        statement = sql.SQL("SELECT site, progressive, meters FROM {}").format(table(schema, "jackpot_meters"))
        for site, progressive, meters in conn.execute(statement).fetchall():
            found[site][progressive] = _DECODER.decode(meters)
        self._meters = found

    def fold(self, batch: Batch) -> Changes:
        """Move the meters through the batch."""
        assert self._meters is not None, "load comes before fold"
        folding = _Folding(self._meters)
        for row in batch.merged(*EVENTS):
            try:
                folding.take(row)
            except (KeyError, AssertionError) as error:
                raise FoldError(row[0], f"{row[4].TOPIC}: {error!r}") from error
        return folding.changes()

    def store(self, cursor: Cursor, schema: str, changes: Changes) -> None:
        _METERS.run(cursor, schema, changes.meters)
        _HISTORY.run(cursor, schema, changes.history)
        _HITS.run(cursor, schema, changes.hits)
        _PAID.run(cursor, schema, changes.paid)

    def forget(self) -> None:
        self._meters = None


class _Folding:
    """One batch on its way through the meters of all sites."""

    def __init__(self, meters: dict[str, dict[str, Meters]]) -> None:
        self.meters = meters
        self.last: dict[tuple[str, str], tuple[int, datetime]] = {}
        self.history: dict[tuple[str, str, int, datetime], HistoryRow] = {}
        self.hits: list[HitRow] = []
        self.paid: dict[tuple[str, str], PaidRow] = {}

    def take(self, row: Row[Event]) -> None:
        position, _, _, meta, event = row
        if isinstance(event, JackpotPaid | HitPaid):
            self._pay(position, meta, event)
            if isinstance(event, JackpotPaid):  # computes nothing: the hit has moved the meter already
                return
        of_site = self.meters[meta.site] if meta.site in self.meters else self.meters.setdefault(meta.site, {})
        progressive: str = event.progressive  # type: ignore[attr-defined]
        key = (meta.site, progressive)
        before = self.last.get(key)
        hour = hour_of(meta.happened_at)
        if before is not None and before[1] != hour:
            self._remember(key, *before)
        fold(of_site, event)
        self.last[key] = (position, hour)
        if isinstance(event, JackpotHit):
            self.hits.append(_hit_row(row, event))

    def _pay(self, position: int, meta: Meta, event: JackpotPaid | HitPaid) -> None:
        paid = PaidRow(meta.site, event.hit, event.amount, event.paid_by, position, meta.happened_at, meta.actor)
        self.paid.setdefault((meta.site, event.hit), paid)

    def _remember(self, key: tuple[str, str], position: int, hour: datetime) -> None:
        site, progressive = key
        for number, level in self.meters[site][progressive].levels.items():
            self.history[site, progressive, number, hour] = HistoryRow(
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
                charged_u=level.charged_u,
                in_u=level.in_u,
                hits=level.hits,
                wins=level.wins,
            )

    def changes(self) -> Changes:
        meters = []
        for key, (position, hour) in self.last.items():
            self._remember(key, position, hour)
            meters.append(_meter_row(key[0], self.meters[key[0]][key[1]], position))
        return Changes(meters, list(self.history.values()), self.hits, list(self.paid.values()))


def state_of(meters: Meters) -> str:
    """What a display shows beside the amount."""
    if meters.pending:
        return PENDING
    return STOPPED if meters.stopped else NORMAL


def _meter_row(site: str, meters: Meters, position: int) -> MeterRow:
    encoded = _ENCODER.encode(meters).decode()
    return MeterRow(site, meters.progressive, meters.currency, state_of(meters), encoded, position)


def _hit_row(row: Row[Event], hit: JackpotHit) -> HitRow:
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
        position=position,
        event_id=meta.event_id,
        actor=meta.actor,
        happened_at=meta.happened_at,
    )


_METERS = Upsert("jackpot_meters", MeterRow, ("site", "progressive"))
_HISTORY = Upsert("jackpot_history", HistoryRow, ("site", "progressive", "level", "hour"))
_HITS = Upsert("jackpot_hits", HitRow, ("site", "hit"))
# A hit paid from the tray is said twice, on the table's stream and on the progressive's: the first one stands.
_PAID = Update(
    "jackpot_hits",
    PaidRow,
    ("site", "hit"),
    """paid = coalesce(t.paid, r.paid), paid_by = coalesce(t.paid_by, r.paid_by),
       paid_position = coalesce(t.paid_position, r.paid_position), paid_at = coalesce(t.paid_at, r.paid_at),
       paid_actor = coalesce(t.paid_actor, r.paid_actor)""",
)
