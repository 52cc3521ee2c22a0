"""Sixty-four tables on three linked progressives, hits at one moment, one service after the other killed throughout.

Every service runs the projections too, so that a killed service is a killed runner. Clients repeat what got no answer
with the same key at the other service; the cashier's service is killed between hit and payment; a display follows
everything across the kills. PITCLERK_LINKED_SALVOS makes it longer.
"""

from __future__ import annotations

import bisect
import json
import multiprocessing
import os
import threading
import time
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.synchronize import Barrier
from typing import Any

import httpx
import pytest

from tests.crash.service import (
    Rounds,
    Service,
    assert_log_is_sound,
    free_port,
    open_table_on,
    run_progressive,
    scratch_home,
    superuser,
    token,
)
from tests.crash.test_service_jackpots import MICRO, ROYAL, Plain, jackpot_events

SALVOS = int(os.environ.get("PITCLERK_LINKED_SALVOS", "3"))
PROCESSES, TABLES_EACH = 4, 16
LINKED = ("one", "two", "three")
NEVER_PAID = "three"
WAIT_S = 60.0 + 30.0 * SALVOS
KILL_EVERY_S = 1.5
SHEET = "caribbean-ee-ak"


@pytest.mark.crash
def test_every_hit_is_paid_once_and_no_display_shows_more_than_the_log_holds() -> None:
    with scratch_home() as home:
        night = Night([Service(home, free_port()), Service(home, free_port())])
        for service in night.services:
            service.start()
        try:
            supervisor, dealer = token(home, "supervisor", "sue"), token(home, "terminal", "dealer")
            cashier, sign = token(home, "cashier", "carl"), token(home, "display", "wall")
            for name in LINKED:
                run_progressive(night.urls[0], home, name)
            tables = [f"L{number}" for number in range(PROCESSES * TABLES_EACH)]
            for number, table in enumerate(tables):
                open_table_on(night.urls[0], supervisor, table, SHEET, LINKED[number % 3])
            night.play(tables, dealer, cashier, sign)
            with superuser(home) as conn:
                events = list(jackpot_events(conn))
            _hold(events, night)
            assert_log_is_sound(home)
        finally:
            for service in night.services:
                service.stop()


@dataclass
class Night:
    """What happens around the play: kills, payments, a display."""

    services: list[Service]
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    kills: int = 0
    frames: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    paid: set[str] = field(default_factory=set)

    @property
    def urls(self) -> list[str]:
        return [service.url for service in self.services]

    def play(self, tables: list[str], dealer: str, cashier: str, sign: str) -> None:
        context = multiprocessing.get_context("spawn")
        barrier = context.Barrier(PROCESSES)
        players = []
        for number in range(PROCESSES):
            given = (tables[number::PROCESSES], self.urls, dealer, barrier)
            players.append(context.Process(target=_client, args=given, daemon=True))
        around = [
            threading.Thread(target=self._kill, daemon=True),
            threading.Thread(target=self._pay, args=(cashier,), daemon=True),
            threading.Thread(target=self._watch, args=(sign,), daemon=True),
        ]
        for one in (*players, *around):
            one.start()
        for player in players:
            player.join(WAIT_S)
        self.over.set()
        for thread in around:
            thread.join(WAIT_S)
            assert not thread.is_alive()
        assert [player.exitcode for player in players] == [0] * PROCESSES
        self._pay_all(cashier)

    def _kill(self) -> None:
        turn = 0
        while not self.over.wait(KILL_EVERY_S):
            self.kill(turn % 2)
            turn += 1

    def kill(self, number: int) -> None:
        """Kill a service with its runner and start it again; the other one goes on meanwhile."""
        with self.lock:
            self.services[number].kill()
            self.services[number].start()
            self.kills += 1

    def _pay(self, cashier: str) -> None:
        while not self.over.wait(0.3):
            self._pay_all(cashier)

    def _pay_all(self, cashier: str) -> None:
        with httpx.Client(headers={"Authorization": f"Bearer {cashier}"}, timeout=10) as http:
            for name in LINKED:
                if name == NEVER_PAID:
                    continue
                pending = _insist(http, self.urls, "GET", f"/v1/jackpots/{name}/hits?state=pending").json()["hits"]
                for hit in pending:
                    if not self.paid:  # the first of all: its service dies between hit and payment
                        self.kill(0)
                    path = f"/v1/jackpots/{name}/hits/{hit['hit']}/pay"
                    answer = _insist(http, self.urls, "POST", path, key=f"pay-{hit['hit']}", body=b"{}")
                    assert answer.json()["amount"] == hit["award"]
                    self.paid.add(hit["hit"])

    def _watch(self, sign: str) -> None:
        last, turn = "", 0
        while not self.over.is_set():
            headers = {"Authorization": f"Bearer {sign}"} | ({"Last-Event-ID": last} if last else {})
            turn += 1
            url = f"{self.urls[turn % 2]}/v1/jackpots/stream"
            with suppress(httpx.HTTPError), httpx.stream("GET", url, headers=headers, timeout=5) as answer:
                last = self._read(answer, last)
            self.over.wait(0.05)

    def _read(self, answer: httpx.Response, last: str) -> str:
        event, data, position = "", None, ""
        with suppress(httpx.HTTPError):
            for line in answer.iter_lines():
                name, _, value = line.partition(": ")
                event, position = (value if name == "event" else event), (value if name == "id" else position)
                data = json.loads(value) if name == "data" else data
                if not line and data is not None:
                    self.frames.append((event, data))
                    last = position or last
                    event, data, position = "", None, ""
                if self.over.is_set():
                    break
        return last


def _insist(
    http: httpx.Client, urls: list[str], method: str, path: str, *, key: str | None = None, body: bytes | None = None
) -> httpx.Response:
    """Ask one service and then the other until one answers; the same key, so that nothing is done twice."""
    deadline, turn = time.monotonic() + WAIT_S, 0
    headers = {"Content-Type": "application/json"} | ({"Idempotency-Key": key} if key else {})
    while time.monotonic() < deadline:
        url, turn = urls[turn % len(urls)], turn + 1
        with suppress(httpx.TransportError):
            answer = http.request(method, f"{url}{path}", content=body, headers=headers)
            if answer.status_code < 300:
                return answer
            assert answer.status_code >= 500 or answer.json().get("code") == "busy", answer.text
        time.sleep(0.05)  # between two tries; the deadline above decides
    raise TimeoutError(path)


def _client(tables: list[str], urls: list[str], bearer: str, barrier: Barrier) -> None:
    """A round at every table; then, all processes at one moment, a royal flush at one of them."""
    rounds = {table: Rounds(SHEET, table) for table in tables}
    with httpx.Client(headers={"Authorization": f"Bearer {bearer}"}, timeout=10) as http:
        for salvo in range(SALVOS):
            for number, table in enumerate(tables):
                path, own = f"/v1/tables/{table}/rounds", urls[number % 2 :] + urls[: number % 2]
                _insist(http, own, "POST", path, key=f"{table}-{salvo}", body=rounds[table].next())
            lucky = tables[salvo % len(tables)]
            barrier.wait(WAIT_S)
            royal = json.dumps(ROYAL).encode()
            _insist(http, urls, "POST", f"/v1/tables/{lucky}/rounds", key=f"royal-{lucky}-{salvo}", body=royal)


def _hold(events: list[tuple[int, str, dict[str, Any]]], night: Night) -> None:
    """The identity at every position, each hit paid once or waiting, and every frame against the fold at its place."""
    meters: dict[str, Plain] = defaultdict(Plain)
    positions: list[int] = []
    shown: list[dict[str, int]] = []
    hits: dict[str, str] = {}
    payments: Counter[str] = Counter()
    for position, topic, event in events:
        if topic == "table.jackpot_staked":
            continue
        meter = meters[event["progressive"]]
        if topic == "progressive.opened":
            meter.open()
        elif topic == "table.jackpot_contributed":
            meter.contribute(event["stake"])
        elif topic == "table.jackpot_hit":
            meter.hit(position, event)
            if "share_ppm" in event:
                hits[f"{event['round']}.{event['box']}.{event['level']}"] = event["progressive"]
        elif topic == "progressive.hit_paid":
            payments[event["hit"]] += 1
        assert meter.balance() == 0, f"the jackpot identity is broken at {position}"
        positions.append(position)
        shown.append({name: one.display // MICRO for name, one in meters.items()})
    assert len(hits) == SALVOS * PROCESSES, "every royal flush is a hit"
    due = {hit for hit, name in hits.items() if name != NEVER_PAID}
    assert payments == Counter(dict.fromkeys(due, 1)), "each is paid once, or waits"
    assert night.kills >= 2
    _no_display_above(night.frames, positions, shown)


def _no_display_above(
    frames: list[tuple[str, dict[str, Any]]], positions: list[int], shown: list[dict[str, int]]
) -> None:
    assert len(frames) > len(LINKED)
    for event, data in frames:
        if event == "hit":  # says what the sign showed when it was won
            continue
        at = bisect.bisect_right(positions, data["position"]) - 1
        assert data["amount"] <= shown[at][data["jackpot"]], (event, data)
