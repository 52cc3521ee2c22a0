"""Jackpots as the doors show them: meters, hits, history and the daily reconciliation."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any, LiteralString

import msgspec
import psycopg
from msgspec import Struct
from psycopg import sql

from domain.money import MICRO
from domain.progressive.meters import Level, Meters
from projections.jackpot_meters import JackpotMeters
from projections.reads.snapshot import Snapshot, conditions, snapshot, utc

_DECODER = msgspec.json.Decoder(Meters)


class LevelView(Struct):
    """A level: display, seed, limit and wins in minor units, `_u` in millionths as decimal text, shares in ppm."""

    level: int
    display: int
    display_u: str
    reserve_u: str
    overflow_u: str
    residue_u: str
    in_u: str
    hits: int
    wins: int
    base_u: str
    seed: int
    limit: int | None
    increment_ppm: int
    reserve_ppm: int


class JackpotView(Struct):
    """state: NORMAL, PENDING (a hit waits for payment), STOPPED. moved_at: position of the last event that moved it."""

    id: str
    currency: str
    state: str
    levels: list[LevelView]
    pending: dict[str, int]
    moved_at: int


class Jackpots(Struct):
    position: int
    jackpots: list[JackpotView]


class StepView(Struct):
    """One step of a hit's verification."""

    step: str
    note: str
    actor: str
    position: int
    at: datetime


class HitView(Struct):
    """One hit. state: pending, paid or rejected (a rejected one keeps its reason); times are business time.

    position, paid_position, rejected_position: where the log says so. winner of winners: its place among those of one
    deal who share the meter.
    """

    hit: str
    jackpot: str
    level: int
    currency: str
    table: str
    gaming_day: str | None
    round: str
    box: int
    player: str | None
    hand: str
    clause: str
    award: int
    charged_to: str
    share_ppm: int | None
    prize: int | None
    meter_before_u: str
    meter_after_u: str
    residue_u: str
    base_u: str
    reset_from_reserve_u: str
    reset_from_house_u: str
    state: str
    position: int
    event_id: str
    actor: str
    at: datetime
    paid: int | None
    paid_by: str | None
    paid_position: int | None
    paid_at: datetime | None
    paid_actor: str | None
    winner: int
    winners: int
    rejected: str | None
    rejected_position: int | None
    rejected_at: datetime | None
    rejected_actor: str | None
    steps: list[StepView] = []


class Hits(Struct):
    position: int
    hits: list[HitView]


class JackpotChanges(Struct):
    """What is new after a position: jackpots that moved, hits made, paid, rejected, each in the order of the log."""

    position: int
    jackpots: list[JackpotView]
    hits: list[HitView]
    paid: list[HitView]
    rejected: list[HitView]


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


def jackpots(conn: psycopg.Connection[Any], *, progressive: str | None = None) -> Jackpots:
    """Every progressive, or one (an empty list if it does not run), by id."""
    with snapshot(conn) as look:
        return Jackpots(look.position(JackpotMeters), _jackpots(look, [("progressive = %s", progressive)]))


def _jackpots(look: Snapshot, parts: list[tuple[LiteralString, object]]) -> list[JackpotView]:
    where, values = conditions(parts)
    statement = sql.SQL("SELECT meters, state, position FROM views.jackpot_meters {} ORDER BY progressive")
    found = look.rows(statement.format(where), values)
    return [_jackpot(_DECODER.decode(meters), state, position) for meters, state, position in found]


def _jackpot(meters: Meters, state: str, position: int) -> JackpotView:
    return JackpotView(
        id=meters.progressive,
        currency=meters.currency,
        state=state,
        levels=[_level(number, level) for number, level in sorted(meters.levels.items())],
        pending={hit: waiting.award for hit, waiting in meters.pending.items()},
        moved_at=position,
    )


def _level(number: int, level: Level) -> LevelView:
    return LevelView(
        level=number,
        display=level.display,
        display_u=str(level.display_u),
        reserve_u=str(level.reserve_u),
        overflow_u=str(level.overflow_u),
        residue_u=str(level.residue_u),
        in_u=str(level.in_u),
        hits=level.hits,
        wins=level.wins,
        base_u=str(level.base_u),
        seed=level.terms.seed,
        limit=level.terms.limit,
        increment_ppm=level.terms.increment_ppm,
        reserve_ppm=level.terms.reserve_ppm,
    )


_STATE: LiteralString = (
    "CASE WHEN h.rejected IS NOT NULL THEN 'rejected' WHEN h.paid IS NULL THEN 'pending' ELSE 'paid' END"
)
_HITS: LiteralString = """
SELECT h.hit, h.progressive, h.level, m.currency, h.table_name, h.gaming_day, h.round, h.box, h.player, h.hand,
       h.clause, h.award, h.charged_to, h.share_ppm, h.prize, h.meter_before_u::text, h.meter_after_u::text,
       h.residue_u::text, h.base_u::text, h.reset_from_reserve_u::text, h.reset_from_house_u::text,
       {},
       h.position, h.event_id, h.actor, h.happened_at, h.paid, h.paid_by, h.paid_position, h.paid_at, h.paid_actor,
       h.winner, h.winners, h.rejected, h.rejected_position, h.rejected_at, h.rejected_actor
FROM views.jackpot_hits h JOIN views.jackpot_meters m USING (site, progressive)
{} ORDER BY {} LIMIT %s"""


def _hits(
    look: Snapshot, parts: list[tuple[LiteralString, object]], limit: int, order: LiteralString = "h.position"
) -> list[HitView]:
    where, values = conditions(parts)
    statement = sql.SQL(_HITS).format(sql.SQL(_STATE), where, sql.SQL(order))
    hits = [HitView(*row) for row in look.rows(statement, [*values, limit])]
    steps = _steps(look, [hit.hit for hit in hits])
    for hit in hits:
        hit.at, hit.paid_at, hit.rejected_at = utc(hit.at) or hit.at, utc(hit.paid_at), utc(hit.rejected_at)
        hit.steps = steps.get(hit.hit, [])
    return hits


_STEPS = """
SELECT hit, step, note, actor, position, happened_at FROM views.jackpot_steps WHERE hit = ANY(%s) ORDER BY position"""


def _steps(look: Snapshot, hits: list[str]) -> dict[str, list[StepView]]:
    found: dict[str, list[StepView]] = defaultdict(list)
    for hit, step, note, actor, position, at in look.rows(_STEPS, (hits,)):
        found[hit].append(StepView(step, note, actor, position, utc(at) or at))
    return found


def hits(
    conn: psycopg.Connection[Any],
    *,
    progressive: str | None = None,
    after: int = 0,
    state: str | None = None,
    limit: int = 100,
) -> Hits:
    """Hits after a position in the order of the log. state: `pending`, `paid` or `rejected`."""
    parts: list[tuple[LiteralString, object]] = [
        ("h.progressive = %s", progressive),
        ("h.position > %s", after),
        (f"{_STATE} = %s", state),
    ]
    with snapshot(conn) as look:
        return Hits(look.position(JackpotMeters), _hits(look, parts, limit))


def changes(conn: psycopg.Connection[Any], after: int, *, limit: int = 1_000) -> JackpotChanges:
    """What a live feed that has told everything up to `after` must tell now."""
    with snapshot(conn) as look:
        return JackpotChanges(
            look.position(JackpotMeters),
            _jackpots(look, [("position > %s", after)]),
            _hits(look, [("h.position > %s", after)], limit),
            _hits(look, [("h.paid_position > %s", after)], limit, "h.paid_position"),
            _hits(look, [("h.rejected_position > %s", after)], limit, "h.rejected_position"),
        )


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
