"""Two moments of knowledge compared: what a gaming day's hold was known to be at each, and which events lie between.

An event's part in a figure comes from the same sums that the figure is made of, taken of that event (or of the events
of one round) alone. Where the parts do not add up to the difference it says so.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any, Final, LiteralString

import msgspec
import psycopg
from msgspec import Struct

from domain import streams
from domain.events.adjustment import BoxCorrected, FigureAdjusted
from domain.events.count import BoxSettled
from domain.events.late import BuyInLearned
from domain.events.session import SessionClosed, SessionOpened
from projections.day_fold import FOLD_TOPICS, Play, play_of
from projections.figures import Sums
from projections.flows import flows
from projections.log_reader import Batch, RawRow
from projections.reads.events import LoggedEvent, logged
from projections.reads.known import Difference, differences, known
from projections.reads.snapshot import Snapshot, snapshot

MOST_DAYS: Final = 62
MOST_CAUSES: Final = 200
MOST_EVENTS: Final = 500_000

_TOUCHED: LiteralString = """
SELECT DISTINCT gaming_day FROM (
    SELECT s.gaming_day FROM views.table_hold_sessions s,
        LATERAL (SELECT notification_id AS at FROM public.pitclerk_events WHERE originator_id = s.stream
                 ORDER BY originator_version DESC LIMIT 1) newest,
        LATERAL (SELECT notification_id AS at FROM public.pitclerk_events WHERE originator_id = s.stream
                 ORDER BY originator_version LIMIT 1) oldest
    WHERE newest.at > %(first)s AND oldest.at <= %(second)s
    UNION ALL
    SELECT s.gaming_day FROM views.late_events l JOIN views.table_hold_sessions s USING (site, stream)
    WHERE l.position > %(first)s AND l.position <= %(second)s
    UNION ALL
    SELECT gaming_day FROM views.adjustments WHERE position > %(first)s AND position <= %(second)s
    UNION ALL
    SELECT gaming_day FROM views.drop_boxes WHERE counted_position > %(first)s AND counted_position <= %(second)s
) touched ORDER BY gaming_day LIMIT %(most)s"""

_STREAMS: LiteralString = "SELECT stream, table_name, currency FROM views.table_hold_sessions WHERE gaming_day = %s"

_BETWEEN: LiteralString = """
SELECT notification_id, originator_id, originator_version, topic, state, recorded_at FROM public.pitclerk_events
WHERE originator_id = ANY(%s) AND notification_id > %s AND notification_id <= %s AND topic = ANY(%s)
ORDER BY notification_id LIMIT %s"""

_LATE_BETWEEN: LiteralString = """
SELECT e.notification_id, l.stream, e.originator_version, e.topic, e.state, e.recorded_at
FROM views.late_events l JOIN public.pitclerk_events e
  ON e.originator_id = l.recorded_in AND e.originator_version BETWEEN l.first_version AND l.last_version
WHERE (l.stream = ANY(%(of)s) OR l.recorded_in = ANY(%(of)s))
  AND e.notification_id > %(first)s AND e.notification_id <= %(second)s AND e.topic = ANY(%(topics)s)
ORDER BY e.notification_id"""


_TOPICS: Final = sorted(FOLD_TOPICS | {BuyInLearned.TOPIC})


class TooMuchError(Exception):
    """More lies between the two than is compared at once; the message says what to narrow."""


class Cause(Struct):
    """An event between the two, or all of one round's: who, when and why, and its part in the figure (minor units).

    amount null: it made the figure known, or unknown, whatever it comes to. why: the reason that was given with it.
    """

    position: int
    events: int
    type: str
    table: str | None
    round: str | None
    actor: str | None
    approver: str | None
    happened_at: str | None
    recorded_at: datetime
    why: str | None
    amount: int | None


class Changed(Struct):
    """One figure known differently. more: causes that are not listed. explained: the parts add up (null: cannot)."""

    table: str | None
    currency: str
    figure: str
    first: int | None
    second: int | None
    difference: int | None
    explained: bool | None
    causes: list[Cause]
    more: int


class Day(Struct):
    """A gaming day on which something is known differently."""

    gaming_day: str
    changes: list[Changed]


class Comparison(Struct):
    """first, second: the positions compared; position: up to where the log was known."""

    position: int
    first: int
    second: int
    days: list[Day]


class _Group(Struct):
    """The events of one round, or one event, between the two moments; and what they move."""

    table: str
    currency: str
    events: list[LoggedEvent]
    moved: dict[str, int | None]


def compare(conn: psycopg.Connection[Any], first: int, second: int, *, day: str | None = None) -> Comparison:
    """What was known at `second` and not at `first`, of one gaming day or of all. Raises TooMuchError."""
    with snapshot(conn) as look:
        bounds = {"first": first, "second": second, "most": MOST_DAYS + 1}
        days = [day] if day is not None else [found for (found,) in look.rows(_TOUCHED, bounds)]
    if len(days) > MOST_DAYS:
        raise TooMuchError(f"more than {MOST_DAYS} gaming days have events between {first} and {second}: name a day")
    compared = []
    position = 0
    for name in days:
        before, after = known(conn, name, at_position=first), known(conn, name, at_position=second)
        position = after.position
        differing = differences(before.rows, after.rows)
        if differing:
            with snapshot(conn) as look:
                groups = _groups(look, name, first, second)
            compared.append(Day(name, [_changed(one, groups) for one in differing]))
    return Comparison(position, first, second, compared)


def _groups(look: Snapshot, day: str, first: int, second: int) -> list[_Group]:
    tables = {stream: (table, currency) for stream, table, currency in look.rows(_STREAMS, (day,))}
    names = [*tables, streams.count(day)]
    rows = look.rows(_BETWEEN, (names, first, second, _TOPICS, MOST_EVENTS + 1))
    if len(rows) > MOST_EVENTS:
        raise TooMuchError(f"more than {MOST_EVENTS} events lie between {first} and {second} on {day}: narrow the two")
    late = look.rows(_LATE_BETWEEN, {"of": names, "first": first, "second": second, "topics": _TOPICS})
    elsewhere = {row[0] for row in late}
    rows = [row for row in rows if row[0] not in elsewhere] + [row for row in late if row[1] in tables]
    by_key: dict[tuple[str, str], list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows:
        by_key[row[1], _round_of(row) or str(row[0])].append(row)
    made = (_group(of, tables) for of in by_key.values())
    return [group for group in made if group is not None]


class _Named(Struct):
    round: str | None = None


class _Data(Struct):
    data: _Named


def _round_of(row: tuple[Any, ...]) -> str | None:
    """The round that an event of play belongs to; what is said of it afterwards stands for itself."""
    if "correct" in row[3] or "ruling" in row[3]:
        return None
    try:
        return msgspec.json.decode(row[4], type=_Data).data.round
    except msgspec.DecodeError:
        return None


def _group(rows: list[tuple[Any, ...]], tables: dict[str, tuple[str, str]]) -> _Group | None:
    raw: list[RawRow] = [(at, stream, version, topic, bytes(state)) for at, stream, version, topic, state, _ in rows]
    batch = Batch(raw[0][0] - 1, raw, _TOPICS)
    stream = raw[0][1]
    moved: dict[str, int | None] = {}
    for *_, learned in batch.of(BuyInLearned):
        stream = learned.session_stream
        moved = {"drop": -learned.difference, "win": -learned.difference}
    for *_, corrected in batch.of(BoxCorrected):
        stream, more = corrected.session_stream, corrected.difference or 0
        moved = {"counted_drop": corrected.now - corrected.was, "drop": more, "win": more}
    for *_, adjusted in batch.of(FigureAdjusted):
        stream = adjusted.session_stream
        moved = {"adjusted": adjusted.win, "win": adjusted.win}
    for *_, settled in batch.of(BoxSettled):
        stream = settled.session_stream
        moved = {"counted_drop": settled.total, "drop": settled.difference or 0, "win": settled.difference or 0}
    if stream not in tables:
        return None
    play = Play(Sums())
    for flow in flows(batch):
        play.add(play_of(flow))
    if not moved:
        moved = _moved(play)
    if batch.of(SessionOpened):
        moved |= dict.fromkeys(("over_short", "win"), None)
    if batch.of(SessionClosed):
        moved |= {"over_short": play.sums.over_short, "win": play.sums.over_short}
    table, currency = tables[stream]
    return _Group(table, currency, [logged(row) for row in rows], moved)


def _moved(play: Play) -> dict[str, int | None]:
    """What some events do to each figure, by the sums that the figures are made of."""
    sums = play.sums
    return {
        "rounds": sums.rounds,
        "handle": play.handle,
        "taken": play.taken,
        "paid": play.paid,
        "drop": sums.buy_ins,
        "fills": sums.fills,
        "credits": sums.credits,
        "over_short": sums.over_short,
        "win": sums.tray_play + sums.over_short,
    }


def _changed(one: Difference, groups: list[_Group]) -> Changed:
    of = [g for g in groups if g.currency == one.currency and one.table in (None, g.table)]
    # What moves nothing is no cause, unless it is what made the figure known.
    causes = [g for g in of if one.figure in g.moved and (g.moved[one.figure] != 0 or _makes_known(g, one))]
    parts = [g.moved[one.figure] for g in causes]
    explained = None
    if one.difference is not None and None not in parts:
        explained = sum(part for part in parts if part is not None) == one.difference
    # The newest ones first: what somebody did late is what one looks for.
    listed = [_cause(g, one.figure) for g in reversed(causes[-MOST_CAUSES:])]
    return Changed(
        table=one.table,
        currency=one.currency,
        figure=one.figure,
        first=one.fixed,
        second=one.now,
        difference=one.difference,
        explained=explained,
        causes=listed,
        more=len(causes) - len(listed),
    )


def _makes_known(group: _Group, one: Difference) -> bool:
    return one.difference is None and group.events[-1].type in (SessionClosed.TOPIC, BoxSettled.TOPIC)


def _cause(group: _Group, figure: str) -> Cause:
    last = group.events[-1]
    data = msgspec.json.decode(last.data)
    return Cause(
        position=last.position,
        events=len(group.events),
        type=last.type,
        table=group.table,
        round=data.get("round"),
        actor=last.actor,
        approver=last.approver,
        happened_at=last.happened_at,
        recorded_at=last.recorded_at,
        why=data.get("reason"),
        amount=group.moved[figure],
    )
