"""`jackpot_days`: what moved every level on each gaming day, and the life of each progressive.

| table | one row a | columns |
|---|---|---|
| views.jackpot_days | level and gaming day | sums by the events' words, and how far the fold moved each balance |
| views.jackpot_records | event of its life | who, when, who approved, why, the meter around it, the event as JSON |
| views.jackpot_day_meters | progressive | the meters up to where this view has folded |

The gaming day is the event's own; of one that belongs to no day, the date of its business time, as in the journal. Days
may overlap in the log, since tables roll one by one: each day's sums are exact all the same, and add up to the meter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec
import psycopg
from psycopg import sql

from domain.events.base import Event
from domain.events.jackpot import JackpotContributed, JackpotHit
from domain.events.outcome import StakeTaken
from domain.events.progressive import (
    ChangeProposed,
    ChangeRefused,
    ProgressiveOrphaned,
    ProgressiveProposed,
    ProgressiveRefused,
    ProgressiveStopAnnounced,
)
from domain.money import MICRO
from domain.progressive.folding import FOLDED, fold
from domain.progressive.meters import Level, Meters
from projections.fold import FoldError
from projections.jackpot_day_rows import DayRow, MetersRow, RecordRow, levels_named, record_row, says
from projections.journal import day_of
from projections.log_reader import Batch, Row
from projections.sessions import SessionBook
from projections.store import Cursor, Upsert, table

ASKED: tuple[type[Event], ...] = (
    ProgressiveProposed,
    ProgressiveRefused,
    ChangeProposed,
    ChangeRefused,
    ProgressiveStopAnnounced,
    ProgressiveOrphaned,
)
"""What is asked, refused, announced and registered moves no meter; it belongs to the life all the same."""

_EVENTS: tuple[type[Event], ...] = (*FOLDED, *ASKED)
_ASKED = frozenset(ASKED)
_KIND = "jackpot"
_DECODER = msgspec.json.Decoder(Meters)
_ENCODER = msgspec.json.Encoder()


class Changes(msgspec.Struct):
    """What a batch does."""

    meters: list[MetersRow]
    days: list[DayRow]
    records: list[RecordRow]


class JackpotDays:
    """The projection. Keeps the meters in memory between batches, and whose session a stream is."""

    name: ClassVar[str] = "jackpot_days"
    version: ClassVar[int] = 1
    topics: ClassVar[frozenset[str]] = frozenset(kind.TOPIC for kind in _EVENTS) | {StakeTaken.TOPIC}
    tables: ClassVar[Sequence[str]] = ("jackpot_day_meters", "jackpot_days", "jackpot_records")

    def __init__(self, sessions: SessionBook) -> None:
        self._sessions = sessions
        self._meters: dict[str, dict[str, Meters]] | None = None

    def load(self, conn: psycopg.Connection[Any], schema: str, batch: Batch) -> None:
        """The meters, read once, and the sessions of the tables that took jackpot stakes."""
        self._sessions.learn(conn, batch, {row[1] for row in batch.of(StakeTaken) if row[4].kind == _KIND})
        if self._meters is not None:
            return
        found: dict[str, dict[str, Meters]] = defaultdict(dict)
        statement = sql.SQL("SELECT site, progressive, meters FROM {}").format(table(schema, "jackpot_day_meters"))
        for site, progressive, meters in conn.execute(statement).fetchall():
            found[site][progressive] = _DECODER.decode(meters)
        self._meters = found

    def fold(self, batch: Batch) -> Changes:
        """What each level took in and gave on which day."""
        assert self._meters is not None, "load comes before fold"
        folding = _Folding(self._meters)
        stakes = [row for row in batch.of(StakeTaken) if row[4].kind == _KIND]
        for row in sorted([*batch.merged(*_EVENTS), *stakes], key=_position):
            if isinstance(row[4], StakeTaken):
                folding.taken(row, self._sessions[row[1]].progressive)
                continue
            try:
                folding.take(row)
            except (KeyError, AssertionError) as error:
                raise FoldError(row[0], f"{row[4].TOPIC}: {error!r}") from error
        return folding.changes()

    def store(self, cursor: Cursor, schema: str, changes: Changes) -> None:
        _METERS.run(cursor, schema, changes.meters)
        _DAYS.run(cursor, schema, changes.days)
        _RECORDS.run(cursor, schema, changes.records)

    def forget(self) -> None:
        self._meters = None
        self._sessions.forget()


class _Folding:
    """One batch on its way through the meters of all sites."""

    def __init__(self, meters: dict[str, dict[str, Meters]]) -> None:
        self._meters = meters
        self._touched: dict[tuple[str, str], None] = {}
        self._days: dict[tuple[str, str, int, str], DayRow] = {}
        self._records: list[RecordRow] = []

    def take(self, row: Row[Event]) -> None:
        meta, event = row[3], row[4]
        if type(event) in _ASKED:
            self._records.append(record_row(row, None, None))
            return
        of_site = self._meters.setdefault(meta.site, {})
        progressive: str = event.progressive  # type: ignore[attr-defined]
        old = of_site.get(progressive)
        numbers = levels_named(event)
        before = {n: _copy(old.levels[n]) for n in numbers if old is not None and n in old.levels}
        fold(of_site, event)
        self._touched[meta.site, progressive] = None
        after = of_site[progressive].levels
        for number in numbers:
            day = self._day(meta.site, progressive, number, day_of(meta))
            self._moved(day, event, before.get(number), after[number])
        if isinstance(event, JackpotContributed):
            return
        only = numbers[0] if len(numbers) == 1 else None
        around = (before[only].display_u, after[only].display_u) if only in before else (None, None)
        if not isinstance(event, JackpotHit) or event.pending or around[0] != around[1]:
            self._records.append(record_row(row, *around))

    def _moved(self, day: DayRow, event: Event, before: Level | None, after: Level) -> None:
        """The event's words, and what the fold made of them."""
        if before is None:  # a new level begins at its seed, which the house funds
            day.from_house_u += after.terms.seed * MICRO
            display = reserve = rest = base = said_of_rest = 0
        else:
            display, reserve, base = before.display_u, before.reserve_u, before.base_u
            rest = before.overflow_u + before.residue_u
            said_of_rest = says(day, event, before)
        day.moved_display_u += after.display_u - display
        day.moved_reserve_u += after.reserve_u - reserve
        day.moved_base_u += after.base_u - base
        moved_rest = after.overflow_u + after.residue_u - rest
        day.moved_rest_u += moved_rest
        day.overflowed_u += moved_rest - said_of_rest

    def taken(self, row: Row[Event], progressive: str | None) -> None:
        """A table has taken a jackpot stake: every level should hear of it."""
        meta, event = row[3], row[4]
        assert isinstance(event, StakeTaken), "asked for by topic"
        meters = self._meters.get(meta.site, {}).get(progressive or "")
        if meters is None:
            raise FoldError(row[0], f"a jackpot stake was taken at {row[1]}, which is linked to no running progressive")
        for number in meters.levels:
            day = self._day(meta.site, meters.progressive, number, day_of(meta))
            day.stakes_taken += 1
            day.taken_u += event.amount * MICRO

    def _day(self, site: str, progressive: str, level: int, gaming_day: str) -> DayRow:
        key = (site, progressive, level, gaming_day)
        row = self._days.get(key)
        if row is None:
            row = self._days[key] = DayRow(*key)
        return row

    def changes(self) -> Changes:
        meters = [
            MetersRow(site, progressive, _ENCODER.encode(self._meters[site][progressive]).decode())
            for site, progressive in self._touched
        ]
        return Changes(meters, list(self._days.values()), self._records)


def _position(row: Row[Any]) -> int:
    return row[0]


def _copy(level: Level) -> Level:
    return msgspec.structs.replace(level)


_KEYS = ("site", "progressive", "level", "gaming_day")
_SUMS = [field.name for field in msgspec.structs.fields(DayRow) if field.name not in _KEYS]
_METERS = Upsert("jackpot_day_meters", MetersRow, ("site", "progressive"))
_DAYS = Upsert("jackpot_days", DayRow, _KEYS, added=_SUMS)
_RECORDS = Upsert("jackpot_records", RecordRow, ("site", "progressive", "position"))
