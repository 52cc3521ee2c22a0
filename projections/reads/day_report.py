"""One gaming day for the people who close it: its figures by whatever they ask for, and how far each table has come.

Figures are `hold`'s own, read in one snapshot with the tables' states, so that a total and its rows never disagree.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, Final, LiteralString

import psycopg
from msgspec import Struct

from projections.counts import Counts
from projections.gaming_days import GamingDays
from projections.reads.days import DayRow
from projections.reads.hold import HoldRow, hold_in
from projections.reads.hold_sums import By, Of
from projections.reads.snapshot import snapshot, utc
from projections.table_hold import TableHold
from projections.tables import Tables

MOST_RESULTS: Final = 400


class TableStep(Struct):
    """state: open (still on the day), rolled (to `rolled_to`) or closed.

    boxes, counted: its drop boxes, and those whose contents are known.
    """

    table: str
    state: str
    rolled_to: str | None
    boxes: int
    counted: int


class DayReport(Struct):
    """rows: one a `by`. totals: one a currency. steps: how far each table that had a session has come, by its name."""

    position: int
    gaming_day: str
    rows: list[HoldRow]
    totals: list[HoldRow]
    steps: list[TableStep]


class Results(Struct):
    """One row a gaming day and currency."""

    position: int
    rows: list[HoldRow]


_STEPS: LiteralString = """
SELECT s.table_name, bool_or(s.closer IS NULL), min(t.gaming_day) FILTER (WHERE t.state = 'open'),
       (SELECT count(*) FROM views.drop_boxes d
        WHERE d.site = s.site AND d.gaming_day = %(day)s AND d.table_name = s.table_name),
       (SELECT count(d.counted) FROM views.drop_boxes d
        WHERE d.site = s.site AND d.gaming_day = %(day)s AND d.table_name = s.table_name)
FROM views.table_hold_sessions s LEFT JOIN views.tables t ON t.site = s.site AND t.table_name = s.table_name
WHERE s.gaming_day = %(day)s GROUP BY s.site, s.table_name ORDER BY s.table_name"""


def day_report(conn: psycopg.Connection[Any], gaming_day: str, by: By) -> DayReport:
    """The figures of a gaming day by table, ruleset, session, shift or hour."""
    of = Of(gaming_day=gaming_day)
    with snapshot(conn) as look:
        rows, totals = hold_in(look, by, of), hold_in(look, "all", of)
        steps = [_step(gaming_day, row) for row in look.rows(_STEPS, {"day": gaming_day})]
        position = look.position(TableHold, Counts, GamingDays, Tables)
        return DayReport(position, gaming_day, rows, totals, steps)


def _step(day: str, row: tuple[Any, ...]) -> TableStep:
    table, is_open, now_on, boxes, counted = row
    rolled_to = now_on if now_on is not None and now_on > day and not is_open else None
    state = "open" if is_open else "closed" if rolled_to is None else "rolled"
    return TableStep(table, state, rolled_to, boxes, counted)


def results(
    conn: psycopg.Connection[Any], days: int, *, since: str | None = None, last_day: str | None = None
) -> Results:
    """What each of the newest gaming days came to: of so many days up to the newest with a session, or since a day.

    last_day: of those up to this day.
    """
    with snapshot(conn) as look:
        position = look.position(TableHold, Counts, GamingDays)
        newest = look.rows(_NEWEST) if last_day is None else [(last_day,)]
        if not newest:
            return Results(position, [])
        first = (date.fromisoformat(newest[0][0]) - timedelta(days=days - 1)).isoformat()
        rows = hold_in(look, "day", Of(first_day=first if since is None else min(first, since), last_day=last_day))
        return Results(position, rows[-MOST_RESULTS:])


_NEWEST: LiteralString = (
    "SELECT gaming_day FROM views.table_hold_sessions ORDER BY site DESC, gaming_day DESC, table_name DESC LIMIT 1"
)
_UNBEGUN: LiteralString = """
SELECT min(s.opened_at), count(DISTINCT s.table_name),
       coalesce(array_agg(DISTINCT s.table_name) FILTER (WHERE s.closer IS NULL), '{}'),
       (SELECT count(*) FROM views.drop_boxes d WHERE d.gaming_day = %(day)s),
       (SELECT count(d.counted) FROM views.drop_boxes d WHERE d.gaming_day = %(day)s)
FROM views.table_hold_sessions s WHERE s.gaming_day = %(day)s"""

UNBEGUN: Final = "unbegun"


def unbegun(conn: psycopg.Connection[Any], day: str) -> DayRow | None:
    """A day that nobody began and that tables named for themselves; None where no table did. opened_at: the first."""
    with snapshot(conn) as look:
        opened_at, tables, waiting, boxes, counted = look.rows(_UNBEGUN, {"day": day})[0]
    if not tables:
        return None
    return DayRow(
        day=day,
        state=UNBEGUN,
        opened_at=utc(opened_at) or opened_at,
        opened_by="",
        closed_at=None,
        closed_by=None,
        audited_at=None,
        audited_by=None,
        fixed_at=None,
        tables=tables,
        rolled=tables - len(waiting),
        waiting=sorted(waiting),
        boxes=boxes,
        counted_boxes=counted,
        shifts=[],
    )
