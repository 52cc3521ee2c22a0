"""How fast finished rounds are recorded, one durable commit each, beside plain psycopg writing the same bytes.

The baseline writes the same event, chain and answer rows, computed beforehand, in one pipeline and one commit a round:
no lock, no versions to check, no hashing, nothing to look up. It is measured in both ways psycopg offers, row by row
and as arrays, and the faster one counts. All take turns on one server, so that none gets the better disk; the medians
count.
"""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
from eventsourcing.persistence import InfrastructureFactory, StoredEvent
from eventsourcing.utils import Environment

from domain.recorder import AnswerRow, CasinoRecorder, Placed, Save
from domain.store.connection import environment

if TYPE_CHECKING:
    from collections.abc import Sequence

EVENTS_A_ROUND = 25
STATE = bytes(range(100)) * 3
ANSWER = bytes(range(100)) * 4
TERMINAL = "terminal-1"

_EVENTS_COLUMNS = "public.pitclerk_events (originator_id, originator_version, topic, state, recorded_at)"
_CHAIN_COLUMNS = "public.pitclerk_chain (position, leaf, link)"
_EVENTS_ROW = f"INSERT INTO {_EVENTS_COLUMNS} VALUES (%s, %s, %s, %s, %s)"
_CHAIN_ROW = f"INSERT INTO {_CHAIN_COLUMNS} VALUES (%s, %s, %s)"
_EVENTS_ARRAYS = f"""
INSERT INTO {_EVENTS_COLUMNS}
SELECT * FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::bytea[], %s::timestamptz[])"""
_CHAIN_ARRAYS = f"INSERT INTO {_CHAIN_COLUMNS} SELECT * FROM unnest(%s::bigint[], %s::bytea[], %s::bytea[])"
_ANSWER_ROW = """
INSERT INTO public.pitclerk_answers (identity, key, digest, status, answer, position, recorded_at)
VALUES (%s, %s, %s, %s, %s, %s, clock_timestamp())"""


class _Rows(NamedTuple):
    """The rows of one round."""

    events: list[tuple[Any, ...]]
    chain: list[tuple[Any, ...]]
    answer: tuple[Any, ...]


def measure(database_url: str, *, rounds: int = 400, turns: int = 5) -> dict[str, float]:
    """Return saves a second, `ours` and `raw`, and their `ratio`. Leaves a broken chain: give it a scratch database."""
    ours: list[float] = []
    by_row: list[float] = []
    by_array: list[float] = []
    with (
        InfrastructureFactory.construct(Environment("pitclerk", environment(database_url))) as factory,
        psycopg.connect(database_url, autocommit=True) as conn,
    ):
        recorder = factory.application_recorder()
        assert isinstance(recorder, CasinoRecorder)
        for turn in range(turns):
            position = 10**12 + 2 * turn * rounds * EVENTS_A_ROUND
            by_row.append(_raw(conn, _session("rows", turn, rounds), position, arrays=False))
            by_array.append(
                _raw(conn, _session("arrays", turn, rounds), position + rounds * EVENTS_A_ROUND, arrays=True)
            )
            ours.append(_ours(recorder, _session("ours", turn, rounds)))
    rate, raw = statistics.median(ours), max(statistics.median(by_row), statistics.median(by_array))
    return {"ours": rate, "raw": raw, "ratio": rate / raw}


def _session(name: str, turn: int, rounds: int) -> list[list[StoredEvent]]:
    """Make the rounds of one table session."""
    stream = f"table/{name}/2026-03-14/{turn}"
    events = [
        StoredEvent(stream, version + 1, "table.ante_placed", STATE) for version in range(rounds * EVENTS_A_ROUND)
    ]
    return [events[start : start + EVENTS_A_ROUND] for start in range(0, len(events), EVENTS_A_ROUND)]


def _ours(recorder: CasinoRecorder, rounds: Sequence[Sequence[StoredEvent]]) -> float:
    started = time.perf_counter()
    for events in rounds:
        key = f"{events[0].originator_id}/{events[0].originator_version}"

        def answer(placed: Sequence[Placed], key: str = key) -> AnswerRow:
            return AnswerRow(TERMINAL, key, bytes(32), 201, ANSWER, placed[-1].position)

        recorder.save(events, Save(versions={"house": 0}, identity=TERMINAL, key=key, answer=answer))
    return len(rounds) / (time.perf_counter() - started)


def _raw(
    conn: psycopg.Connection[Any], rounds: Sequence[Sequence[StoredEvent]], position: int, *, arrays: bool
) -> float:
    batches = _rows(conn, rounds, position)
    started = time.perf_counter()
    for batch in batches:
        with conn.pipeline(), conn.transaction(), conn.cursor() as cursor:
            if arrays:
                cursor.execute(
                    _EVENTS_ARRAYS, [list(column) for column in zip(*batch.events, strict=True)], prepare=True
                )
                cursor.execute(_CHAIN_ARRAYS, [list(column) for column in zip(*batch.chain, strict=True)], prepare=True)
            else:
                cursor.executemany(_EVENTS_ROW, batch.events)
                cursor.executemany(_CHAIN_ROW, batch.chain)
            cursor.execute(_ANSWER_ROW, batch.answer, prepare=True)
    return len(batches) / (time.perf_counter() - started)


def _rows(conn: psycopg.Connection[Any], rounds: Sequence[Sequence[StoredEvent]], position: int) -> list[_Rows]:
    found = conn.execute("SELECT clock_timestamp()").fetchone()
    assert found is not None
    batches = []
    for events in rounds:
        rows = [(e.originator_id, e.originator_version, e.topic, e.state, found[0]) for e in events]
        links = [(position + n, bytes(32), bytes(32)) for n in range(len(events))]
        position += len(events)
        key = f"{events[0].originator_id}/{events[0].originator_version}"
        batches.append(_Rows(rows, links, (TERMINAL, key, bytes(32), 201, ANSWER, position)))
    return batches
