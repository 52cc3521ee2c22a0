"""`make bench`: every figure that was promised, each beside a baseline of the same run, for people and as JSON lines.

A figure under its mark is told, not punished: machines differ, and a shared one most of all. `python -m tests.bench
settle record` measures only what is named.
"""

from __future__ import annotations

import json
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from deploy.embedded import EmbeddedServer

RESULTS = Path("bench-results.jsonl")


class Figure(NamedTuple):
    """value in unit; mark: what was promised (at least, or at most for milliseconds); baseline: of the same run."""

    what: str
    value: float
    unit: str
    mark: float | None = None
    baseline: float | None = None
    baseline_of: str = ""
    ratio_mark: float | None = None

    @property
    def reached(self) -> bool:
        """Whether both marks are met."""
        enough = self.mark is None or (self.value <= self.mark if self.unit == "ms" else self.value >= self.mark)
        ratio = self.value / self.baseline if self.baseline else None
        return enough and (self.ratio_mark is None or (ratio is not None and ratio >= self.ratio_mark))


@contextmanager
def scratch() -> Iterator[EmbeddedServer]:
    """A server of this measurement's own."""
    # Not below anybody's own directory: root's is closed to the ordinary user that the server runs as.
    home = tempfile.TemporaryDirectory(prefix="pitclerk-bench-", ignore_cleanup_errors=True)
    with home as directory, EmbeddedServer(Path(directory)) as server:
        yield server


def settle() -> Iterator[Figure]:
    """Rounds settled by one process."""
    from tests.bench import settle_bench

    found = settle_bench.figures()
    yield Figure("settle, mixed rulesets", found["settle"], "rounds/s", 15_000, found["decode alone"], "decoding alone")


def record() -> Iterator[Figure]:
    """Finished rounds, one durable commit each."""
    from tests.bench import save_bench

    with scratch() as server:
        found = save_bench.measure(server.database_url)
    yield Figure("finished rounds recorded", found["ours"], "rounds/s", None, found["raw"], "raw psycopg", 0.6)


def log() -> Iterator[Figure]:
    """The log read again: by the projections, and by replay."""
    from tests.bench import log_bench

    with scratch() as server:
        found = log_bench.measure(server.database_url)
    alone = "reading and decoding"
    yield Figure("simulate, all games", found["simulate"], "rounds/s")
    yield Figure("projections catching up", found["catch_up"], "events/s", 60_000, found["decode"], alone, 0.4)
    yield Figure("replay, one process", found["replay"], "events/s", 60_000, found["decode"], alone)
    yield Figure("replay, two processes", found["replay_by_two"], "events/s", None, found["replay"], "one process")
    shadowed = found["replay_with_shadow"]
    yield Figure("replay with the shadow payer", shadowed, "events/s", None, found["replay"], "without it")


def feed() -> Iterator[Figure]:
    """From a commit to a jackpot display."""
    from domain.application import Application
    from tests.bench import feed_bench

    with scratch() as server:
        with Application(server.database_url, site="bench") as application:
            feed_bench.prepare(application)
        shown, heard, rate = feed_bench.measure(server.database_url)
    yield Figure(f"commit to display, p50 at {rate:.0f} rounds/s", shown.p50, "ms", None, heard.p50, "LISTEN alone")
    yield Figure(f"commit to display, p99 at {rate:.0f} rounds/s", shown.p99, "ms", 50, heard.p99, "LISTEN alone")


def step() -> Iterator[Figure]:
    """A step of a live round over HTTP."""
    from tests.bench import step_bench

    with tempfile.TemporaryDirectory(prefix="pitclerk-bench-", ignore_cleanup_errors=True) as home:
        found = step_bench.measure(Path(home))
    pace = f"{found.per_second:.0f} steps/s"
    yield Figure(f"HTTP live step, p50 at {pace}", found.p50, "ms", None, found.health_p99, "/healthz")
    yield Figure(f"HTTP live step, p99 at {pace}", found.p99, "ms", 25, found.health_p99, "/healthz")


BENCHES: dict[str, Callable[[], Iterator[Figure]]] = {
    bench.__name__: bench for bench in (settle, record, log, feed, step)
}


def main(names: list[str]) -> None:
    """Measure, print, and keep the lines."""
    console = Console()
    table = Table(title=f"{platform.machine()}, Python {platform.python_version()}", title_justify="left")
    for column in ("what", "measured", "promised", "baseline", "ratio", ""):
        table.add_column(column, justify="left" if column == "what" else "right")
    lines = []
    for name in names or BENCHES:
        for figure in BENCHES[name]():
            table.add_row(*_row(figure))
            lines.append(json.dumps({"at": round(time.time()), **_document(figure)}))
    console.print(table)
    for line in lines:
        print(line)
    with RESULTS.open("a") as kept:
        kept.write("".join(f"{line}\n" for line in lines))


def _row(figure: Figure) -> list[str]:
    ratio = f"{figure.value / figure.baseline:.2f}" if figure.baseline else ""
    bound = "at most" if figure.unit == "ms" else "at least"
    promised = f"{bound} {_number(figure.mark)}" if figure.mark is not None else ""
    if figure.ratio_mark is not None:
        promised = f"{promised} and {figure.ratio_mark} x".removeprefix(" and ")
    baseline = f"{_number(figure.baseline)} ({figure.baseline_of})" if figure.baseline else ""
    measured = f"{_number(figure.value)} {figure.unit}"
    return [figure.what, measured, promised, baseline, ratio, "" if figure.reached else "[red]under[/red]"]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def _document(figure: Figure) -> dict[str, Any]:
    return figure._asdict() | {"reached": figure.reached}


if __name__ == "__main__":
    main(sys.argv[1:])
