"""`table_hold`: what each session won and lost, by hour and kind of stake; openers and closers; everything for hold.

| table | one row a | columns |
|---|---|---|
| views.table_hold_sessions | session | under what, opener, carried closer, closer, expected, over/short |
| views.table_hold | session and hour | rounds, buy-ins, fills, credits, tips, jackpots, tray moved by play |
| views.table_hold_kinds | session, hour and kind of stake | handle, taken, due, paid, paid from the tray, capped |
| views.table_hold_totals | session | what its hours come to |
| views.table_hold_kind_totals | session and kind of stake | the same of its kinds |
| views.late_events | save of late events | the session they belong to, and where in the log they are |

Hours are of business time. Over/short stands in the hour in which the closer was counted, so that hours add up to their
session. `projections.reads.hold` adds the rows up; nothing here is a ratio.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar, TypeVar

import msgspec
import psycopg

from domain.events.late import LateReckoned
from domain.events.session import SessionClosed, SessionOpened
from domain.streams import day_of
from projections.flows import FLOW_TOPICS, Flow, flows
from projections.log_reader import Batch
from projections.store import Cursor, Update, Upsert


class SessionRow(msgspec.Struct):
    site: str
    stream: str
    table_name: str
    session: str
    number: int
    gaming_day: str
    shift: str
    ruleset: str
    ruleset_version: int
    currency: str
    progressive: str | None
    opened_at: datetime
    opener: int
    carried_closer: int | None


class CloserRow(msgspec.Struct):
    site: str
    stream: str
    closed_at: datetime
    closer: int
    expected: int
    over_short: int


class HourRow(msgspec.Struct):
    site: str
    stream: str
    hour: datetime
    rounds: int
    void_rounds: int
    void_staked: int
    buy_ins: int
    fills: int
    credits: int
    tips: int
    jackpot_paid: int
    jackpot_tray: int
    tray_play: int
    over_short: int


class KindRow(msgspec.Struct):
    site: str
    stream: str
    hour: datetime
    kind: str
    handle: int
    taken: int
    due: int
    paid: int
    paid_tray: int
    capped: int


class TotalRow(msgspec.Struct):
    site: str
    stream: str
    gaming_day: str
    rounds: int
    void_rounds: int
    void_staked: int
    buy_ins: int
    fills: int
    credits: int
    tips: int
    jackpot_paid: int
    jackpot_tray: int
    tray_play: int
    over_short: int


class KindTotalRow(msgspec.Struct):
    site: str
    stream: str
    kind: str
    gaming_day: str
    handle: int
    taken: int
    due: int
    paid: int
    paid_tray: int
    capped: int


class LateRow(msgspec.Struct):
    site: str
    stream: str
    recorded_in: str
    first_version: int
    last_version: int
    position: int


class Changes(msgspec.Struct):
    """What a batch adds to the hold of its sessions."""

    opened: list[SessionRow]
    closed: list[CloserRow]
    hours: list[HourRow]
    kinds: list[KindRow]
    late: list[LateRow]


class TableHold:
    """The projection: sums only, nothing kept in memory."""

    name: ClassVar[str] = "table_hold"
    version: ClassVar[int] = 1
    topics: ClassVar[frozenset[str]] = FLOW_TOPICS
    tables: ClassVar[Sequence[str]] = (
        "table_hold_sessions",
        "table_hold",
        "table_hold_kinds",
        "table_hold_totals",
        "table_hold_kind_totals",
        "late_events",
    )

    def load(self, conn: psycopg.Connection[Any], schema: str, batch: Batch) -> None:
        """Nothing is needed."""

    def fold(self, batch: Batch) -> Changes:
        """The sums of the batch."""
        changes = Changes([], [], [], [], [])
        for _, stream, _, meta, opened in batch.of(SessionOpened):
            changes.opened.append(_opened(meta.site, stream, meta.happened_at, opened))
        for _, stream, _, meta, closed in batch.of(SessionClosed):
            changes.closed.append(
                CloserRow(meta.site, stream, meta.happened_at, closed.closer_total, closed.expected, closed.over_short)
            )
        for flow in flows(batch):
            changes.hours.append(_hour(flow))
            changes.kinds.extend(_kind(flow, kind) for kind in flow.kinds())
        for position, stream, version, meta, late in batch.of(LateReckoned):
            of, first = late.session_stream, version - late.events
            changes.late.append(LateRow(meta.site, of, stream, first, version, position))
        return changes

    def store(self, cursor: Cursor, schema: str, changes: Changes) -> None:
        _SESSIONS.run(cursor, schema, changes.opened)
        _CLOSERS.run(cursor, schema, changes.closed)
        _HOURS.run(cursor, schema, changes.hours)
        _KINDS.run(cursor, schema, changes.kinds)
        _TOTALS.run(cursor, schema, _without_hours(changes.hours, TotalRow, _SESSION_KEY))
        _KIND_TOTALS.run(cursor, schema, _without_hours(changes.kinds, KindTotalRow, _KIND_TOTAL_KEY))
        _LATE.run(cursor, schema, changes.late)

    def forget(self) -> None:
        """Nothing is kept."""


def _opened(site: str, stream: str, at: datetime, opened: SessionOpened) -> SessionRow:
    return SessionRow(
        site=site,
        stream=stream,
        table_name=opened.table,
        session=opened.session,
        number=opened.number,
        gaming_day=opened.gaming_day,
        shift=opened.shift,
        ruleset=opened.ruleset,
        ruleset_version=opened.ruleset_version,
        currency=opened.currency,
        progressive=opened.progressive,
        opened_at=at,
        opener=opened.opener_total,
        carried_closer=opened.carried_closer,
    )


def _hour(flow: Flow) -> HourRow:
    return HourRow(
        site=flow.site,
        stream=flow.stream,
        hour=flow.hour,
        rounds=flow.rounds,
        void_rounds=flow.void_rounds,
        void_staked=flow.void_staked,
        buy_ins=flow.buy_ins,
        fills=flow.fills,
        credits=flow.credits,
        tips=flow.tips,
        jackpot_paid=sum(flow.jackpots.values()),
        jackpot_tray=-flow.tray_of_jackpots(),
        tray_play=flow.tray_of_play(),
        over_short=flow.over_short,
    )


def _kind(flow: Flow, kind: str) -> KindRow:
    taken = flow.taken.get(kind, 0)
    return KindRow(
        site=flow.site,
        stream=flow.stream,
        hour=flow.hour,
        kind=kind,
        handle=taken + flow.returned.get(kind, 0),
        taken=taken,
        due=flow.due.get(kind, 0),
        paid=sum(paid for (of, _), paid in flow.paid.items() if of == kind),
        paid_tray=taken - flow.tray_of_kind(kind),
        capped=flow.capped.get(kind, 0),
    )


T = TypeVar("T", bound=msgspec.Struct)


def _without_hours(rows: Sequence[HourRow] | Sequence[KindRow], total: type[T], key: Sequence[str]) -> list[T]:
    """What rows of hours come to, one row a key."""
    added = _all_but(total, (*key, "gaming_day"))
    sums: dict[tuple[str, ...], list[int]] = {}
    for row in rows:
        values = [getattr(row, name) for name in added]
        of = tuple(getattr(row, name) for name in key)
        sums[of] = [a + b for a, b in zip(sums[of], values, strict=True)] if of in sums else values
    return [
        total(**dict(zip(key, of, strict=True)), gaming_day=day_of(of[1]), **dict(zip(added, found, strict=True)))
        for of, found in sums.items()
    ]


def _all_but(row: type[msgspec.Struct], key: Sequence[str]) -> list[str]:
    return [field.name for field in msgspec.structs.fields(row) if field.name not in key]


_SESSION_KEY = ("site", "stream")
_SESSIONS = Upsert("table_hold_sessions", SessionRow, _SESSION_KEY)
_CLOSERS = Update(
    "table_hold_sessions",
    CloserRow,
    _SESSION_KEY,
    "closed_at = r.closed_at, closer = r.closer, expected = r.expected, over_short = r.over_short",
)
_LATE = Upsert("late_events", LateRow, ("site", "position"))
_HOUR_KEY = (*_SESSION_KEY, "hour")
_HOURS = Upsert("table_hold", HourRow, _HOUR_KEY, added=_all_but(HourRow, _HOUR_KEY))
_KIND_KEY = (*_HOUR_KEY, "kind")
_KINDS = Upsert("table_hold_kinds", KindRow, _KIND_KEY, added=_all_but(KindRow, _KIND_KEY))
_TOTALS = Upsert("table_hold_totals", TotalRow, _SESSION_KEY, added=_all_but(TotalRow, (*_SESSION_KEY, "gaming_day")))
_KIND_TOTAL_KEY = (*_SESSION_KEY, "kind")
_KIND_TOTALS = Upsert(
    "table_hold_kind_totals",
    KindTotalRow,
    _KIND_TOTAL_KEY,
    added=_all_but(KindTotalRow, (*_KIND_TOTAL_KEY, "gaming_day")),
)
