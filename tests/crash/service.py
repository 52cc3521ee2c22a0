"""The real service under test: started, killed, asked over HTTP, and its log looked at afterwards."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import psycopg

from api.simulator.felt import Felt
from api.simulator.house import Done
from api.simulator.players import Players
from api.simulator.spins import Spins
from api.simulator.terms import Plan, jackpot_levels, terms_of
from domain.engine import settle_record
from domain.engine.record import Record, RecordProgressive
from domain.ruleset import shipped
from tests.cli.program import pitclerk, start

READY_S = 60.0
LOOK_S = 0.05
PROGRESSIVE = "crash-EUR"


class Service:
    """One `pitclerk serve` on a port of its own."""

    def __init__(self, home: Path, port: int) -> None:
        self.home = home
        self.url = f"http://127.0.0.1:{port}"
        self._port = port
        self._process: subprocess.Popen[str] | None = None
        self._log = (home.parent / f"serve-{port}.log").open("a")

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._process = start("serve", "--port", str(self._port), home=self.home, stderr=self._log)
        self.wait_ready()

    def wait_ready(self) -> None:
        """Wait, at most READY_S, until it says that it is ready."""
        deadline = time.monotonic() + READY_S
        while time.monotonic() < deadline:
            try:
                if httpx.get(f"{self.url}/readyz", timeout=2).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            threading.Event().wait(LOOK_S)
        raise TimeoutError(f"{self.url} was not ready within {READY_S:.0f} s: see {self._log.name}")

    def kill(self) -> None:
        """Kill it as a crash would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(timeout=10)

    def stop(self) -> int:
        """Ask it to end; its exit status. It must end within ten seconds."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(timeout=10)

    def kill_postgres(self) -> None:
        """Kill the server's first process; the kernel takes the others with it soon."""
        try:
            pid = int((self.home / "pg" / "postmaster.pid").read_text().split("\n", 1)[0])
            os.kill(pid, signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError, ValueError):
            return  # it is down already, or just coming up


@contextmanager
def scratch_home() -> Iterator[Path]:
    """A home of this test's own. Not below pytest's directory: root's is closed to the user that the server runs as."""
    with tempfile.TemporaryDirectory(prefix="pitclerk-crash-", ignore_cleanup_errors=True) as directory:
        home = Path(directory) / "home"
        home.mkdir(mode=0o711)
        Path(directory).chmod(0o711)
        yield home


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def token(home: Path, role: str, name: str) -> str:
    """A token, made as an operator makes one."""
    done = pitclerk("token", "create", "--role", role, "--name", name, "--json", home=home)
    assert done.status == 0, done.err
    return str(done.json()["token"])


def say(url: str, path: str, bearer: str, body: object, key: str) -> httpx.Response:
    """One request that must go through."""
    headers = {"Authorization": f"Bearer {bearer}", "Idempotency-Key": key}
    answer = httpx.post(f"{url}{path}", json=body, headers=headers, timeout=30)
    assert answer.status_code < 300, answer.text
    return answer


def open_progressive(url: str, home: Path, **terms: int) -> None:
    """The progressive of most crash tests, proposed and approved."""
    run_progressive(url, home, PROGRESSIVE, **terms)


def run_progressive(url: str, home: Path, name: str, **terms: int) -> None:
    """A progressive, proposed and approved."""
    level = {"level": 1, "seed": 1_000_000, "increment_ppm": 700_000, "reserve_ppm": 50_000, "limit": None} | terms
    body = {"id": name, "currency": "EUR", "levels": [level], "fixed_prizes_from": "house"}
    answer = say(url, "/v1/progressives", token(home, "admin", "ada"), body, f"propose-{name}")
    approval = answer.json()["approval"]
    say(url, f"/v1/approvals/{approval}", token(home, "finance", "fin"), {"decision": "approve"}, f"approve-{name}")


def open_table(url: str, bearer: str, table: str, ruleset: str) -> None:
    """A table open for play, linked to the progressive where its sheet has a jackpot."""
    open_table_on(url, bearer, table, ruleset, PROGRESSIVE if ruleset.startswith("caribbean-ee") else None)


def open_table_on(url: str, bearer: str, table: str, ruleset: str, progressive: str | None) -> None:
    """A table open for play on a progressive, or on none."""
    terms = terms_of(shipped(ruleset), 1)
    body = {
        "ruleset": ruleset,
        "currency": terms.currency,
        "chip": terms.chip,
        "min": terms.min,
        "max": terms.max,
        "opener": [{"denomination": terms.chip, "count": 10_000}],
    }
    linked = {} if progressive is None else {"progressive": progressive}
    say(url, f"/v1/tables/{table}/open", bearer, body | linked, f"open-{table}")


class Rounds:
    """Finished rounds to send, as simulated players play them."""

    def __init__(self, ruleset: str, seed: str) -> None:
        self._ruleset = shipped(ruleset)
        plan = Plan("aside", seed, self._ruleset, terms_of(self._ruleset, 1), PROGRESSIVE, None, 1, 1, close=False)
        rng = random.Random(seed)
        self._players = Players(plan, rng)
        self._game = Spins(plan, rng) if self._ruleset.engine == "roulette" else Felt(plan, rng)
        self._limits = plan.terms.limits

    def next(self) -> bytes:
        """A record's JSON."""
        steps = self._game.finished(self._players)
        asked: Any = next(steps)
        record: Record = asked.act.keywords["record"]
        if jackpot_levels(self._ruleset):
            record = msgspec.structs.replace(record, progressive=RecordProgressive(meter=1_000_000))
        settled = settle_record(self._ruleset, self._limits, record)
        for _ in steps_to_end(steps, Done({"settlement": settled}, [])):
            raise AssertionError("a finished round asks once")
        return msgspec.json.encode(asked.act.keywords["record"])


def steps_to_end(steps: Any, done: Done) -> Iterator[object]:
    """What a table's steps still say when they are told what was done."""
    try:
        yield steps.send(done)
    except StopIteration:
        return


def superuser(home: Path) -> psycopg.Connection[Any]:
    """The log, as an auditor with every right sees it. The service must be running."""
    url = pitclerk("settings", "--json", home=home).json()["superuser_url"]
    return psycopg.connect(url, autocommit=True)


def assert_log_is_sound(home: Path) -> None:
    """Replay, check and verify find nothing."""
    replayed = pitclerk("replay", "--json", home=home)
    assert (replayed.status, replayed.json()["differences"]) == (0, []), replayed.err
    checked = pitclerk("check", "--json", home=home)
    assert checked.status == 0, [one for one in checked.json()["identities"] if not one["ok"]]
    verified = pitclerk("verify", "--json", home=home)
    assert (verified.status, verified.json()["ok"]) == (0, True), verified.out
