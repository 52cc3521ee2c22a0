"""Hits of jackpots from claim to payment or rejection, and what a live feed must tell after a position."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any, LiteralString

import psycopg
from msgspec import Struct
from psycopg import sql

from domain.codec import decode
from domain.events.progressive import HitRejected
from domain.money import MICRO
from projections.jackpot_meters import JackpotMeters
from projections.reads.jackpots import JackpotView, jackpots_at
from projections.reads.snapshot import Snapshot, conditions, snapshot, utc


class StepView(Struct):
    """One step of a hit's verification, or of a dispute. role: the duty in which it was taken (older ones: empty)."""

    step: str
    note: str
    actor: str
    position: int
    at: datetime
    role: str
    result: str


class HitView(Struct):
    """One hit. state: pending, paid or rejected (a rejected one keeps its reason); times are business time.

    position, paid_position, rejected_position: where the log says so. winner of winners: its place among those of one
    deal who share the meter. restored_to: what a sign shows after a rejection, in minor units.
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
    restored_to: int | None = None
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


def hits_at(
    look: Snapshot, parts: list[tuple[LiteralString, object]], limit: int, order: LiteralString = "h.position"
) -> list[HitView]:
    where, values = conditions(parts)
    statement = sql.SQL(_HITS).format(sql.SQL(_STATE), where, sql.SQL(order))
    hits = [HitView(*row) for row in look.rows(statement, [*values, limit])]
    steps = _steps(look, [hit.hit for hit in hits])
    restored = _restored(look, [hit.hit for hit in hits if hit.rejected is not None])
    for hit in hits:
        hit.at, hit.paid_at, hit.rejected_at = utc(hit.at) or hit.at, utc(hit.paid_at), utc(hit.rejected_at)
        hit.steps = steps.get(hit.hit, [])
        hit.restored_to = restored.get(hit.hit)
    return hits


_STEPS = """
SELECT hit, step, note, actor, position, happened_at, role, result FROM views.jackpot_steps WHERE hit = ANY(%s)
ORDER BY position"""


def _steps(look: Snapshot, hits: list[str]) -> dict[str, list[StepView]]:
    found: dict[str, list[StepView]] = defaultdict(list)
    for hit, step, note, actor, position, at, role, result in look.rows(_STEPS, (hits,)):
        found[hit].append(StepView(step, note, actor, position, utc(at) or at, role, result))
    return found


_RESTORED = """
SELECT h.hit, e.topic, e.state, (m.meters::json -> 'levels' -> h.level::text -> 'terms' ->> 'limit')::bigint
FROM views.jackpot_hits h JOIN views.jackpot_meters m USING (site, progressive)
JOIN public.pitclerk_events e ON e.notification_id = h.rejected_position WHERE h.hit = ANY(%s)"""


def _restored(look: Snapshot, hits: list[str]) -> dict[str, int]:
    """What the signs of rejected hits went back to; what stood above a limit went to the overflow."""
    if not hits:
        return {}
    found: dict[str, int] = {}
    for hit, topic, state, limit in look.rows(_RESTORED, (hits,)):
        event = decode(topic, bytes(state))[1]
        assert isinstance(event, HitRejected), "the view says so"
        shown = event.meter_after_u // MICRO
        found[hit] = shown if limit is None else min(shown, limit)
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
        return Hits(look.position(JackpotMeters), hits_at(look, parts, limit))


def newest_hits(conn: psycopg.Connection[Any], *, progressive: str | None = None, limit: int = 25) -> Hits:
    """The last hits, the newest first."""
    with snapshot(conn) as look:
        found = hits_at(look, [("h.progressive = %s", progressive)], limit, "h.position DESC")
        return Hits(look.position(JackpotMeters), found)


def changes(conn: psycopg.Connection[Any], after: int, *, limit: int = 1_000) -> JackpotChanges:
    """What a live feed that has told everything up to `after` must tell now."""
    with snapshot(conn) as look:
        return JackpotChanges(
            look.position(JackpotMeters),
            jackpots_at(look, [("position > %s", after)]),
            hits_at(look, [("h.position > %s", after)], limit),
            hits_at(look, [("h.paid_position > %s", after)], limit, "h.paid_position"),
            hits_at(look, [("h.rejected_position > %s", after)], limit, "h.rejected_position"),
        )
