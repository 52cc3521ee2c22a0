"""A program that uses the embedded server of a home: `python -m tests.crash.client HOME`. Obeys standard input.

Says one JSON line when it is ready and one after each order: `ensure`, `save` (one event), `fork`, `child` (a program
that outlives this one), `leave`. Leaves at the end of its input, and on SIGTERM and SIGINT.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import structlog

from deploy.embedded import EmbeddedServer, end_on_signals


def main(home: Path) -> None:
    """Serve the orders."""
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    end_on_signals()
    with EmbeddedServer(home) as server:
        say(ready=True, **look(server))
        for line in sys.stdin:
            order = line.strip()
            if order == "leave":
                break
            say(**obey(server, order))
    say(left=True)


def obey(server: EmbeddedServer, order: str) -> dict[str, object]:
    """Carry out one order."""
    if order == "ensure":
        return {"started_it": server.ensure_running(), **look(server)}
    if order == "save":
        with psycopg.connect(server.database_url) as conn:
            conn.execute(
                "INSERT INTO pitclerk_events"
                " SELECT 'house', count(*) + 1, 'x', '', clock_timestamp() FROM pitclerk_events"
            )
        return look(server)
    if order == "fork":
        if (child := os.fork()) == 0:
            signal.pause()
        return {"child": child}
    if order == "child":
        return {"child": subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).pid}
    raise ValueError(order)


def look(server: EmbeddedServer) -> dict[str, object]:
    """Say which server this is and how many events it holds."""
    with psycopg.connect(server.database_url) as conn:
        row = conn.execute("SELECT pg_postmaster_start_time()::text, (SELECT count(*) FROM pitclerk_events)").fetchone()
    assert row is not None
    return {"url": server.database_url, "started": row[0], "events": row[1]}


def say(**facts: object) -> None:
    """Write one line of JSON."""
    print(json.dumps(facts), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
