"""The master game report of a gaming day, opener to win, and the day beside its month and year to date.

N.J.A.C. 13:69D-1.34; WAC 230-15-615/620; statistics per table and game type by day, month and year: COMAR 36.05.03.25.
Every figure is one of `hold`'s: the report adds nothing of its own.
"""

from __future__ import annotations

from typing import Any, Literal

import psycopg
from msgspec import Struct

from projections.counts import Counts
from projections.gaming_days import GamingDays
from projections.reads.hold import HoldRow, hold_in
from projections.reads.hold_sums import Of
from projections.reads.snapshot import Snapshot, snapshot
from projections.table_hold import TableHold


class MasterReport(Struct):
    """sessions: one row a session, openers to closers. totals: one row a currency.

    no_activity: no table had a session on this gaming day.
    """

    position: int
    gaming_day: str
    no_activity: bool
    sessions: list[HoldRow]
    tables: list[HoldRow]
    games: list[HoldRow]
    shifts: list[HoldRow]
    hours: list[HoldRow]
    totals: list[HoldRow]


class ToDate(Struct):
    """One table's, game's or the house's day, month to date and year to date; a period without sessions is null."""

    currency: str
    table: str | None
    ruleset: str | None
    day: HoldRow | None
    month: HoldRow | None
    year: HoldRow | None


class Statistics(Struct):
    """Of the gaming day and what was before it in its month and its year."""

    position: int
    gaming_day: str
    tables: list[ToDate]
    games: list[ToDate]
    house: list[ToDate]


def master_game_report(conn: psycopg.Connection[Any], gaming_day: str) -> MasterReport:
    """The report of a gaming day."""
    of = Of(gaming_day=gaming_day)
    with snapshot(conn) as look:
        sessions = hold_in(look, "session", of)
        return MasterReport(
            position=look.position(TableHold, Counts, GamingDays),
            gaming_day=gaming_day,
            no_activity=not sessions,
            sessions=sessions,
            tables=hold_in(look, "table", of),
            games=hold_in(look, "ruleset", of),
            shifts=hold_in(look, "shift", of),
            hours=hold_in(look, "hour", of),
            totals=hold_in(look, "all", of),
        )


def statistics(conn: psycopg.Connection[Any], gaming_day: str) -> Statistics:
    """Day, month to date and year to date. A year is the calendar's; a month too."""
    with snapshot(conn) as look:
        return Statistics(
            position=look.position(TableHold, Counts, GamingDays),
            gaming_day=gaming_day,
            tables=_to_date(look, gaming_day, "table"),
            games=_to_date(look, gaming_day, "ruleset"),
            house=_to_date(look, gaming_day, "all"),
        )


class DatedRows(Struct):
    """The statistics of tables, of games or of the house alone."""

    position: int
    rows: list[ToDate]


def to_date(conn: psycopg.Connection[Any], gaming_day: str, by: Literal["table", "ruleset", "all"]) -> DatedRows:
    """A part of `statistics`, which takes a third of its time."""
    with snapshot(conn) as look:
        return DatedRows(look.position(TableHold, Counts, GamingDays), _to_date(look, gaming_day, by))


def _to_date(look: Snapshot, gaming_day: str, by: Literal["table", "ruleset", "all"]) -> list[ToDate]:
    periods = {  # the year first: it knows every table that the month and the day know
        "year": Of(first_day=f"{gaming_day[:4]}-01-01", last_day=gaming_day),
        "month": Of(first_day=f"{gaming_day[:7]}-01", last_day=gaming_day),
        "day": Of(gaming_day=gaming_day),
    }
    rows: dict[tuple[str, str | None, str | None], ToDate] = {}
    for name, of in periods.items():
        for row in hold_in(look, by, of):
            table, game = (row.table if by == "table" else None), (row.ruleset if by == "ruleset" else None)
            key = (row.currency, table, game)
            entry = rows.setdefault(key, ToDate(row.currency, table, game, None, None, None))
            setattr(entry, name, row)
    return list(rows.values())
