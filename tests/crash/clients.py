"""Start and drive the programs of the crash tests, every wait with a deadline."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import deploy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROOT = Path(deploy.__file__).resolve().parent.parent
PATIENCE_S = 60.0


class Client:
    """One running client; its first word has been heard once it is made."""

    def __init__(self, home: Path, *, python: str = sys.executable, lend: dict[str, Any] | None = None) -> None:
        self.process = start(home, python=python, lend=lend)
        self.facts: dict[str, Any] = {}

    def hear(self) -> dict[str, Any]:
        """Wait for the next line."""
        assert self.process.stdout is not None
        self.facts = {**self.facts, **json.loads(_line(self.process.stdout))}
        return self.facts

    def order(self, what: str) -> dict[str, Any]:
        """Give an order and wait for its outcome."""
        assert self.process.stdin is not None
        self.process.stdin.write(what.encode() + b"\n")
        self.process.stdin.flush()
        return self.hear()

    def leave(self) -> None:
        """Let it leave in order."""
        self.order("leave")
        assert self.process.wait(PATIENCE_S) == 0

    def kill(self) -> None:
        """Kill it without warning."""
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def end(self, number: signal.Signals) -> float:
        """Signal it and return the seconds until it has ended."""
        started = time.monotonic()
        self.process.send_signal(number)
        assert self.process.wait(PATIENCE_S) == 128 + number
        return time.monotonic() - started


def start(home: Path, *, python: str, lend: dict[str, Any] | None) -> subprocess.Popen[bytes]:
    """Start a client in a process group of its own."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
    return subprocess.Popen(
        [python, "-m", "tests.crash.client", str(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env=environment,
        start_new_session=True,
        **(lend or {}),
    )


def ready(home: Path, **options: Any) -> Client:
    """Start a client and wait until it is ready."""
    client = Client(home, **options)
    client.hear()
    return client


def _line(stream: IO[bytes]) -> bytes:
    deadline = time.monotonic() + PATIENCE_S
    line = b""
    while not line.endswith(b"\n"):
        assert select.select([stream], [], [], max(0.0, deadline - time.monotonic()))[0], "the client says nothing"
        piece = os.read(stream.fileno(), 1)
        assert piece, f"the client ended after saying {line!r}"
        line += piece
    return line


def wait_until(condition: Callable[[], bool], seconds: float, what: str) -> None:
    """Poll until the condition holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not after {seconds:g} s: {what}"
        time.sleep(0.02)  # the poll's pause; the deadline above decides


def postmaster(home: Path) -> int | None:
    """Return the pid that the home's server has written down, None if it has ended in order."""
    try:
        return int((home / "pg" / "postmaster.pid").read_text("ascii").split("\n", 1)[0])
    except FileNotFoundError:
        return None


def runs(pid: int | None) -> bool:
    """Whether a process runs and is no zombie."""
    if pid is None:
        return False
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text("ascii", errors="replace")
    except FileNotFoundError:
        return False


def server_runs(home: Path) -> bool:
    """Whether the home's server runs."""
    return runs(postmaster(home))


def usable_python(uid: int) -> str:
    """Return an interpreter like this one that the user may run."""
    for python in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        command: Sequence[str] = [
            python,
            "-c",
            "import sys; sys.path[:0] = sys.argv[1:]; import psycopg, structlog",
            *sys.path,
        ]
        try:
            if subprocess.run(command, user=uid, cwd="/", capture_output=True, check=False).returncode == 0:
                return python
        except PermissionError:
            continue
    raise AssertionError(f"no interpreter that user {uid} may run: put one where others can read it")
