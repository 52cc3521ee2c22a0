"""How fast the projections catch up and the log is replayed, beside reading and decoding the same log and nothing more.

`python -m tests.bench.log_bench` prints the figures.
"""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import psycopg

from api.cli.floor import all_games
from api.cli.publish import publish_shipped
from api.simulator import run
from deploy.embedded import EmbeddedServer
from domain.application import Application
from domain.codec import decode
from projections.catch_up import run_until
from projections.replay import replay

ROUNDS: Final = 6_000
_PAGE: Final = 8_000
_READ: Final = (
    "SELECT notification_id, topic, state FROM public.pitclerk_events WHERE notification_id > %s"
    " ORDER BY notification_id LIMIT %s"
)


def measure(database_url: str, *, rounds: int = ROUNDS) -> dict[str, float]:
    """Events a second: `catch_up`, `decode` (reading and decoding alone), `replay` by one process, by two and with the
    shadow payer; `simulate`: rounds a second.
    """
    with Application(database_url, site="bench") as application:
        publish_shipped(application, actor="bench")
    played = run.simulate(database_url, "bench", all_games(), tables=16, rounds=rounds, seed=1)
    with psycopg.connect(database_url) as conn:
        conn.execute("SELECT count(*) FROM public.pitclerk_events")  # the log lies in memory for all of them
        events, decoding = _decode_alone(conn)
    started = time.perf_counter()
    run_until(database_url)
    catching_up = time.perf_counter() - started
    replayed = replay(database_url)
    by_two = replay(database_url, jobs=2)
    assert not replayed["differences"] + by_two["differences"], "a measured log is a sound log"
    with_shadow = replay(database_url, shadow=True)
    return {
        "simulate": rounds / played["seconds"],
        "events": events,
        "decode": events / decoding,
        "catch_up": events / catching_up,
        "replay": events / replayed["seconds"],
        "replay_by_two": events / by_two["seconds"],
        "replay_with_shadow": events / with_shadow["seconds"],
    }


def _decode_alone(conn: psycopg.Connection[tuple[int, str, bytes]]) -> tuple[int, float]:
    started = time.perf_counter()
    position = events = 0
    with conn.cursor(binary=True) as cursor:
        while rows := cursor.execute(_READ, (position, _PAGE)).fetchall():
            for _, topic, state in rows:
                decode(topic, state)
            position = rows[-1][0]
            events += len(rows)
    return events, time.perf_counter() - started


def main() -> None:
    """Print the figures."""
    with TemporaryDirectory(prefix="pitclerk-bench-") as home, EmbeddedServer(Path(home)) as server:
        for name, value in measure(server.database_url).items():
            print(f"{value:>12,.0f}  {name}")


if __name__ == "__main__":
    main()
