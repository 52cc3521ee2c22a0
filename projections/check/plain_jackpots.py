"""`jackpot_meters` by a plain fold: the meters themselves, their hours, every hit and what became of it."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any, ClassVar

import msgspec

from domain.events.jackpot import JackpotHit, JackpotPaid
from domain.events.progressive import HitPaid, HitRejected, HitShown, HitStepTaken
from domain.progressive.folding import FOLDED, fold
from domain.progressive.meters import Level, Meters, hit_id
from projections.check.compare import Compared
from projections.check.examiner import Look, Seen, Violations

BUFFER = 1_000

Row = dict[str, Any]

_FOLDED = frozenset(FOLDED)
_LEVEL = tuple(field.name for field in msgspec.structs.fields(Level) if field.name != "terms")
_SAID = tuple(field.name for field in msgspec.structs.fields(JackpotHit))
_OPEN = ("paid", "paid_by", "paid_position", "paid_at", "paid_actor")
_STANDS = ("rejected", "rejected_position", "rejected_at", "rejected_actor")


class PlainJackpots:
    """Hits are compared once nothing more can be said of them; hours and steps at the end."""

    view: ClassVar[str] = "jackpot_meters"

    def __init__(self, violations: Violations) -> None:
        progressive, hit = {"site": "text", "progressive": "text"}, {"site": "text", "hit": "text"}
        self._violations = violations
        self._of_meters = Compared(violations, "jackpot_meters", progressive)
        self._of_hours = Compared(
            violations, "jackpot_history", progressive | {"level": "integer", "hour": "timestamptz"}
        )
        self._of_hits = Compared(violations, "jackpot_hits", hit)
        self._of_steps = Compared(violations, "jackpot_steps", hit | {"position": "bigint"})
        self._of_shown = Compared(violations, "jackpot_shown", hit | {"display": "text"})
        self._meters: dict[str, dict[str, Meters]] = defaultdict(dict)
        self._moved: dict[tuple[str, str], int] = {}
        self._hours: dict[tuple[str, str, int, datetime], Row] = {}
        self._waiting: dict[tuple[str, str], Row] = {}
        self._done: dict[tuple[str, str], Row] = {}
        self._steps: dict[tuple[str, str, int], Row] = {}
        self._shown: dict[tuple[str, str, str], Row] = {}

    def take(self, seen: Seen, look: Look) -> None:
        event = seen.event
        if type(event) in _FOLDED:
            self._move(seen)
        if isinstance(event, JackpotHit):
            self._waiting[seen.meta.site, hit_id(event)] = _hit(seen, event)
        elif isinstance(event, JackpotPaid | HitPaid):
            self._paid(seen, event)
        elif isinstance(event, HitRejected):
            self._rejected(seen, event)
        elif isinstance(event, HitStepTaken):
            self._steps[seen.meta.site, event.hit, seen.position] = {
                "step": event.step,
                "note": event.note,
                "actor": seen.meta.actor,
                "happened_at": seen.meta.happened_at,
                "role": event.role,
                "result": event.result,
            }
        elif isinstance(event, HitShown):
            for one in event.displays:
                said = {"shown_at": one.shown_at, "position": seen.position}
                self._shown.setdefault((seen.meta.site, event.hit, one.display), said)
        if len(self._done) >= BUFFER:
            self._flush(look)

    def _move(self, seen: Seen) -> None:
        site, progressive = seen.meta.site, seen.event.progressive  # type: ignore[attr-defined]
        try:
            fold(self._meters[site], seen.event)
        except (KeyError, AssertionError) as error:
            self._violations.add(f"position {seen.position}: {seen.event.TOPIC}: {error!r}")
            return
        self._moved[site, progressive] = seen.position
        hour = seen.meta.happened_at.replace(minute=0, second=0, microsecond=0)
        for number, level in self._meters[site][progressive].levels.items():
            row: Row = {name: getattr(level, name) for name in _LEVEL}
            self._hours[site, progressive, number, hour] = row | {"position": seen.position}

    def _paid(self, seen: Seen, event: JackpotPaid | HitPaid) -> None:
        """The first word on a payment stands; only the progressive's own is the last."""
        key = (seen.meta.site, event.hit)
        row = self._waiting.get(key)
        if row is None:
            return
        if row["paid"] is None:
            row |= {"paid": event.amount, "paid_by": event.paid_by, "paid_position": seen.position}
            row |= {"paid_at": seen.meta.happened_at, "paid_actor": seen.meta.actor}
        if isinstance(event, HitPaid) or not row["pending"]:
            self._done[key] = self._waiting.pop(key)

    def _rejected(self, seen: Seen, event: HitRejected) -> None:
        key = (seen.meta.site, event.hit)
        row = self._waiting.pop(key, None)
        if row is not None:
            row |= {"rejected": event.reason, "rejected_position": seen.position}
            row |= {"rejected_at": seen.meta.happened_at, "rejected_actor": seen.meta.actor}
            self._done[key] = row

    def _flush(self, look: Look) -> None:
        self._of_hits.some(look, self._done)
        self._done = {}

    def finish(self, look: Look) -> None:
        self._flush(look)
        self._of_hits.some(look, self._waiting)
        self._of_hits.finish(look)
        self._of_hours.all(look, self._hours)
        self._of_steps.all(look, self._steps)
        self._of_shown.all(look, self._shown)
        self._of_meters.all(look, {key: self._meter(*key) for key in self._moved})

    def _meter(self, site: str, progressive: str) -> Row:
        meters = self._meters[site][progressive]
        state = "STOPPED" if meters.stopped else "PENDING" if meters.pending else "NORMAL"
        return {
            "currency": meters.currency,
            "state": state,
            "meters": msgspec.json.encode(meters).decode(),
            "position": self._moved[site, progressive],
        }


def _hit(seen: Seen, event: JackpotHit) -> Row:
    row: Row = {name: getattr(event, name) for name in _SAID}
    return (
        row
        | {
            "stream": seen.stream,
            "table_name": seen.stream.split("/")[1],
            "gaming_day": seen.meta.gaming_day,
            "position": seen.position,
            "event_id": seen.meta.event_id,
            "actor": seen.meta.actor,
            "happened_at": seen.meta.happened_at,
        }
        | dict.fromkeys(_OPEN + _STANDS)
    )
