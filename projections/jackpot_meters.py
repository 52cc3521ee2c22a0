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
| views.jackpot_hits | hit | all a hit says, where and by whom; when it was paid or rejected, and by whom |
| views.jackpot_steps | step of a hit's verification | step, result, note, who, in which duty, and when |
| views.jackpot_shown | display that has shown a hit | its name, since when |
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar

import msgspec
import psycopg
from psycopg import sql

from domain.events.base import Event
from domain.events.jackpot import JackpotHit, JackpotPaid
from domain.events.progressive import HitPaid, HitRejected, HitShown, HitStepTaken
from domain.progressive.folding import FOLDED, fold
from domain.progressive.meters import Meters
from projections.fold import FoldError
from projections.jackpot_rows import (
    Changes,
    HistoryRow,
    HitRow,
    MeterRow,
    PaidRow,
    RejectedRow,
    ShownRow,
    StepRow,
    history_row,
    hit_row,
    meter_row,
    paid_row,
    rejected_row,
    shown_rows,
    step_row,
)
from projections.log_reader import Batch, Row, hour_of
from projections.store import Cursor, Update, Upsert, table

EVENTS: tuple[type[Event], ...] = (*FOLDED, JackpotPaid, HitStepTaken, HitShown)

_DECODER = msgspec.json.Decoder(Meters)


class JackpotMeters:
    """The projection. Keeps the meters in memory between batches; the tables are their checkpoint."""

    name: ClassVar[str] = "jackpot_meters"
    version: ClassVar[int] = 1
    topics: ClassVar[frozenset[str]] = frozenset(kind.TOPIC for kind in EVENTS)
    tables: ClassVar[Sequence[str]] = (
        "jackpot_meters",
        "jackpot_history",
        "jackpot_hits",
        "jackpot_steps",
        "jackpot_shown",
    )

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
        _REJECTED.run(cursor, schema, changes.rejected)
        _STEPS.run(cursor, schema, changes.steps)
        _SHOWN.run(cursor, schema, changes.shown)

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
        self.rejected: list[RejectedRow] = []
        self.steps: list[StepRow] = []
        self.shown: list[ShownRow] = []

    def take(self, row: Row[Event]) -> None:
        event = row[4]
        if isinstance(event, JackpotPaid):  # computes nothing: the hit has moved the meter already
            self._paid(row, event)
        elif isinstance(event, HitStepTaken):
            self.steps.append(step_row(row, event))
        elif isinstance(event, HitShown):
            self.shown += shown_rows(row, event)
        else:
            self._move(row, event)

    def _move(self, row: Row[Event], event: Event) -> None:
        position, _, _, meta, _ = row
        progressive: str = event.progressive  # type: ignore[attr-defined]
        key = (meta.site, progressive)
        before = self.last.get(key)
        hour = hour_of(meta.happened_at)
        if before is not None and before[1] != hour:
            self._remember(key, *before)
        fold(self.meters.setdefault(meta.site, {}), event)
        self.last[key] = (position, hour)
        if isinstance(event, JackpotHit):
            self.hits.append(hit_row(row, event))
        elif isinstance(event, HitPaid):
            self._paid(row, event)
        elif isinstance(event, HitRejected):
            self.rejected.append(rejected_row(row, event))

    def _paid(self, row: Row[Event], event: JackpotPaid | HitPaid) -> None:
        self.paid.setdefault((row[3].site, event.hit), paid_row(row, event))

    def _remember(self, key: tuple[str, str], position: int, hour: datetime) -> None:
        site, progressive = key
        for number, level in self.meters[site][progressive].levels.items():
            self.history[site, progressive, number, hour] = history_row(
                site, progressive, number, hour, position, level
            )

    def changes(self) -> Changes:
        meters = []
        for key, (position, hour) in self.last.items():
            self._remember(key, position, hour)
            meters.append(meter_row(key[0], self.meters[key[0]][key[1]], position))
        history, paid = list(self.history.values()), list(self.paid.values())
        return Changes(meters, history, self.hits, paid, self.rejected, self.steps, self.shown)


_HIT_KEY = ("site", "hit")
_METERS = Upsert("jackpot_meters", MeterRow, ("site", "progressive"))
_HISTORY = Upsert("jackpot_history", HistoryRow, ("site", "progressive", "level", "hour"))
_HITS = Upsert("jackpot_hits", HitRow, _HIT_KEY)
# A hit paid from the tray is said twice, on the table's stream and on the progressive's: the first one stands.
_PAID = Update(
    "jackpot_hits",
    PaidRow,
    _HIT_KEY,
    """paid = coalesce(t.paid, r.paid), paid_by = coalesce(t.paid_by, r.paid_by),
       paid_position = coalesce(t.paid_position, r.paid_position), paid_at = coalesce(t.paid_at, r.paid_at),
       paid_actor = coalesce(t.paid_actor, r.paid_actor)""",
)
_REJECTED = Update(
    "jackpot_hits",
    RejectedRow,
    _HIT_KEY,
    """rejected = r.rejected, rejected_position = r.rejected_position, rejected_at = r.rejected_at,
       rejected_actor = r.rejected_actor""",
)
_STEPS = Upsert("jackpot_steps", StepRow, (*_HIT_KEY, "position"))
_SHOWN = Upsert("jackpot_shown", ShownRow, (*_HIT_KEY, "display"))
