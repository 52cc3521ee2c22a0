"""How the projections catch up with a long log: events a second as it grows, what each projection costs, and memory.

`python -m tests.bench.catchup_bench --events 1000000` prints the figures. The log is made up (no engine runs), so that
ten million events are a matter of minutes; `tests.bench.log_bench` measures a played one.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import psycopg

from deploy.embedded import EmbeddedServer
from deploy.migrate import migrate
from projections.advance import Advancer
from projections.catalog import all_projections
from projections.connect import connector
from projections.log_reader import read_batch
from tests.projections.logs import Log, night

TABLES: Final = 40
ROUNDS_A_NIGHT: Final = 2_000
TIMED: Final = ("load", "fold", "store")


def fill(conn: psycopg.Connection[Any], events: int) -> int:
    """Write about so many events, night after night; how many."""
    written = 0
    number = 0
    while written < events:
        number += 1
        log = _renamed(night(number, TABLES, ROUNDS_A_NIGHT), number)
        with (
            conn.cursor() as cursor,
            cursor.copy(
                "COPY public.pitclerk_events (originator_id, originator_version, topic, state, recorded_at) FROM STDIN"
            ) as copy,
        ):
            for row in log.rows:
                copy.write_row(row)
        written += len(log.rows)
    return written


def _renamed(log: Log, number: int) -> Log:
    """The night on streams, rounds and progressives of its own: nights do not follow from each other."""
    suffix = f"n{number}"
    log.rows = [
        (_stream(stream, suffix), version, topic, _state(state, suffix), at)
        for stream, version, topic, state, at in log.rows
    ]
    return log


def _stream(stream: str, suffix: str) -> str:
    head, *rest = stream.split("/")
    return "/".join([head, f"{rest[0]}{suffix}", *rest[1:]])


def _state(state: bytes, suffix: str) -> bytes:
    """Round ids and names lie in the state as text between quotes: `"T01-...` and `"royal"`."""
    renamed = state.replace(b'"royal"', f'"royal{suffix}"'.encode())
    for kind in (b'"round":"T', b'"hit":"T', b'"table":"T'):
        at = renamed.find(kind)
        if at >= 0:
            end = at + len(kind) + 2
            renamed = renamed[:end] + suffix.encode() + renamed[end:]
    return renamed


def decode_alone(conn: psycopg.Connection[Any]) -> float:
    """Seconds for reading and decoding the whole log."""
    every = frozenset().union(*(p.topics for p in all_projections()))
    began, at = time.perf_counter(), 0
    while batch := read_batch(conn, at, every, 8_000):
        at = batch.end
    return time.perf_counter() - began


def catch_up(url: str, events: int) -> dict[str, float]:
    """Fold everything; seconds in all and by projection and phase, and megabytes at the half and at the end."""
    spent: dict[str, float] = defaultdict(float)
    projections = all_projections()
    for projection in projections:
        for phase in TIMED:
            _time(projection, phase, spent)
    with connector(url)() as conn:
        advancer = Advancer(conn, projections)
        advancer.open()
        began = time.perf_counter()
        half = 0.0
        while advancer.step():
            if not half and advancer.at > events // 2:
                half = _megabytes()
        spent["all"] = time.perf_counter() - began
    return {**spent, "MB at half": half, "MB at end": _megabytes()}


def _time(projection: Any, phase: str, spent: dict[str, float]) -> None:
    inner: Callable[..., Any] = getattr(projection, phase)

    def timed(*args: Any) -> Any:
        began = time.perf_counter()
        try:
            return inner(*args)
        finally:
            spent[f"{projection.name}.{phase}"] += time.perf_counter() - began

    setattr(projection, phase, timed)


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=500_000)
    wanted: int = parser.parse_args().events
    with TemporaryDirectory(prefix="pitclerk-bench-") as home, EmbeddedServer(Path(home)) as server:
        migrate(server.superuser_url)
        with connector(server.database_url)() as conn:
            events = fill(conn, wanted)
            alone = decode_alone(conn)
        figures = catch_up(server.database_url, events)
        print(f"{events:>12,}  events")
        print(f"{events / alone:>12,.0f}  events/s read and decoded")
        print(f"{events / figures['all']:>12,.0f}  events/s caught up, {alone / figures['all']:.2f} of that")
        for name, value in sorted(figures.items(), key=lambda item: -item[1]):
            unit = f"{value:>12,.0f}  {name}" if name.startswith("MB") else f"{value / events * 1e6:>12.3f}  us {name}"
            print(unit)


if __name__ == "__main__":
    main()
