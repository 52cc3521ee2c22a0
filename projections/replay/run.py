"""What is replayed, and in how many processes: the list of streams is shared out, the rest is one sequence."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator
from typing import Any, NotRequired, TypedDict

import psycopg
from psycopg.rows import tuple_row

from domain import streams
from domain.codec import UnreadableEventError, decode
from domain.events.base import Event
from domain.events.house import RulesetPublished
from projections import log_reader
from projections.connect import Connect, connector
from projections.log_reader import Row
from projections.replay.difference import Difference, refused
from projections.replay.elsewhere import elsewhere
from projections.replay.jackpots import JACKPOT_EVENTS, JackpotReplay
from projections.replay.player import PAGE, Bounds, Part, rows_of
from projections.replay.shadowing import Shadowed, together
from projections.replay.sharing import Progress, Team


class ReplayResult(TypedDict):
    """events: how many were fed to the engines or demanded of them; position: up to which; seconds: wall clock.

    shadow: if it was asked.
    """

    rounds: int
    events: int
    differences: list[Difference]
    position: int
    seconds: float
    shadow: NotRequired[Shadowed]


def replay(
    connect: str | Connect,
    *,
    table: str | None = None,
    day: str | None = None,
    start: int | None = None,
    stop: int | None = None,
    jobs: int = 1,
    shadow: bool = False,
    progress: Progress | None = None,
) -> ReplayResult:
    """Play the log again and compare, from position `start` to `stop`, of one table or gaming day or of all.

    Progressives are always folded from zero. More than one job needs a connection string. Differences come in the
    order of the log. shadow: each closed round is also held against the shadow payer.
    """
    began = time.perf_counter()
    opener = connector(connect) if isinstance(connect, str) else connect
    first = start or 0
    with opener() as conn:
        head = log_reader.head(conn)
        last = head if stop is None else min(stop, head)
        wanted = [s for s in _sessions(conn) if _is_wanted(s, table, day)]
        bounds = Bounds(first, last, shadow, last < head)
        with Team(connect, _longest_first(conn, wanted), bounds, jobs) as team:
            # What is one sequence is folded here; the others are at the sessions already.
            parts = [_house(conn, first, last), _jackpots(conn, first, last, table, day)]
            if table is None:
                parts.append(elsewhere(conn, first, last, day))
            begun = sum(part["events"] for part in parts)
            parts += team.play(conn, lambda events: progress(begun + events) if progress is not None else None)
    differences = sorted((d for part in parts for d in part["differences"]), key=lambda d: d["position"])
    result = ReplayResult(
        rounds=sum(part["rounds"] for part in parts),
        events=sum(part["events"] for part in parts),
        differences=differences,
        position=last,
        seconds=round(time.perf_counter() - began, 3),
    )
    if shadow:
        result["shadow"] = together(part["shadow"] for part in parts if "shadow" in part)
    return result


def _is_wanted(stream: str, table: str | None, day: str | None) -> bool:
    _, of_table, of_day, _ = stream.split("/")
    return table in (None, of_table) and day in (None, of_day)


# A distinct over the whole log would read it all; this walks the primary key from stream to stream.
_STREAMS = """
WITH RECURSIVE stream (id) AS (
    SELECT min(originator_id) FROM public.pitclerk_events WHERE originator_id >= 'table/'
    UNION ALL
    SELECT (SELECT min(originator_id) FROM public.pitclerk_events e WHERE e.originator_id > stream.id)
    FROM stream WHERE stream.id IS NOT NULL
)
SELECT id FROM stream WHERE id LIKE 'table/%/%/%'"""


def _sessions(conn: psycopg.Connection[Any]) -> list[str]:
    """Every session stream of the log."""
    return [stream for (stream,) in conn.execute(_STREAMS).fetchall() if streams.kind(stream) == "session"]


_BY_LENGTH = """
SELECT stream FROM unnest(%s::text[]) AS stream ORDER BY
    (SELECT originator_version FROM public.pitclerk_events WHERE originator_id = stream
     ORDER BY originator_version DESC LIMIT 1) DESC, stream"""


def _longest_first(conn: psycopg.Connection[Any], wanted: list[str]) -> list[str]:
    """So that no process is left alone with a long session at the end."""
    return [stream for (stream,) in conn.execute(_BY_LENGTH, (wanted,)).fetchall()]


# The condition on topics is the one of the log's index of jackpot events, so that the rest is not read.
_JACKPOTS = (
    "SELECT notification_id, originator_id, originator_version, topic, state FROM public.pitclerk_events"
    " WHERE (topic LIKE 'progressive.%%' OR topic LIKE 'table.jackpot_%%')"
    " AND notification_id > %s AND notification_id <= %s ORDER BY notification_id LIMIT %s"
)


def _house(conn: psycopg.Connection[Any], first: int, last: int) -> Part:
    """A published ruleset is the text that its digest names."""
    differences: list[Difference] = []
    events = 0
    for position, _, _, topic, state in rows_of(conn, streams.HOUSE, last):
        if position < first or topic != RulesetPublished.TOPIC:
            continue
        events += 1
        try:
            event = decode(topic, state)[1]
        except UnreadableEventError as error:
            differences.append(refused(position, None, str(error), None))
            continue
        assert isinstance(event, RulesetPublished)
        if hashlib.sha256(event.text.encode()).hexdigest() != event.digest:
            differences.append(refused(position, None, f"the text of {event.ruleset} has another digest", None))
    return Part(rounds=0, events=events, differences=differences)


def _jackpots(conn: psycopg.Connection[Any], first: int, last: int, table: str | None, day: str | None) -> Part:
    """Fold every progressive from zero; tell what differs within the bounds."""
    fold = JackpotReplay()
    wanted = frozenset(kind.TOPIC for kind in JACKPOT_EVENTS)
    events = 0
    for row in _jackpot_rows(conn, last, wanted, fold):
        events += row[1].startswith("progressive/") and row[0] >= first
        fold.take(row)
    fold.finish()
    of_stream = _streams_of(conn, [d["position"] for d in fold.differences])
    told = [d for d in fold.differences if d["position"] >= first and _told(of_stream, d, table, day)]
    return Part(rounds=0, events=events, differences=told)


def _streams_of(conn: psycopg.Connection[Any], positions: list[int]) -> dict[int, str]:
    statement = "SELECT notification_id, originator_id FROM public.pitclerk_events WHERE notification_id = ANY(%s)"
    return dict(conn.execute(statement, (positions,)).fetchall())


def _told(of_stream: dict[int, str], difference: Difference, table: str | None, day: str | None) -> bool:
    stream = of_stream.get(difference["position"], "")
    return streams.kind(stream) != "session" or _is_wanted(stream, table, day)


def _jackpot_rows(
    conn: psycopg.Connection[Any], last: int, wanted: Iterable[str], fold: JackpotReplay
) -> Iterator[Row[Event]]:
    topics = frozenset(wanted)
    at = 0
    with conn.cursor(binary=True, row_factory=tuple_row) as cursor:
        while True:
            rows = cursor.execute(_JACKPOTS, (at, last, PAGE), prepare=True).fetchall()
            for position, stream, version, topic, state in rows:
                if topic not in topics:
                    fold.see(stream, version)
                    continue
                try:
                    meta, event = decode(topic, state)
                except UnreadableEventError as error:
                    fold.differences.append(refused(position, None, str(error), None))
                    continue
                yield position, stream, version, meta, event
            if len(rows) < PAGE:
                return
            at = rows[-1][0]
