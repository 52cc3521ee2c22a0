"""`gaming_days`: days and shifts as they were rolled by hand.

| table | one row a | columns |
|---|---|---|
| views.gaming_days | gaming day | open, closed or audited; when, by whom, at which position |
| views.gaming_shifts | shift of a day | since when |

How far a day has rolled, table by table, is for `projections.reads.days` to say from the sessions.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar

import msgspec
import psycopg

from domain.events.day import DayAudited, DayClosed, DayOpened, ShiftOpened
from projections.fold import FoldError
from projections.kept import Kept
from projections.log_reader import Batch
from projections.store import Cursor, Upsert

OPEN, CLOSED, AUDITED = "open", "closed", "audited"

_EVENTS = (DayOpened, ShiftOpened, DayClosed, DayAudited)


class DayRow(msgspec.Struct):
    site: str
    day: str
    state: str
    opened_at: datetime
    opened_by: str
    opened_position: int
    closed_at: datetime | None = None
    closed_by: str | None = None
    closed_position: int | None = None
    audited_at: datetime | None = None
    audited_by: str | None = None
    audited_position: int | None = None


class ShiftRow(msgspec.Struct):
    site: str
    day: str
    shift: str
    started_at: datetime
    position: int


class Changes(msgspec.Struct):
    days: list[DayRow]
    shifts: list[ShiftRow]


class GamingDays:
    """The projection."""

    name: ClassVar[str] = "gaming_days"
    version: ClassVar[int] = 1
    topics: ClassVar[frozenset[str]] = frozenset(kind.TOPIC for kind in _EVENTS)
    tables: ClassVar[Sequence[str]] = ("gaming_days", "gaming_shifts")

    def __init__(self) -> None:
        self._days = Kept("gaming_days", DayRow, ("site", "day"))

    def load(self, conn: psycopg.Connection[Any], schema: str, batch: Batch) -> None:
        self._days.fetch(conn, schema, "day", {event.day for *_, event in batch.merged(*_EVENTS)})  # type: ignore[attr-defined]

    def fold(self, batch: Batch) -> Changes:
        """The days of the batch as they now stand, and the shifts that began."""
        shifts: list[ShiftRow] = []
        for position, _, _, meta, event in batch.merged(*_EVENTS):
            at, who = meta.happened_at, meta.actor
            if isinstance(event, DayOpened):
                self._days.put(DayRow(meta.site, event.day, OPEN, at, who, position))
            if isinstance(event, DayOpened | ShiftOpened):
                shifts.append(ShiftRow(meta.site, event.day, event.shift, at, position))
                continue
            assert isinstance(event, DayClosed | DayAudited), "the topics are those above"
            row = self._days.get(meta.site, event.day)
            if row is None:
                raise FoldError(position, f"gaming day {event.day} was never opened")
            if isinstance(event, DayClosed):
                row.state, row.closed_at, row.closed_by, row.closed_position = CLOSED, at, who, position
            else:
                row.state, row.audited_at, row.audited_by, row.audited_position = AUDITED, at, who, position
        return Changes(self._days.taken(), shifts)

    def store(self, cursor: Cursor, schema: str, changes: Changes) -> None:
        self._days.store(cursor, schema, changes.days)
        _SHIFTS.run(cursor, schema, changes.shifts)

    def forget(self) -> None:
        self._days.rows.clear()


_SHIFTS = Upsert("gaming_shifts", ShiftRow, ("site", "day", "shift"))
