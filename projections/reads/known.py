"""A gaming day as it was known at a position of the log, and what has been learned since, as signed differences.

A closed day is a fixed figure: the one known at the position of its close. Nothing that comes later changes it; a late
count, a late event or a correction to its sessions appears beside it as a difference.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any, Final, LiteralString

import psycopg
from msgspec import Struct

from domain import streams
from projections.counts import Counts
from projections.day_fold import FOLD_TOPICS, DayFold, Group
from projections.gaming_days import GamingDays
from projections.log_reader import Batch
from projections.reads.snapshot import Snapshot, snapshot
from projections.table_hold import TableHold

PAGE: Final = 8_000

_STREAMS: LiteralString = (
    "SELECT stream, audited_position FROM views.table_hold_sessions s"
    " LEFT JOIN views.gaming_days g ON g.site = s.site AND g.day = s.gaming_day WHERE gaming_day = %s"
)
_EVENTS: LiteralString = """
SELECT notification_id, originator_id, originator_version, topic, state FROM public.pitclerk_events
WHERE originator_id = ANY(%s) AND notification_id > %s AND notification_id <= %s ORDER BY notification_id LIMIT %s"""
LATE: LiteralString = """
SELECT e.notification_id, e.originator_id, e.originator_version, e.topic, e.state
FROM views.late_events l JOIN public.pitclerk_events e
  ON e.originator_id = l.recorded_in AND e.originator_version BETWEEN l.first_version AND l.last_version
WHERE l.stream = ANY(%s) AND NOT l.recorded_in = ANY(%s) AND e.notification_id <= %s ORDER BY e.notification_id"""
_CLOSED: LiteralString = "SELECT closed_position FROM views.gaming_days WHERE day = %s"
_AT: LiteralString = """
SELECT coalesce(max(notification_id), 0) FROM public.pitclerk_events WHERE recorded_at <= %s"""


class DayFigure(Struct):
    """One table's day, or the whole day's (table null), in minor units; null is unknown and stands in `missing`."""

    table: str | None
    currency: str
    rounds: int
    handle: int
    taken: int
    paid: int
    buy_ins: int
    drop: int
    counted_drop: int | None
    fills: int
    credits: int
    opener: int
    closer: int | None
    over_short: int | None
    adjusted: int
    win: int | None
    hold: float | None
    win_per_handle: float | None
    grade: str
    missing: list[str]


class Difference(Struct):
    """What a figure is now less what it was fixed at; null where it was, or is, unknown."""

    table: str | None
    currency: str
    figure: str
    fixed: int | None
    now: int | None
    difference: int | None


class Known(Struct):
    """known_at: the position up to which the log was looked at."""

    position: int
    gaming_day: str
    known_at: int
    rows: list[DayFigure]


class Learned(Struct):
    """A closed day: as fixed at its close (fixed_at), and what differs now. fixed_at null: it is not closed."""

    position: int
    gaming_day: str
    fixed_at: int | None
    fixed: list[DayFigure]
    now: list[DayFigure]
    differences: list[Difference]


def known(
    conn: psycopg.Connection[Any], day: str, *, at_position: int | None = None, at_time: datetime | None = None
) -> Known:
    """The day as known at a position, or at a moment of the house's clock; else now."""
    with snapshot(conn) as look:
        position = look.position(TableHold, Counts, GamingDays)
        upto = position if at_position is None else min(at_position, position)
        if at_time is not None:
            upto = min(upto, int(look.rows(_AT, (at_time,))[0][0]))
        return Known(position, day, upto, _rows(look, day, upto))


def learned(conn: psycopg.Connection[Any], day: str) -> Learned | None:
    """The day as fixed and what was learned since; None for a day that was never opened."""
    with snapshot(conn) as look:
        found = look.rows(_CLOSED, (day,))
        if not found:
            return None
        position, fixed_at = look.position(TableHold, Counts, GamingDays), found[0][0]
        now = _rows(look, day, position)
        fixed = [] if fixed_at is None else _rows(look, day, fixed_at)
        learned_since = [] if fixed_at is None else differences(fixed, now)
        return Learned(position, day, fixed_at, fixed, now, learned_since)


_FIGURES: Final = (
    "rounds",
    "handle",
    "taken",
    "paid",
    "drop",
    "counted_drop",
    "fills",
    "credits",
    "over_short",
    "adjusted",
    "win",
)


def differences(fixed: list[DayFigure], now: list[DayFigure]) -> list[Difference]:
    """Every figure that is not what it was, table by table and then as a whole."""
    before = {(row.table, row.currency): row for row in fixed}
    found = []
    for row in now:
        then = before.get((row.table, row.currency))
        for name in _FIGURES:
            was = 0 if then is None else getattr(then, name)
            has = getattr(row, name)
            if was != has:
                by = None if was is None or has is None else has - was
                found.append(Difference(row.table, row.currency, name, was, has, by))
    return found


def _rows(look: Snapshot, day: str, upto: int) -> list[DayFigure]:
    found = look.rows(_STREAMS, (day,))
    audited = any(at is not None and at <= upto for _, at in found)
    folded = fold_streams(look, [stream for stream, _ in found] + [streams.count(day)], upto)
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    totals: dict[str, list[str]] = defaultdict(list)
    for stream, session in folded.sessions.items():
        groups[session.opened.table, session.opened.currency].append(stream)
        totals[session.opened.currency].append(stream)
    tables = [_figure(t, c, folded.added_up(of, audited=audited)) for (t, c), of in sorted(groups.items())]
    return tables + [_figure(None, c, folded.added_up(of, audited=audited)) for c, of in sorted(totals.items())]


def fold_streams(look: Snapshot, names: list[str], upto: int) -> DayFold:
    """Fold the events of these streams up to a position, and those that other streams took late."""
    folded, after = DayFold(), 0
    while True:
        rows = look.rows(_EVENTS, (names, after, upto, PAGE))
        if not rows:
            late = look.rows(LATE, (names, names, upto))
            folded.take(Batch(0, [(a, b, c, d, bytes(e)) for a, b, c, d, e in late], FOLD_TOPICS))
            return folded
        folded.take(Batch(after, [(a, b, c, d, bytes(e)) for a, b, c, d, e in rows], FOLD_TOPICS))
        after = rows[-1][0]


def _figure(table: str | None, currency: str, group: Group) -> DayFigure:
    made, sums, extent = group.figures(), group.play.sums, group.extent
    return DayFigure(
        table=table,
        currency=currency,
        rounds=sums.rounds,
        handle=group.play.handle,
        taken=group.play.taken,
        paid=group.play.paid,
        buy_ins=sums.buy_ins,
        drop=made.drop,
        counted_drop=made.counted_drop,
        fills=sums.fills,
        credits=sums.credits,
        opener=extent.opener,
        closer=None if extent.open_sessions else extent.closer,
        over_short=made.over_short,
        adjusted=sums.adjusted,
        win=made.win,
        hold=made.hold,
        win_per_handle=made.win_per_handle,
        grade=made.grade,
        missing=made.missing,
    )
