"""The daily reconciliation of a jackpot: does what came and went explain the meter, and every decrease of it?"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, LiteralString

import psycopg
from msgspec import Struct
from psycopg import sql

from domain.money import MICRO
from projections.jackpot_day_rows import DayRow
from projections.jackpot_days import JackpotDays
from projections.jackpot_meters import JackpotMeters
from projections.reads.jackpot_hits import HitView, hits_at
from projections.reads.progressives import RecordView, records_at
from projections.reads.snapshot import Snapshot, snapshot

MOST_DECREASES = 1_000
LAST_HITS = 25
"""9 NYCRR 5320.8(b): the last 25 hits of each prize can be shown."""


class LevelDay(Struct):
    """One level on one gaming day; `_u` in millionths of a minor unit, as decimal text.

    meter_start + increments - overflowed - awards + resets + adjusted + transferred = calculated, which must be
    meter_end; of a level that began on the day, resets holds its first seed too. increments and reserve_shares are
    stakes x the rates in force; meter_end is what the fold of the events shows. stakes must be stakes_taken: what
    tables took. shown: the sign at the end, in minor units.
    liability: all that the level holds but the house's base: what is owed to future winners (ASC 924); base: the
    house's own part of the meter. house_prizes: fixed prizes that the house paid and no meter.
    explained: nothing is left over on any balance, every stake is there.
    """

    level: int
    explained: bool
    meter_start_u: str
    increments_u: str
    overflowed_u: str
    awards_u: str
    resets_u: str
    adjusted_u: str
    transferred_u: str
    calculated_u: str
    meter_end_u: str
    difference_u: str
    shown: int
    calculated: int
    reserve_start_u: str
    reserve_shares_u: str
    from_reserve_u: str
    reserve_end_u: str
    rest_start_u: str
    rest_end_u: str
    in_u: str
    stakes: int
    stakes_taken: int
    hits: int
    wins: int
    house_prizes_u: str
    liability_start_u: str
    liability_end_u: str
    base_start_u: str
    base_end_u: str


class DayReconciliation(Struct):
    """decreases: every event of the day that took from a meter, with who and why; last_hits: the newest first."""

    position: int
    id: str
    currency: str
    gaming_day: str
    explained: bool
    levels: list[LevelDay]
    decreases: list[RecordView]
    last_hits: list[HitView]


def reconciliation(conn: psycopg.Connection[Any], progressive: str, gaming_day: str) -> DayReconciliation | None:
    """From the meter as the day found it to the meter as it left it; None for a progressive that never ran."""
    with snapshot(conn) as look:
        currency = _currency(look, progressive)
        if currency is None:
            return None
        before, during = _sums(look, progressive, gaming_day)
        levels = [_level(number, before[number], during[number]) for number in sorted(before.keys() | during.keys())]
        return DayReconciliation(
            position=look.position(JackpotDays, JackpotMeters),
            id=progressive,
            currency=currency,
            gaming_day=gaming_day,
            explained=all(level.explained for level in levels),
            levels=levels,
            decreases=_decreases(look, progressive, gaming_day),
            last_hits=_last_hits(look, progressive, gaming_day),
        )


def progressives_of(conn: psycopg.Connection[Any]) -> list[str]:
    """Every progressive that ever ran, by id."""
    with snapshot(conn) as look:
        return [name for (name,) in look.rows("SELECT progressive FROM views.jackpot_day_meters ORDER BY progressive")]


def last_day(conn: psycopg.Connection[Any]) -> str | None:
    """The newest gaming day that moved a jackpot; None before there is one."""
    with snapshot(conn) as look:
        return str(day) if (day := look.rows("SELECT max(gaming_day) FROM views.jackpot_days")[0][0]) else None


def _currency(look: Snapshot, progressive: str) -> str | None:
    statement = "SELECT meters::json ->> 'currency' FROM views.jackpot_day_meters WHERE progressive = %s"
    return next((str(currency) for (currency,) in look.rows(statement, (progressive,))), None)


_Sums = dict[str, int]
_NAMES = [name for name in DayRow.__struct_fields__ if name not in ("site", "progressive", "level", "gaming_day")]
_DAYS: LiteralString = """
SELECT level, gaming_day = %s, {}
FROM views.jackpot_days WHERE progressive = %s AND gaming_day <= %s GROUP BY 1, 2"""


def _sums(look: Snapshot, progressive: str, day: str) -> tuple[dict[int, _Sums], dict[int, _Sums]]:
    """Each level's sums of all days before, and of the day."""
    columns = sql.SQL(", ").join(sql.SQL("sum({})").format(sql.Identifier(name)) for name in _NAMES)
    before: dict[int, _Sums] = defaultdict(lambda: dict.fromkeys(_NAMES, 0))
    during: dict[int, _Sums] = defaultdict(lambda: dict.fromkeys(_NAMES, 0))
    for level, is_day, *sums in look.rows(sql.SQL(_DAYS).format(columns), (day, progressive, day)):
        found = {name: int(value) for name, value in zip(_NAMES, sums, strict=True)}
        (during if is_day else before)[level] = found
    return before, during


def _level(number: int, before: _Sums, day: _Sums) -> LevelDay:
    def start(name: str) -> int:
        return before[f"moved_{name}_u"]

    def end(name: str) -> int:
        return start(name) + day[f"moved_{name}_u"]

    resets = day["from_house_u"] + day["from_reserve_u"]
    calculated = start("display") + day["increments_u"] - day["overflowed_u"] - day["awards_u"] + resets
    calculated += day["adjusted_display_u"] + day["transferred_display_u"]
    reserve = start("reserve") + day["reserve_shares_u"] - day["from_reserve_u"]
    reserve += day["adjusted_reserve_u"] + day["transferred_reserve_u"]
    held_start = start("display") + start("reserve") + start("rest")
    held_end = end("display") + end("reserve") + end("rest")
    is_right = (calculated, reserve, day["stakes"]) == (end("display"), end("reserve"), day["stakes_taken"])
    return LevelDay(
        level=number,
        explained=is_right and day["in_u"] == day["taken_u"],
        meter_start_u=str(start("display")),
        increments_u=str(day["increments_u"]),
        overflowed_u=str(day["overflowed_u"]),
        awards_u=str(day["awards_u"]),
        resets_u=str(resets),
        adjusted_u=str(day["adjusted_display_u"]),
        transferred_u=str(day["transferred_display_u"]),
        calculated_u=str(calculated),
        meter_end_u=str(end("display")),
        difference_u=str(end("display") - calculated),
        shown=end("display") // MICRO,
        calculated=calculated // MICRO,
        reserve_start_u=str(start("reserve")),
        reserve_shares_u=str(day["reserve_shares_u"]),
        from_reserve_u=str(day["from_reserve_u"]),
        reserve_end_u=str(end("reserve")),
        rest_start_u=str(start("rest")),
        rest_end_u=str(end("rest")),
        in_u=str(day["in_u"]),
        stakes=day["stakes"],
        stakes_taken=day["stakes_taken"],
        hits=day["hits"],
        wins=day["wins"],
        house_prizes_u=str(day["house_prizes_u"]),
        liability_start_u=str(held_start - start("base")),
        liability_end_u=str(held_end - end("base")),
        base_start_u=str(start("base")),
        base_end_u=str(end("base")),
    )


def _decreases(look: Snapshot, progressive: str, day: str) -> list[RecordView]:
    parts: list[tuple[LiteralString, object]] = [
        ("progressive = %s", progressive),
        ("gaming_day = %s", day),
        ("display_after_u < display_before_u AND %s", True),
    ]
    return records_at(look, parts, MOST_DECREASES)


def _last_hits(look: Snapshot, progressive: str, day: str) -> list[HitView]:
    parts: list[tuple[LiteralString, object]] = [("h.progressive = %s", progressive), ("h.gaming_day <= %s", day)]
    return hits_at(look, parts, LAST_HITS, "h.position DESC")
