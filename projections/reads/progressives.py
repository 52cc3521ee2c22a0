"""A progressive's life: its terms and state, what waits for a second person, all that was ever done to it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, LiteralString

import msgspec
import psycopg
from msgspec import Struct
from psycopg import sql

from domain.events.progressive import LevelTerms, ProgressiveOpened, ProgressiveProposed, ProgressiveRetired
from domain.progressive.meters import Meters
from projections.jackpot_days import JackpotDays
from projections.reads.snapshot import Snapshot, conditions, snapshot, utc

_DECODER = msgspec.json.Decoder(Meters)
_ASKED: LiteralString = "('progressive.proposed', 'progressive.change_proposed')"
MOST_WAITING = 1_000


class RecordView(Struct):
    """One event of a progressive's life: who, when, who approved it, why, and the meter around it.

    event: its name without `progressive.` or `table.`; said: the event as recorded. display_*_u: the level's meter in
    millionths of a minor unit, as decimal text; null where the event is of no one level. proposer: who asked for what
    the approver agreed to.
    """

    position: int
    event: str
    level: int | None
    gaming_day: str
    at: datetime
    actor: str
    approver: str | None
    approval: str | None
    reason: str | None
    display_before_u: str | None
    display_after_u: str | None
    said: msgspec.Raw
    proposer: str | None = None


class ProgressiveLife(Struct):
    """state: proposed, refused, running, stopped or retired. terms: those in force (of one that never ran, the last
    proposed). account: where the players' money is kept, as it was proposed. waiting: what a second person has to
    decide. hits_waiting: hit id -> award, minor units. next: the `after` of the next page of changes, null on the last.
    """

    position: int
    id: str
    currency: str
    state: str
    account: str
    fixed_prizes_from: str
    same_deal: str
    terms: list[LevelTerms]
    waiting: list[RecordView]
    hits_waiting: dict[str, int]
    changes: list[RecordView]
    next: int | None


def progressive(
    conn: psycopg.Connection[Any], progressive_id: str, *, after: int = 0, limit: int = 100
) -> ProgressiveLife | None:
    """State and history, changes after a position in the order of the log; None for one that nobody ever proposed."""
    of_it: tuple[LiteralString, object] = ("progressive = %s", progressive_id)
    with snapshot(conn) as look:
        proposed = records_at(look, [of_it, ("event = %s", ProgressiveProposed.TOPIC)], 1, "position DESC")
        meters = _meters(look, progressive_id)
        if not proposed and meters is None:
            return None
        waiting = records_at(look, [of_it, (_UNDECIDED, True)], MOST_WAITING)
        changes = records_at(look, [of_it, ("position > %s", after)], limit + 1)
        page = changes[:limit]
        terms = _terms(meters, proposed)
        return ProgressiveLife(
            position=look.position(JackpotDays),
            id=progressive_id,
            currency=terms.currency,
            state=_state(meters, waiting),
            account=_account(look, of_it, proposed),
            fixed_prizes_from=terms.fixed_prizes_from,
            same_deal=terms.same_deal,
            terms=list(terms.levels),
            waiting=waiting,
            hits_waiting={} if meters is None else {hit: one.award for hit, one in meters.pending.items()},
            changes=page,
            next=page[-1].position if len(changes) > limit else None,
        )


_UNDECIDED: LiteralString = f"""event IN {_ASKED} AND %s AND NOT EXISTS (
    SELECT FROM views.jackpot_records d
    WHERE (d.site, d.progressive, d.approval) = (r.site, r.progressive, r.approval) AND d.event NOT IN {_ASKED})"""
_RECORDS: LiteralString = """
SELECT position, event, level, gaming_day, happened_at, actor, approver, approval, reason,
       display_before_u::text, display_after_u::text, said
FROM views.jackpot_records r {} ORDER BY {} LIMIT %s"""

_WHO_ASKED: LiteralString = "SELECT approval, actor FROM views.jackpot_records WHERE {} AND approval = ANY(%s)"


def records_at(
    look: Snapshot, parts: list[tuple[LiteralString, object]], limit: int, order: LiteralString = "position"
) -> list[RecordView]:
    """Records that fulfil all conditions, in a look that is open."""
    where, values = conditions(parts)
    found = look.rows(sql.SQL(_RECORDS).format(where, sql.SQL(order)), [*values, limit])
    records = [_record(*row) for row in found]
    agreed = [one for one in records if one.approver is not None and one.approval is not None]
    if agreed:
        proposers = _proposers(look, [one.approval for one in agreed])
        for one in agreed:
            one.proposer = proposers.get(one.approval)
    return records


def _proposers(look: Snapshot, approvals: list[str | None]) -> dict[str | None, str]:
    """Who asked for what was agreed to, by approval; of any progressive, since funds arrive at another one."""
    return dict(look.rows(sql.SQL(_WHO_ASKED).format(sql.SQL(f"event IN {_ASKED}")), [approvals]))


def _record(position: int, event: str, level: int | None, day: str, at: datetime, *rest: Any) -> RecordView:
    actor, approver, approval, reason, before_u, after_u, said = rest
    name, when, raw = event.partition(".")[2], utc(at) or at, msgspec.Raw(said.encode())
    return RecordView(position, name, level, day, when, actor, approver, approval, reason, before_u, after_u, raw)


def _meters(look: Snapshot, progressive_id: str) -> Meters | None:
    found = look.rows("SELECT meters FROM views.jackpot_day_meters WHERE progressive = %s", (progressive_id,))
    return next((_DECODER.decode(meters) for (meters,) in found), None)


class _Account(Struct):
    account: str = ""


def _account(look: Snapshot, of_it: tuple[LiteralString, object], proposed: list[RecordView]) -> str:
    """Of the proposal that was approved; of one that never ran, of the last."""
    said = records_at(look, [of_it, ("event = %s", ProgressiveOpened.TOPIC)], 1) or proposed
    return msgspec.json.decode(said[0].said, type=_Account).account if said else ""


class _Terms(Struct):
    currency: str
    fixed_prizes_from: str
    same_deal: str
    levels: list[LevelTerms]


def _terms(meters: Meters | None, proposed: list[RecordView]) -> _Terms:
    if meters is None:
        asked = msgspec.json.decode(proposed[0].said, type=ProgressiveProposed)
        return _Terms(asked.currency, asked.fixed_prizes_from, asked.same_deal, list(asked.levels))
    levels = [level.terms for _, level in sorted(meters.levels.items())]
    return _Terms(meters.currency, meters.fixed_prizes_from, meters.same_deal, levels)


def _state(meters: Meters | None, waiting: list[RecordView]) -> str:
    if meters is None:
        return "proposed" if waiting else "refused"
    if meters.retired:
        return ProgressiveRetired.TOPIC.partition(".")[2]
    return "stopped" if meters.stopped else "running"
