"""The meter by the hour of business time, and whether what came and went between two hours explains it."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any, LiteralString

import psycopg
from msgspec import Struct
from psycopg import sql

from domain.money import MICRO
from projections.jackpot_meters import JackpotMeters
from projections.reads.snapshot import Snapshot, conditions, snapshot, utc


class HistoryRow(Struct):
    """A level after its last event of an hour of business time."""

    level: int
    hour: datetime
    position: int
    display: int
    display_u: str
    reserve_u: str
    overflow_u: str
    residue_u: str
    in_u: str
    hits: int
    wins: int


class History(Struct):
    position: int
    id: str
    rows: list[HistoryRow]


class LevelReconciliation(Struct):
    """opening + seeds + contributed + adjusted + transferred - awards = calculated, which must equal closing.

    opening, closing: everything the level holds (display, reserve, overflow, residue). liability: of it what is owed to
    future winners, the house's own base left out. All in millionths of a minor unit, as decimal text.
    """

    level: int
    opening_u: str
    seeds_u: str
    contributed_u: str
    adjusted_u: str
    transferred_u: str
    awards_u: str
    calculated_u: str
    closing_u: str
    difference_u: str
    display_opening_u: str
    display_closing_u: str
    liability_opening_u: str
    liability_closing_u: str
    in_u: str
    hits: int
    wins: int


class Reconciliation(Struct):
    position: int
    id: str
    start: datetime | None
    end: datetime | None
    levels: list[LevelReconciliation]


_HISTORY: LiteralString = """
SELECT level, hour, position, display_u, reserve_u, overflow_u, residue_u, in_u, hits, wins, base_u, house_u,
       contributed_u, adjusted_u, transferred_u, charged_u
FROM views.jackpot_history {}"""


def history(
    conn: psycopg.Connection[Any],
    progressive: str,
    *,
    start: datetime | None = None,
    end: datetime | None = None,
    limit: int = 10_000,
) -> History:
    """The meter of each hour of business time, from `start` on and before `end`."""
    where, values = conditions([("progressive = %s", progressive), ("hour >= %s", start), ("hour < %s", end)])
    with snapshot(conn) as look:
        statement = sql.SQL(_HISTORY + " ORDER BY hour, level LIMIT %s").format(where)
        rows = look.rows(statement, [*values, limit])
        return History(look.position(JackpotMeters), progressive, [_history_row(row) for row in rows])


def _history_row(row: tuple[Any, ...]) -> HistoryRow:
    level, hour, position, display_u, reserve_u, overflow_u, residue_u, in_u, hits_, wins = row[:10]
    return HistoryRow(
        level=level,
        hour=utc(hour) or hour,
        position=position,
        display=int(display_u) // MICRO,
        display_u=str(int(display_u)),
        reserve_u=str(int(reserve_u)),
        overflow_u=str(int(overflow_u)),
        residue_u=str(int(residue_u)),
        in_u=str(int(in_u)),
        hits=hits_,
        wins=wins,
    )


def reconciliation(
    conn: psycopg.Connection[Any], progressive: str, *, start: datetime | None = None, end: datetime | None = None
) -> Reconciliation:
    """From the meter as it stood at `start` (its beginning) to `end` (now): does what came and went explain it?

    Both are taken at the whole hour.
    """
    with snapshot(conn) as look:
        opening = {} if start is None else _standing(look, progressive, start)
        closing = _standing(look, progressive, end)
        levels = [_reconcile(level, opening.get(level, _ZERO), closing[level]) for level in sorted(closing)]
        return Reconciliation(look.position(JackpotMeters), progressive, start, end, levels)


_Standing = dict[str, int]
_ZERO: _Standing = defaultdict(int)
_FIELDS = ("display_u", "reserve_u", "overflow_u", "residue_u", "in_u", "hits", "wins", "base_u", "house_u",
           "contributed_u", "adjusted_u", "transferred_u", "charged_u")  # fmt: skip


def _standing(look: Snapshot, progressive: str, before: datetime | None) -> dict[int, _Standing]:
    """Each level as it stood before the hour."""
    where, values = conditions([("progressive = %s", progressive), ("hour < %s", before)])
    newest = sql.SQL("SELECT DISTINCT ON (level) * FROM ({}) h ORDER BY level, hour DESC")
    found = look.rows(newest.format(sql.SQL(_HISTORY).format(where)), values)
    return {row[0]: {name: int(value) for name, value in zip(_FIELDS, row[3:], strict=True)} for row in found}


def _reconcile(level: int, opening: _Standing, closing: _Standing) -> LevelReconciliation:
    def moved(name: str) -> int:
        return closing[name] - opening[name]

    came = sum(map(moved, ("house_u", "contributed_u", "adjusted_u", "transferred_u")))
    calculated = _held(opening) + came - moved("charged_u")
    return LevelReconciliation(
        level=level,
        opening_u=str(_held(opening)),
        seeds_u=str(moved("house_u")),
        contributed_u=str(moved("contributed_u")),
        adjusted_u=str(moved("adjusted_u")),
        transferred_u=str(moved("transferred_u")),
        awards_u=str(moved("charged_u")),
        calculated_u=str(calculated),
        closing_u=str(_held(closing)),
        difference_u=str(_held(closing) - calculated),
        display_opening_u=str(opening["display_u"]),
        display_closing_u=str(closing["display_u"]),
        liability_opening_u=str(_held(opening) - opening["base_u"]),
        liability_closing_u=str(_held(closing) - closing["base_u"]),
        in_u=str(moved("in_u")),
        hits=moved("hits"),
        wins=moved("wins"),
    )


def _held(standing: _Standing) -> int:
    return sum(standing[name] for name in ("display_u", "reserve_u", "overflow_u", "residue_u"))
