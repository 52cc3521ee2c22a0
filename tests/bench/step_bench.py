"""How long a step of a live round takes over HTTP at a steady pace, beside a door that does nothing.

The service is a process of its own; terminals send steps at even times, whether or not earlier ones have been answered,
so that a slow answer cannot hide the wait of those behind it. `python -m tests.bench.step_bench` prints the figures.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import httpx

from tests.crash.service import Service, free_port, open_progressive, open_table, token

STEPS_PER_SECOND: Final = 100
"""The pace: a hundred terminals at work, each with a step (open, cards, bet, dealer) a second."""

TABLES: Final = 12
GAME: Final = "caribbean-ee-ak"


class Steps(NamedTuple):
    """Milliseconds from the moment at which a step was due to its answer; health: of a door that does nothing."""

    p50: float
    p99: float
    health_p99: float
    per_second: float


class _Table:
    """One table's live rounds, a step at a time."""

    def __init__(self, url: str, name: str, bearer: str) -> None:
        self._http = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {bearer}"}, timeout=30)
        self._path = f"/v1/tables/{name}/rounds"
        self._name = name
        self._sent = 0
        self._turn = 0

    def step(self) -> None:
        """Open, deal, bet, reveal; then again."""
        box = {"box": 1, "player": "A", "ante": 250, "jackpot": 50}
        paths = ("", "/current/cards", "/current/actions", "/current/dealer")
        bodies: tuple[object, ...] = ({"boxes": [box], "shoe": "house"}, {}, {"box": 1, "do": "bet"}, {})
        self._sent += 1
        headers = {"Idempotency-Key": f"{self._name}-{self._sent}"}
        answer = self._http.post(self._path + paths[self._turn], json=bodies[self._turn], headers=headers)
        assert answer.status_code == 201, answer.text
        self._turn = (self._turn + 1) % len(paths)

    def close(self) -> None:
        self._http.close()


def measure(home: Path, *, seconds: float = 10.0, per_second: int = STEPS_PER_SECOND) -> Steps:
    """Steps at an even pace over all tables."""
    service = Service(home, free_port())
    service.start()
    try:
        open_progressive(service.url, home)
        supervisor, dealer = token(home, "supervisor", "sue"), token(home, "terminal", "dana")
        tables = []
        for number in range(TABLES):
            open_table(service.url, supervisor, f"B{number}", GAME)
            tables.append(_Table(service.url, f"B{number}", dealer))
        return _measure(service.url, tables, seconds, per_second)
    finally:
        service.stop()


def _measure(url: str, tables: list[_Table], seconds: float, per_second: int) -> Steps:
    delays: list[float] = []
    idle: list[float] = []
    locks = [threading.Lock() for _ in tables]

    def one(number: int, due: float) -> None:
        place = number % len(tables)
        with locks[place]:
            tables[place].step()
        delays.append(time.perf_counter() - due)

    began = time.perf_counter()
    with ThreadPoolExecutor(len(tables)) as pool, httpx.Client(base_url=url, timeout=30) as health:
        for number in range(int(seconds * per_second)):
            due = began + number / per_second
            time.sleep(max(0.0, due - time.perf_counter()))  # an even pace, counted from the start
            pool.submit(one, number, due)
            if number % per_second == 0:
                asked = time.perf_counter()
                health.get("/healthz")
                idle.append(time.perf_counter() - asked)
    took = time.perf_counter() - began
    for table in tables:
        table.close()
    ordered = sorted(1000 * delay for delay in delays)
    assert len(ordered) == int(seconds * per_second), "every step was answered"
    return Steps(
        p50=ordered[len(ordered) // 2],
        p99=ordered[len(ordered) * 99 // 100],
        health_p99=1000 * max(idle),
        per_second=len(ordered) / took,
    )


def main() -> None:
    """Print the figures."""
    with TemporaryDirectory(prefix="pitclerk-bench-", ignore_cleanup_errors=True) as home:
        print(measure(Path(home)))


if __name__ == "__main__":
    main()
