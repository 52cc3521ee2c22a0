"""A session hour by hour: what each brought, and how hold has run beside what theory expects and how far luck goes."""

import math
from collections.abc import Iterator
from itertools import accumulate
from typing import Final, NamedTuple

from api.i18n.catalogue import gettext
from api.pages import words
from api.pages.charts import Band, Bars, Chart, Line, Series, chart
from projections.reads.hold import HoldRow
from projections.reads.ratio import ratio

LUCK: Final = 1.96  # standard deviations: where 95 of 100 such sessions come to lie


class Hour(NamedTuple):
    """One hour, minor units; so_far: hold from the first hour to the end of this one, None before there is a drop."""

    at: str
    row: HoldRow
    so_far: float | None


def hours(rows: list[HoldRow]) -> list[Hour]:
    """The hours of a session in order. A count of drop boxes stands in the hour in which it was settled."""
    told = [row for row in rows if row.hour is not None]
    results, drops = accumulate(row.result for row in told), accumulate(row.drop for row in told)
    return [
        Hour(words.clock(row.hour), row, ratio(result, drop))
        for row, result, drop in zip(told, results, drops, strict=True)
    ]


def result_chart(told: list[Hour], currency: str) -> Chart:
    """What each hour brought, and what they have come to."""
    results = [float(hour.row.result) for hour in told]
    series = [Bars(gettext("Result of the hour"), results), Line(gettext("Result so far"), list(accumulate(results)))]
    return chart(
        "result", [hour.at for hour in told], series, written=lambda minor: words.amount(round(minor), currency)
    )


def hold_chart(told: list[Hour]) -> Chart:
    """Hold so far; with theory and its band of luck where both are known."""
    series: list[Series] = [Line(gettext("Hold so far"), [hour.so_far for hour in told])]
    if knows_theory(told):
        theory, reach = zip(*_theory(told), strict=True)
        low = [None if t is None or r is None else t - r for t, r in zip(theory, reach, strict=True)]
        high = [None if t is None or r is None else t + r for t, r in zip(theory, reach, strict=True)]
        series.insert(0, Band(gettext("Luck: 95 of 100 sessions"), low, high))
        series.append(Line(gettext("Theory"), list(theory), colour="ink", dashed=True))
    return chart("hold", [hour.at for hour in told], series, written=words.percent)


def knows_theory(told: list[Hour]) -> bool:
    """Whether each hour with play says what theory expects of it and how far luck goes."""
    played = [hour.row for hour in told if hour.row.handle]
    return bool(played) and all(row.theoretical_win is not None and row.sd is not None for row in played)


def _theory(told: list[Hour]) -> Iterator[tuple[float | None, float | None]]:
    """Theoretical hold and the reach of luck, each of the hours so far; None before there is a drop."""
    expected, variance, drop = 0, 0.0, 0
    for hour in told:
        expected += hour.row.theoretical_win or 0
        variance += (hour.row.sd or 0) ** 2
        drop += hour.row.drop
        yield (expected / drop, LUCK * math.sqrt(variance) / drop) if drop else (None, None)
