"""`serve` and `demo` as processes: ready lines, tokens, shared homes, an end in good time that leaves nothing."""

from __future__ import annotations

import json
import signal
import socket
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from api.auth.roles import ROLES
from deploy.embedded.locks import FileLock
from tests.cli.program import pitclerk, start

READY_S, END_S = 60.0, 10.0


@pytest.fixture
def fresh_home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="pitclerk-run-", ignore_cleanup_errors=True) as directory:
        yield Path(directory)


def ready(process: subprocess.Popen[str]) -> str:
    """The address of the ready line, which must be the first thing on standard output."""
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith("ready http://"), line + (process.stderr.read() if process.stderr else "")
    return line.split()[1]


def end(process: subprocess.Popen[str], number: signal.Signals) -> None:
    """End it by a signal: in good time, with the status that shells expect."""
    process.send_signal(number)
    started = time.monotonic()
    process.communicate(timeout=END_S + 5)
    assert time.monotonic() - started < END_S
    assert process.returncode == 128 + number


def wait_for_rounds(address: str, token: str, wanted: int) -> int:
    """Wait, bounded, until the floor has dealt so many rounds."""
    headers = {"Authorization": f"Bearer {token}"}
    deadline = time.monotonic() + READY_S
    while time.monotonic() < deadline:
        rows = httpx.get(f"{address}/v1/tables", headers=headers, timeout=10).json()["rows"]
        dealt = sum(row["rounds"] for row in rows)
        if dealt >= wanted:
            return int(dealt)
        time.sleep(0.1)  # bounded by the deadline
    raise TimeoutError(f"{wanted} rounds were not dealt")


def wait_for_events(address: str, more: int) -> None:
    """Wait, at most 30 s, until the log has grown by so many positions: the demo is in the middle of things."""
    deadline = time.monotonic() + 30
    wanted = httpx.get(f"{address}/readyz").json()["position"] + more
    while httpx.get(f"{address}/readyz").json()["position"] < wanted:
        assert time.monotonic() < deadline, "the demo deals nothing"
        time.sleep(0.05)  # between two looks; the deadline above decides


def test_the_demo_is_ready_with_tokens_and_deals_so_many_rounds(fresh_home: Path) -> None:
    tokens = fresh_home / "tokens.json"
    options = ["--port", "0", "--tokens", str(tokens), "--rounds", "40", "--rounds-per-second", "100", "--tables", "5"]
    demo = start("demo", *options, home=fresh_home, stderr=subprocess.DEVNULL)
    try:
        address = ready(demo)
        by_role = json.loads(tokens.read_text())
        assert set(by_role) == set(ROLES)
        assert stat.S_IMODE(tokens.stat().st_mode) == 0o600
        assert wait_for_rounds(address, by_role["auditor"], 40) == 40
        jackpots = httpx.get(f"{address}/v1/jackpots", headers={"Authorization": f"Bearer {by_role['display']}"})
        assert [one["state"] for one in jackpots.json()["jackpots"]] == ["NORMAL"]
        # Others may work in the same home meanwhile.
        assert pitclerk("verify", "--json", home=fresh_home).status == 0
        assert httpx.get(f"{address}/readyz").status_code == 200, "it goes on serving"
    finally:
        end(demo, signal.SIGTERM)
    lock = FileLock(fresh_home / "use")
    assert lock.try_lock(), "nobody holds the home"
    lock.close()
    assert not (fresh_home / "pg" / "postmaster.pid").exists(), "the last one leaving stops the server"
    assert pitclerk("check", "--json", home=fresh_home).status == 0


def test_an_interrupted_demo_ends_in_good_time_and_is_taken_up_again(fresh_home: Path) -> None:
    for _ in range(2):
        options = ["--port", "0", "--tables", "3", "--rounds-per-second", "50"]
        demo = start("demo", *options, home=fresh_home, stderr=subprocess.DEVNULL)
        wait_for_events(ready(demo), 50)
        end(demo, signal.SIGINT)
    assert pitclerk("replay", "--json", home=fresh_home).json()["differences"] == []


def test_two_services_share_a_home_and_the_last_stops_the_server(fresh_home: Path) -> None:
    demos = [
        start("demo", "--port", "0", "--seed", "3", "--tables", "2", home=fresh_home, stderr=subprocess.DEVNULL)
        for _ in range(2)
    ]
    addresses = [ready(demo) for demo in demos]
    end(demos[0], signal.SIGTERM)
    assert httpx.get(f"{addresses[1]}/readyz").status_code == 200
    end(demos[1], signal.SIGTERM)
    assert not (fresh_home / "pg" / "postmaster.pid").exists()


def test_serve_answers_and_ends(home: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    service = start("serve", "--port", str(port), home=home, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + READY_S
        status = 0
        while status != 200 and time.monotonic() < deadline:
            try:
                status = httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=5).status_code
            except httpx.TransportError:
                time.sleep(0.05)  # bounded by the deadline
        assert status == 200
    finally:
        end(service, signal.SIGTERM)


def test_a_port_in_use_is_said_in_one_sentence(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = pitclerk("serve", "--port", str(taken.getsockname()[1]), home=home)
    assert done.status == 2
    assert "cannot listen" in done.err
    assert "Traceback" not in done.err


def test_an_unknown_ruleset_ends_the_demo_with_status_2(home: Path) -> None:
    done = pitclerk("demo", "--port", "0", "--rulesets", "no-such-sheet", home=home)
    assert (done.status, done.out) == (2, "")
