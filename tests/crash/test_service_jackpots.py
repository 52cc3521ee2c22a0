"""Four client and two API processes on one log: sixteen tables on one progressive, royal flushes at one moment.

Whoever comes first under the commit lock gets the meter, the next one the new seed and what has come since. Every award
must be what a plain fold gives at its own position; the fold stands here and shares no code with the program's.
"""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import httpx
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

PROCESSES, TABLES_EACH = 4, 4
SALVOS = int(os.environ.get("PITCLERK_SALVOS", "8"))
ROUNDS_BETWEEN = 3
WAIT_S = 120.0
MICRO = 1_000_000
SEED, INCREMENT_PPM, RESERVE_PPM = 1_000_000, 700_000, 50_000
ROYAL = {
    "ruleset": "caribbean-ee-ak",
    "boxes": [
        {
            "box": 1,
            "player": "lucky",
            "ante": 250,
            "jackpot": 50,
            "cards": "As Ks Qs Js Ts",
            "play": [{"do": "bet"}],
        }
    ],
    "dealer": {"cards": "Ah Kc 8c 7s 3h"},
}


@pytest.mark.crash
def test_royal_flushes_at_one_moment_are_paid_in_the_order_of_the_log() -> None:
    with scratch_home() as home:
        services = [Service(home, free_port()), Service(home, free_port())]
        for service in services:
            service.start()
        try:
            _play(home, services)
            with superuser(home) as conn:
                events = list(jackpot_events(conn))
                neighbours = _neighbours(conn)
            hits = _fold_plainly(events)
            assert hits == SALVOS * PROCESSES, "every royal flush was paid"
            assert neighbours >= SALVOS // 2, "pairs of hits must have met under the lock"
            assert_log_is_sound(home)
        finally:
            for service in services:
                service.stop()


def _play(home: Path, services: list[Service]) -> None:
    open_progressive(services[0].url, home)
    supervisor = token(home, "supervisor", "sue")
    bearer = token(home, "terminal", "dealer")
    tables = [f"jackpot-{number}" for number in range(PROCESSES * TABLES_EACH)]
    for table in tables:
        open_table(services[0].url, supervisor, table, "caribbean-ee-ak")
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(PROCESSES)
    players = []
    for number in range(PROCESSES):
        own = tables[number * TABLES_EACH : (number + 1) * TABLES_EACH]
        urls = [services[(number + n) % 2].url for n in range(TABLES_EACH)]
        players.append(context.Process(target=_client, args=(own, urls, bearer, barrier), daemon=True))
    for player in players:
        player.start()
    for player in players:
        player.join(WAIT_S)
    assert [player.exitcode for player in players] == [0] * PROCESSES


def _client(tables: list[str], urls: list[str], bearer: str, barrier: Barrier) -> None:
    """Ordinary rounds at every table; then, all processes at one moment, a royal flush at one of them."""
    rounds = {table: Rounds("caribbean-ee-ak", table) for table in tables}
    with httpx.Client(headers={"Authorization": f"Bearer {bearer}"}, timeout=30) as http:

        def send(table: str, url: str, key: str, body: bytes) -> None:
            headers = {"Idempotency-Key": f"{table}-{key}", "Content-Type": "application/json"}
            answer = http.post(f"{url}/v1/tables/{table}/rounds", content=body, headers=headers)
            assert answer.status_code == 201, answer.text

        for salvo in range(SALVOS):
            for table, url in zip(tables, urls, strict=True):
                for number in range(ROUNDS_BETWEEN):
                    send(table, url, f"{salvo}-{number}", rounds[table].next())
            lucky = salvo % len(tables)
            barrier.wait(WAIT_S)
            send(tables[lucky], urls[lucky], f"royal-{salvo}", json.dumps(ROYAL).encode())


def jackpot_events(conn: Any) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """What the log says of jackpots: position, topic, data."""
    rows = conn.execute(
        "SELECT notification_id, topic, state FROM public.pitclerk_events"
        " WHERE topic LIKE 'progressive.%' OR topic LIKE 'table.jackpot_%' ORDER BY notification_id"
    )
    for position, topic, state in rows:
        yield position, topic, json.loads(bytes(state))["data"]


@dataclass
class Plain:
    """The meter as a pocket calculator would keep it, in millionths of a minor unit."""

    display: int = 0
    reserve: int = 0
    funded: int = 0
    contributed: int = 0
    charged: int = 0
    royals: int = 0

    def open(self) -> None:
        self.display = self.funded = SEED * MICRO

    def contribute(self, stake: int) -> None:
        self.display += stake * INCREMENT_PPM
        self.reserve += stake * RESERVE_PPM
        self.contributed += stake * (INCREMENT_PPM + RESERVE_PPM)

    def hit(self, position: int, hit: dict[str, Any]) -> None:
        if "share_ppm" not in hit:  # a fixed prize comes off the house
            assert hit["award"] == hit["prize"], position
            assert hit["meter_before_u"] == hit["meter_after_u"] == self.display, position
            return
        self.royals += 1
        assert hit["meter_before_u"] == self.display, f"the hit at {position} saw another meter"
        award = self.display // MICRO
        assert hit["award"] == award, f"the hit at {position} is not the meter at its position"
        rest = self.display - award * MICRO
        from_reserve = min(self.reserve, SEED * MICRO)
        self.reserve -= from_reserve
        self.funded += SEED * MICRO - from_reserve
        self.charged += award * MICRO
        self.display = rest + SEED * MICRO
        assert hit["meter_after_u"] == self.display, position

    def balance(self) -> int:
        return self.funded + self.contributed - self.charged - self.display - self.reserve


def _fold_plainly(events: list[tuple[int, str, dict[str, Any]]]) -> int:
    meter = Plain()
    for position, topic, event in events:
        if topic == "progressive.opened":
            meter.open()
        elif topic == "table.jackpot_contributed":
            meter.contribute(event["stake"])
        elif topic == "table.jackpot_hit":
            meter.hit(position, event)
        assert meter.balance() == 0, f"the jackpot identity is broken at {position}"
    return meter.royals


def _neighbours(conn: Any) -> int:
    """How many royal rounds are followed by another with nothing in between."""
    rows = conn.execute(
        "SELECT notification_id, topic, state FROM public.pitclerk_events"
        " WHERE topic IN ('table.round_opened', 'table.jackpot_hit') ORDER BY notification_id"
    ).fetchall()
    order: list[str] = []
    royal: set[str] = set()
    for _, topic, state in rows:
        data = json.loads(bytes(state))["data"]
        if topic == "table.round_opened":
            order.append(data["round"])
        elif "share_ppm" in data:
            royal.add(data["round"])
    return sum(one in royal and two in royal for one, two in itertools.pairwise(order))
