"""Rounds: found by table, day or player, and each as its record, its settlement and its story."""

from __future__ import annotations

from datetime import datetime
from typing import Any, LiteralString

import psycopg
from msgspec import Struct
from psycopg import sql

from domain import engine
from domain.codec import decode
from domain.events.base import Event
from domain.events.session import LimitsPosted, SessionOpened
from domain.ruleset import Ruleset
from domain.table.money import RoundMoney, money_of
from projections.live import Rulesets, limits_of
from projections.reads.events import LoggedEvent, of_round
from projections.reads.snapshot import Snapshot, conditions, snapshot, utc
from projections.round_record import record_of
from projections.rounds import Rounds as View


class RoundRow(Struct):
    """One round, in minor units; the figures of the close are null while it is live. state: live, closed or void.

    The figures are as settled; corrections counts those made since, corrected_net what they changed of house_net.
    """

    round: str
    table: str
    session: str
    gaming_day: str
    ruleset: str
    number: int
    source: str
    actor: str
    state: str
    first_position: int
    last_position: int | None
    opened_at: datetime
    closed_at: datetime | None
    staked: int | None
    taken: int | None
    returned: int | None
    paid: int | None
    house_net: int | None
    players: list[str]
    corrections: int
    corrected_net: int


class Rounds(Struct):
    """next: the `after` of the next page, null on the last."""

    position: int
    rows: list[RoundRow]
    next: int | None


class RoundStory(Struct):
    """Each event that names a round in order; its data has the clause, hand and odds that it rests on."""

    position: int
    round: RoundRow
    events: list[LoggedEvent]


class RoundWhole(Struct):
    """A round as its record and its settlement (null while it is live)."""

    position: int
    round: RoundRow
    record: dict[str, Any]
    settlement: Any
    events: list[LoggedEvent]


_COLUMNS: LiteralString = """
SELECT round, table_name, session, gaming_day, ruleset, number, source, actor,
       CASE WHEN closed_at IS NULL THEN 'live' WHEN void THEN 'void' ELSE 'closed' END,
       first_position, last_position, opened_at, closed_at, staked, taken, returned, paid, house_net, players,
       corrections, corrected_net
FROM views.rounds """
_ROUNDS: LiteralString = _COLUMNS + "{} ORDER BY first_position LIMIT %s"
# By the whole key of the index on tables: with the table's name alone the newest would be looked for in all there are.
_OF_TABLE: LiteralString = (
    "WHERE (site, table_name) = (SELECT site, table_name FROM views.tables WHERE table_name = %s)"
)
_LATEST: LiteralString = _COLUMNS + _OF_TABLE + " ORDER BY first_position DESC LIMIT %s"


def rounds(
    conn: psycopg.Connection[Any],
    *,
    table: str | None = None,
    gaming_day: str | None = None,
    player: str | None = None,
    after: int = 0,
    limit: int = 100,
) -> Rounds:
    """Rounds that began after a position, in the order of the log."""
    parts: list[tuple[LiteralString, object]] = [
        ("first_position > %s", after),
        ("table_name = %s", table),
        ("gaming_day = %s", gaming_day),
        ("%s = ANY(players)", player),
    ]
    with snapshot(conn) as look:
        rows = _rows(look, parts, limit + 1)
        page = rows[:limit]
        return Rounds(look.position(View), page, page[-1].first_position if len(rows) > limit else None)


def latest(conn: psycopg.Connection[Any], table: str, limit: int = 20) -> list[RoundRow]:
    """The last rounds of a table, the newest first."""
    with snapshot(conn) as look:
        return _told(look.rows(_LATEST, (table, limit)))


def round_row(conn: psycopg.Connection[Any], round_id: str) -> RoundRow | None:
    """One round, None if there is none of that id."""
    with snapshot(conn) as look:
        return _row(look, round_id)


def round_events(conn: psycopg.Connection[Any], round_id: str) -> list[LoggedEvent]:
    """Every event that names the round, in order; empty for an unknown one."""
    with snapshot(conn) as look:
        return of_round(look, round_id)


def round_story(conn: psycopg.Connection[Any], round_id: str) -> RoundStory | None:
    """The round told event by event; None if there is none of that id."""
    with snapshot(conn) as look:
        row = _row(look, round_id)
        return None if row is None else RoundStory(look.position(View), row, of_round(look, round_id))


def round_money(conn: psycopg.Connection[Any], round_id: str) -> RoundMoney:
    """What the round has come to so far, corrections counted in; `closed` is None for one that was never settled."""
    with snapshot(conn) as look:
        positions = [event.position for event in of_round(look, round_id)]
        return money_of(round_id, [decode(topic, state) for topic, state in look.rows(_AT, (positions,))])


def round_record(conn: psycopg.Connection[Any], round_id: str) -> RoundWhole | None:
    """The round as a round record with its settlement; None if there is none of that id.

    Record and settlement are the engine's reading of the round's own events under the ruleset and limits it began with.
    Raises projections.live.NoRulesetError, domain.codec.UnreadableEventError.
    """
    with snapshot(conn) as look:
        row = _row(look, round_id)
        if row is None:
            return None
        logged = of_round(look, round_id)
        opened, posted = _terms(look, round_id)
        stream = logged[0].stream
        last = row.last_position or logged[-1].position
        events = _decoded(look, [e.position for e in logged if e.stream == stream and e.position <= last])
        limits = limits_of(opened, posted)
        state = engine.begin(Rulesets().fetch(conn, opened.ruleset_digest), limits, round_id, row.number)
        for event in events:
            state = engine.evolve(state, event)
        settlement = engine.settlement(state) if state.closed else None
        record = record_of(opened.ruleset, limits, events)
        return RoundWhole(look.position(View), row, record, settlement, logged)


def sheet_of(conn: psycopg.Connection[Any], round_id: str) -> Ruleset | None:
    """The published sheet that a round is played by; None for an unknown round. Raises NoRulesetError."""
    with snapshot(conn) as look:
        if _row(look, round_id) is None:
            return None
        return Rulesets().fetch(conn, _terms(look, round_id)[0].ruleset_digest)


def _rows(look: Snapshot, parts: list[tuple[LiteralString, object]], limit: int) -> list[RoundRow]:
    where, values = conditions(parts)
    return _told(look.rows(sql.SQL(_ROUNDS).format(where), [*values, limit]))


def _told(found: list[tuple[Any, ...]]) -> list[RoundRow]:
    rows = [RoundRow(*row) for row in found]
    for row in rows:
        row.opened_at = utc(row.opened_at) or row.opened_at
        row.closed_at = utc(row.closed_at)
    return rows


def _row(look: Snapshot, round_id: str) -> RoundRow | None:
    return next(iter(_rows(look, [("round = %s", round_id)], 1)), None)


_TERMS = """
(SELECT e.topic, e.state FROM public.pitclerk_events e JOIN views.rounds r ON e.originator_id = r.stream
 WHERE r.round = %(round)s AND e.originator_version = 1)
UNION ALL
(SELECT e.topic, e.state FROM public.pitclerk_events e JOIN views.rounds r ON e.originator_id = r.stream
 WHERE r.round = %(round)s AND e.topic = %(posted)s AND e.originator_version < r.first_version
 ORDER BY e.originator_version DESC LIMIT 1)"""


def _terms(look: Snapshot, round_id: str) -> tuple[SessionOpened, LimitsPosted | None]:
    """What the round was played under."""
    found = [
        decode(topic, state)[1] for topic, state in look.rows(_TERMS, {"round": round_id, "posted": LimitsPosted.TOPIC})
    ]
    opened = next(e for e in found if isinstance(e, SessionOpened))
    return opened, next((e for e in found if isinstance(e, LimitsPosted)), None)


_AT = "SELECT topic, state FROM public.pitclerk_events WHERE notification_id = ANY(%s) ORDER BY notification_id"


def _decoded(look: Snapshot, positions: list[int]) -> list[Event]:
    return [decode(topic, state)[1] for topic, state in look.rows(_AT, (positions,))]
