"""kill -9 of the service and of PostgreSQL in the middle of HTTP load: nothing acknowledged is lost, nothing is twice.

PITCLERK_CRASHES sets how often something is killed; 4 unless told.
"""

from __future__ import annotations

import collections
import json
import os
import random
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.crash.service import (
    Rounds,
    Service,
    assert_log_is_sound,
    free_port,
    open_progressive,
    open_table,
    scratch_home,
    superuser,
    token,
)

KILLS = int(os.environ.get("PITCLERK_CRASHES", "4"))
GAMES = ("caribbean-ee-ak", "russian-ua", "roulette-ua", "caribbean-ee-ak")
BETWEEN_KILLS = 25  # rounds acknowledged, so that every kill meets a service that works
STALLED_S = 90.0
RETRY_S = 0.1


@dataclass
class Client:
    """A terminal at one table. What was lost it repeats with the same key; now and then it gives up."""

    table: str
    url: str
    bearer: str
    rounds: Rounds
    seed: int
    acknowledged: dict[str, dict[str, object]] = field(default_factory=dict)
    given_up: set[str] = field(default_factory=set)
    repeated: int = 0
    failure: str | None = None

    def run(self, stop: threading.Event) -> None:
        try:
            self._deal(stop)
        except Exception as error:  # told by the test's own thread
            self.failure = repr(error)
            raise

    def _deal(self, stop: threading.Event) -> None:
        chance = random.Random(self.seed)
        with httpx.Client(base_url=self.url, timeout=10) as http:
            number = 0
            while not stop.is_set() and self.failure is None:
                number += 1
                key = f"{self.table}-{number}"
                patient = chance.randrange(10) > 0
                self._send(http, key, self.rounds.next(), patient=patient)

    def _send(self, http: httpx.Client, key: str, body: bytes, *, patient: bool) -> None:
        headers = {"Authorization": f"Bearer {self.bearer}", "Idempotency-Key": key, "Content-Type": "application/json"}
        deadline = time.monotonic() + STALLED_S
        while time.monotonic() < deadline:
            try:
                answer = http.post(f"/v1/tables/{self.table}/rounds", content=body, headers=headers)
            except httpx.TransportError:
                answer = None
            if answer is not None and answer.status_code == 201:
                self.repeated += answer.headers.get("Idempotent-Replay") == "true"
                self.acknowledged[key] = answer.json()
                return
            if answer is not None and answer.status_code not in (500, 503, 504):
                self.failure = f"{key}: {answer.status_code} {answer.text}"
                return
            if not patient:
                self.given_up.add(key)
                return
            threading.Event().wait(RETRY_S)
        self.failure = f"{key}: no answer within {STALLED_S:.0f} s"


@pytest.mark.crash
def test_every_acknowledged_round_is_there_once_and_every_other_at_most_once() -> None:
    with scratch_home() as home:
        service = Service(home, free_port())
        service.start()
        try:
            clients = _clients(service, home)
            _load_and_kill(service, clients)
            _assert_log_holds(home, clients)
            assert_log_is_sound(home)
        finally:
            service.stop()


def _clients(service: Service, home: Path) -> list[Client]:
    open_progressive(service.url, home)
    supervisor = token(home, "supervisor", "sue")
    clients = []
    for number, ruleset in enumerate(GAMES):
        table = f"crash-{number}"
        open_table(service.url, supervisor, table, ruleset)
        bearer = token(home, "terminal", f"dealer-{number}")
        clients.append(Client(table, service.url, bearer, Rounds(ruleset, table), seed=number))
    return clients


def _load_and_kill(service: Service, clients: list[Client]) -> None:
    stop = threading.Event()
    threads = [threading.Thread(target=client.run, args=(stop,), daemon=True) for client in clients]
    for thread in threads:
        thread.start()
    chance = random.Random(len(clients))
    try:
        for number in range(KILLS):
            _wait_for_more(clients, BETWEEN_KILLS)
            threading.Event().wait(chance.random() * 0.2)  # anywhere in the life of a request
            if number % 2:
                service.kill_postgres()
            else:
                service.kill()
                service.start()
        _wait_for_more(clients, BETWEEN_KILLS)
    finally:
        stop.set()
    for thread in threads:
        thread.join(STALLED_S)
        assert not thread.is_alive()
    assert [client.failure for client in clients if client.failure] == []


def _wait_for_more(clients: list[Client], more: int) -> None:
    """Wait until so many more rounds are acknowledged. Bounded: a service that does not come back is a failure."""
    wanted = sum(len(client.acknowledged) for client in clients) + more
    deadline = time.monotonic() + STALLED_S
    while sum(len(client.acknowledged) for client in clients) < wanted:
        assert [client.failure for client in clients if client.failure] == []
        assert time.monotonic() < deadline, "the service did not come back"
        threading.Event().wait(0.01)


def _assert_log_holds(home: Path, clients: list[Client]) -> None:
    with superuser(home) as conn:
        opened = _rounds_by_key(conn)
        closed_at = dict(
            conn.execute(
                "SELECT notification_id, topic FROM public.pitclerk_events WHERE topic = 'table.round_closed'"
            ).fetchall()
        )
    for client in clients:
        for key, answer in client.acknowledged.items():
            assert opened[key] == [answer["round"]], f"{key} must be there once"
            assert answer["position"] in closed_at, f"{key} answers the position of its last event"
        for key in client.given_up:
            assert len(opened.get(key, [])) <= 1, f"{key} must be there at most once"
    sent = {key for client in clients for key in (*client.acknowledged, *client.given_up)}
    assert set(opened) <= sent, "nothing is there that nobody sent"


def _rounds_by_key(conn: psycopg.Connection[object]) -> dict[str, list[str]]:
    rounds: dict[str, list[str]] = collections.defaultdict(list)
    rows = conn.execute("SELECT state FROM public.pitclerk_events WHERE topic = 'table.round_opened'").fetchall()
    for (state,) in rows:  # type: ignore[misc]
        stored = json.loads(bytes(state))
        rounds[stored["meta"]["key"]].append(stored["data"]["round"])
    return dict(rounds)
