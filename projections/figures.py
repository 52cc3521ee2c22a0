"""The one function that makes figures of sums: what was won, dropped and held, and how good that knowledge is.

Every report of win (hold, the master game report, days, months, years, what was known when, what explains it) adds sums
up and comes here; there is no second formula of win.

    win = taken - paid from the tray + over/short + (counted drop - recorded buy-ins)
        = drop + closer + credits - opener - fills                          (13 Miss. Code R. 7-3.3(a))

To either the audit's adjustments are added.

The sums are linear, so hours add up to sessions, sessions to days, and days to months. What cannot be known yet is None
and never zero: the win of an open session has no over/short, a drop that is not counted is the recorded buy-ins.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from projections.reads.ratio import ratio

LIVE: Final = "live"
COUNTED: Final = "counted"
AUDITED: Final = "audited"

Grade = Literal["live", "counted", "audited"]


class Sums(Struct):
    """What adds up, in minor units of one currency.

    tray_play: taken less paid from the tray. counted, counted_of: of the sessions whose drop boxes are all counted,
    what was in them and what buy-ins had been recorded. adjusted: what the audit adjusted in win.
    """

    rounds: int = 0
    void_rounds: int = 0
    void_staked: int = 0
    buy_ins: int = 0
    fills: int = 0
    credits: int = 0
    tips: int = 0
    jackpot_paid: int = 0
    tray_play: int = 0
    over_short: int = 0
    counted: int = 0
    counted_of: int = 0
    adjusted: int = 0


class Extent(Struct):
    """Which sessions the sums are of, how far each is known, and their openers and closers in minor units."""

    sessions: int = 0
    open_sessions: int = 0
    counted_sessions: int = 0
    audited_sessions: int = 0
    opener: int = 0
    closer: int = 0


class Figures(Struct):
    """What sums and extent come to, in minor units; None is unknown and stands in `missing`."""

    win: int | None
    over_short: int | None
    drop: int
    counted_drop: int | None
    hold: float | None
    win_per_handle: float | None
    grade: Grade
    missing: list[str]


_MAY_BE_MISSING: Final = ("over_short", "win", "counted_drop", "hold", "win_per_handle")


def figures(sums: Sums, extent: Extent, handle: int) -> Figures:
    """The figures of some sessions, or of hours of them. handle: settled stakes, minor units."""
    still_open = extent.open_sessions > 0
    count = sums.counted - sums.counted_of
    all_counted = extent.sessions > 0 and extent.counted_sessions == extent.sessions
    drop = sums.buy_ins + count
    win = None if still_open else sums.tray_play + sums.over_short + count + sums.adjusted
    made = Figures(
        win=win,
        over_short=None if still_open else sums.over_short,
        drop=drop,
        counted_drop=drop if all_counted else None,
        hold=ratio(win, drop),
        win_per_handle=ratio(win, handle),
        grade=_grade(extent, known=all_counted and not still_open),
        missing=["closer"] if still_open else [],
    )
    made.missing += [name for name in _MAY_BE_MISSING if getattr(made, name) is None]
    return made


def _grade(extent: Extent, *, known: bool) -> Grade:
    if not known:
        return LIVE
    return AUDITED if extent.audited_sessions == extent.sessions else COUNTED


def by_chips(sums: Sums, extent: Extent) -> int | None:
    """Win by what was counted, the same as `Figures.win` over whole sessions; None while a closer is not counted."""
    if extent.open_sessions:
        return None
    drop = sums.buy_ins + sums.counted - sums.counted_of
    return drop + extent.closer + sums.credits - extent.opener - sums.fills + sums.adjusted
