"""A session hour by hour: hold so far is of all hours so far; theory stands beside it only where all is known."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import pytest

from api.pages.charts import Band, Line
from api.pages.table.hours import hold_chart, hours, knows_theory
from projections.reads.hold import HoldRow


def hour(at: int, **known: Any) -> HoldRow:
    sums = dict.fromkeys(
        (
            "sessions", "open_sessions", "rounds", "void_rounds", "handle", "void_handle", "taken", "paid",
            "jackpot_paid", "capped", "result", "buy_ins", "tips", "fills", "credits", "drop",
        ),
        0,
    )  # fmt: skip
    unknown = dict.fromkeys(
        ("table", "ruleset", "gaming_day", "session", "shift", "opener", "closer", "over_short", "win", "hold",
         "win_per_handle")
    )  # fmt: skip
    at_hour = datetime(2026, 3, 14, at, tzinfo=UTC)
    fields: dict[str, Any] = {**sums, **unknown, "site": "s", "currency": "EUR", "kinds": {}, "missing": [], **known}
    return HoldRow(hour=at_hour, **fields)


def test_hold_so_far_is_of_all_hours_so_far() -> None:
    told = hours([hour(20, result=100, drop=0), hour(21, result=200, drop=1000), hour(22, result=-100, drop=1000)])
    assert [one.at for one in told] == ["20:00", "21:00", "22:00"]
    assert [one.so_far for one in told] == [None, 0.3, 0.1]


def test_theory_is_left_out_where_one_hour_of_play_lacks_it() -> None:
    known = hour(20, handle=5000, drop=1000, theoretical_win=260, sd=300)
    missing = hour(21, handle=5000, drop=1000)
    assert not knows_theory(hours([known, missing]))
    assert not knows_theory(hours([]))
    assert [type(one) for one in hold_chart(hours([known, missing])).series] == [Line]


def test_theory_and_the_reach_of_luck_are_of_all_hours_so_far() -> None:
    told = hours(
        [
            hour(20, handle=5000, drop=1000, theoretical_win=260, sd=300),
            hour(21, handle=5000, drop=3000, theoretical_win=260, sd=400),
        ]
    )
    band, _, theory = hold_chart(told).series
    assert isinstance(band, Band)
    assert isinstance(theory, Line)
    assert theory.values == [0.26, 0.13]
    reach = 1.96 * math.hypot(300, 400) / 4000
    assert [band.low[1], band.high[1]] == pytest.approx([0.13 - reach, 0.13 + reach])
