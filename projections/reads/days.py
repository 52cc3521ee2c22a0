"""Gaming days with how far each has rolled, drop boxes, and where in a session a discrepancy can have arisen first."""

from __future__ import annotations

from datetime import datetime
from typing import Any, LiteralString

import psycopg
from msgspec import Struct
from psycopg import sql

from projections.counts import Counts
from projections.gaming_days import GamingDays
from projections.reads.snapshot import Snapshot, conditions, snapshot, utc
from projections.table_hold import TableHold


class ShiftRow(Struct):
    shift: str
    started_at: datetime


class DayRow(Struct):
    """state: open, closed or audited. tables: that had a session on it; rolled: those that have left it.

    waiting: the tables still on it. boxes, counted_boxes: its drop boxes, and those whose contents are known.
    """

    day: str
    state: str
    opened_at: datetime
    opened_by: str
    closed_at: datetime | None
    closed_by: str | None
    audited_at: datetime | None
    audited_by: str | None
    fixed_at: int | None
    tables: int
    rolled: int
    waiting: list[str]
    boxes: int
    counted_boxes: int
    shifts: list[ShiftRow]


class GamingDayRows(Struct):
    position: int
    rows: list[DayRow]


class BoxRow(Struct):
    """Where a drop box is; counted (minor units) is null until two counts agree; corrected: how far it moved since."""

    drop: str
    gaming_day: str
    box: str
    table: str
    session: str
    currency: str
    state: str
    counts: int
    counted: int | None
    differ: bool
    mounted_at: datetime
    removed_at: datetime | None
    received_at: datetime | None
    counted_at: datetime | None
    corrected: int


class Boxes(Struct):
    position: int
    rows: list[BoxRow]


class Discrepancy(Struct):
    """Where a session's tray can first have gone wrong: after the last count that agreed, up to the first that did not.

    difference: counted less expected at that first count, minor units. first_round, last_round: the rounds dealt
    between the two, null where none was; agreed_at, found_at: positions of the two counts, agreed_at of the opener.
    """

    session: str
    table: str
    difference: int
    agreed_at: int
    found_at: int
    first_round: str | None
    last_round: str | None
    rounds: int


class Discrepancies(Struct):
    position: int
    rows: list[Discrepancy]


_DAYS: LiteralString = """
SELECT g.site, g.day, g.state, g.opened_at, g.opened_by, g.closed_at, g.closed_by, g.audited_at, g.audited_by,
       g.closed_position,
       (SELECT count(DISTINCT s.table_name) FROM views.table_hold_sessions s
        WHERE s.site = g.site AND s.gaming_day = g.day),
       coalesce((SELECT array_agg(DISTINCT s.table_name) FROM views.table_hold_sessions s
                 WHERE s.site = g.site AND s.gaming_day = g.day AND s.closer IS NULL), '{{}}'),
       (SELECT count(*) FROM views.drop_boxes d WHERE d.site = g.site AND d.gaming_day = g.day),
       (SELECT count(d.counted) FROM views.drop_boxes d WHERE d.site = g.site AND d.gaming_day = g.day)
FROM views.gaming_days g {} ORDER BY g.opened_at DESC LIMIT %s"""
_SHIFTS: LiteralString = (
    "SELECT shift, started_at FROM views.gaming_shifts WHERE site = %s AND day = %s ORDER BY position"
)
_BOXES: LiteralString = """
SELECT drop_id, gaming_day, box, table_name, session, currency, state, counts, counted, differ, mounted_at, removed_at,
       received_at, counted_at, corrected
FROM views.drop_boxes {} ORDER BY drop_id"""
_MOST_DAYS = 400


def gaming_days(
    conn: psycopg.Connection[Any], *, day: str | None = None, last_day: str | None = None, limit: int = _MOST_DAYS
) -> GamingDayRows:
    """Gaming days, the newest first, up to a last one; or one."""
    where, values = conditions([("g.day = %s", day), ("g.day <= %s", last_day)])
    with snapshot(conn) as look:
        rows = [_day(look, row) for row in look.rows(sql.SQL(_DAYS).format(where), [*values, limit])]
        return GamingDayRows(look.position(GamingDays, Counts, TableHold), rows)


def _day(look: Snapshot, row: tuple[Any, ...]) -> DayRow:
    site, day, state, opened_at, opened_by, closed_at, closed_by, audited_at, audited_by, fixed_at = row[:10]
    tables, waiting, boxes, counted = row[10:]
    return DayRow(
        day=day,
        state=state,
        opened_at=utc(opened_at) or opened_at,
        opened_by=opened_by,
        closed_at=utc(closed_at),
        closed_by=closed_by,
        audited_at=utc(audited_at),
        audited_by=audited_by,
        fixed_at=fixed_at,
        tables=tables,
        rolled=tables - len(waiting),
        waiting=sorted(waiting),
        boxes=boxes,
        counted_boxes=counted,
        shifts=[ShiftRow(shift, utc(at) or at) for shift, at in look.rows(_SHIFTS, (site, day))],
    )


def drop_boxes(
    conn: psycopg.Connection[Any], *, gaming_day: str | None = None, table: str | None = None, state: str | None = None
) -> Boxes:
    """Drop boxes, by number."""
    where, values = conditions([("gaming_day = %s", gaming_day), ("table_name = %s", table), ("state = %s", state)])
    with snapshot(conn) as look:
        rows = [BoxRow(*row) for row in look.rows(sql.SQL(_BOXES).format(where), values)]
        for row in rows:
            row.mounted_at = utc(row.mounted_at) or row.mounted_at
            row.removed_at, row.received_at, row.counted_at = (
                utc(at) for at in (row.removed_at, row.received_at, row.counted_at)
            )
        return Boxes(look.position(Counts), rows)


# A session's counts in order: the opener agrees with itself, then the trays counted, then the closer.
_COUNTS: LiteralString = """
SELECT position, difference FROM views.tray_counts WHERE stream = %s ORDER BY position"""
_SESSIONS: LiteralString = """
SELECT s.stream, s.session, s.table_name, s.over_short,
       (SELECT notification_id FROM public.pitclerk_events
        WHERE originator_id = s.stream AND originator_version = 1),
       (SELECT max(notification_id) FROM public.pitclerk_events
        WHERE originator_id = s.stream AND topic = 'table.session_closed')
FROM views.table_hold_sessions s {} ORDER BY s.opened_at"""
_ROUNDS: LiteralString = """
SELECT round FROM views.rounds
WHERE stream = %s AND first_position > %s AND first_position < %s ORDER BY first_position"""


def discrepancies(
    conn: psycopg.Connection[Any],
    *,
    table: str | None = None,
    gaming_day: str | None = None,
    session: str | None = None,
) -> Discrepancies:
    """Sessions whose tray was once not what it should have been, each with the rounds between two counts."""
    where, values = conditions(
        [("s.table_name = %s", table), ("s.gaming_day = %s", gaming_day), ("s.session = %s", session)]
    )
    with snapshot(conn) as look:
        rows = []
        for stream, name, of, over_short, opened, closed in look.rows(sql.SQL(_SESSIONS).format(where), values):
            counted = [*look.rows(_COUNTS, (stream,)), *([(closed, over_short)] if closed is not None else [])]
            found = _first_wrong(look, stream, opened, counted)
            if found is not None:
                agreed_at, found_at, difference, dealt = found
                first, last = (dealt[0], dealt[-1]) if dealt else (None, None)
                rows.append(Discrepancy(name, of, difference, agreed_at, found_at, first, last, len(dealt)))
        return Discrepancies(look.position(Counts, TableHold), rows)


def _first_wrong(
    look: Snapshot, stream: str, agreed_at: int, counted: list[tuple[int, int]]
) -> tuple[int, int, int, list[str]] | None:
    for position, difference in counted:
        if difference:
            dealt = [round_id for (round_id,) in look.rows(_ROUNDS, (stream, agreed_at, position))]
            return agreed_at, position, difference, dealt
        agreed_at = position
    return None
