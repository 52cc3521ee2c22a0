"""Hold: what tables won of what was dropped, by table, ruleset, session, shift, hour, day, month or year.

`hold_sums` adds up, `projections.figures` makes win and hold of the sums. `result` is what play has brought so far.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import psycopg
from msgspec import Struct, field

from projections.counts import Counts
from projections.figures import LIVE, figures
from projections.gaming_days import GamingDays
from projections.reads.hold_sums import By, KindFigures, Of, Summed, summed
from projections.reads.snapshot import Snapshot, snapshot, utc
from projections.table_hold import TableHold

__all__ = ["By", "Hold", "HoldRow", "KindFigures", "Of", "hold", "hold_in"]


class HoldRow(Struct, kw_only=True):
    """One row, in minor units of its currency. A figure that cannot be known yet is null and stands in `missing`.

    table, ruleset, gaming_day, session, shift, hour: null where the row spans several. handle: settled stakes, those of
    void rounds (void_handle) included. paid: winnings and jackpots paid at the table. buy_ins: the drop as observed;
    counted_drop: as counted, once every drop box is; drop: counted where it is, observed elsewhere, and what hold is
    of. result: taken less paid from the tray so far.
    adjusted: what the audit adjusted in win. closer, over_short: null while a session is open. grade: live,
    counted or audited.
    """

    site: str
    table: str | None
    ruleset: str | None
    gaming_day: str | None
    session: str | None
    shift: str | None
    hour: datetime | None
    period: str | None = None
    currency: str
    sessions: int
    open_sessions: int
    rounds: int
    void_rounds: int
    handle: int
    void_handle: int
    taken: int
    paid: int
    jackpot_paid: int
    capped: int
    kinds: dict[str, KindFigures]
    result: int
    buy_ins: int
    tips: int
    opener: int | None
    fills: int
    credits: int
    closer: int | None
    over_short: int | None
    adjusted: int = 0
    win: int | None
    drop: int
    counted_drop: int | None = None
    hold: float | None
    win_per_handle: float | None
    theoretical_win: int | None = None
    sd: int | None = None
    z: float | None = None
    grade: str = LIVE
    missing: list[str]


class Hold(Struct, omit_defaults=True):
    """start, end: the whole hours that the rows span, where an interval was asked for; figures are kept by the hour."""

    position: int
    rows: list[HoldRow]
    start: datetime | None = field(default=None, name="from")
    end: datetime | None = field(default=None, name="to")


_NOT_COMPUTED = ("theoretical_win", "sd", "z")
_PERIODS = ("month", "year")


def hold(
    conn: psycopg.Connection[Any],
    *,
    by: By = "table",
    table: str | None = None,
    ruleset: str | None = None,
    gaming_day: str | None = None,
    start: datetime | None = None,
    end: datetime | None = None,
) -> Hold:
    """Hold of the sessions that the filters leave, of their hours from `start` on and before `end`, one row a `by`.

    Currencies are never added up: a row has one. Openers and closers belong to whole sessions, so they are null where
    the rows are hours or the hours are cut.
    """
    of = Of(table=table, ruleset=ruleset, gaming_day=gaming_day, start=start, end=end)
    with snapshot(conn) as look:
        return Hold(look.position(TableHold, Counts, GamingDays), hold_in(look, by, of))


def hold_in(look: Snapshot, by: By, of: Of) -> list[HoldRow]:
    """The rows of a report that is read in a snapshot with others."""
    whole = by != "hour" and of.whole
    return [_row(by, group, whole=whole) for group in summed(look, by, of)]


def _row(by: By, group: Summed, *, whole: bool) -> HoldRow:
    key, sums, extent, kinds = group.key, group.sums, group.extent, group.kinds
    handle, taken, paid = (sum(getattr(k, name) for k in kinds.values()) for name in ("handle", "taken", "paid"))
    made = figures(sums, extent, handle)
    counted = made.counted_drop if whole else None  # a count is of a whole session: an hour has no counted drop
    row = HoldRow(
        site=key[0],
        currency=key[-1],
        table=group.dimensions["table_name"],
        ruleset=group.dimensions["ruleset"],
        gaming_day=group.dimensions["gaming_day"],
        session=group.dimensions["session"],
        shift=group.dimensions["shift"],
        hour=utc(key[1]) if by == "hour" else None,
        period=key[1] if by in _PERIODS else None,
        sessions=extent.sessions,
        open_sessions=extent.open_sessions,
        rounds=sums.rounds,
        void_rounds=sums.void_rounds,
        handle=handle,
        void_handle=sums.void_staked,
        taken=taken,
        paid=paid + sums.jackpot_paid,
        jackpot_paid=sums.jackpot_paid,
        capped=sum(k.capped for k in kinds.values()),
        kinds=kinds,
        result=sums.tray_play,
        buy_ins=sums.buy_ins,
        tips=sums.tips,
        opener=extent.opener if whole else None,
        fills=sums.fills,
        credits=sums.credits,
        closer=extent.closer if whole and not extent.open_sessions else None,
        over_short=made.over_short,
        adjusted=sums.adjusted,
        win=made.win,
        drop=made.drop,
        counted_drop=counted,
        hold=made.hold,
        win_per_handle=made.win_per_handle,
        grade=made.grade,
        missing=made.missing,
    )
    if counted is None and "counted_drop" not in row.missing:
        row.missing.append("counted_drop")
    row.missing += [name for name in _NOT_COMPUTED if getattr(row, name) is None]
    return row
