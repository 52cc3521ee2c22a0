"""Five hundred displays on one process: all see the hit, tables go on, fifty are held to the fold frame by frame."""

from __future__ import annotations

import asyncio
import json
import resource
import statistics
import time
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.api.live import Live
from tests.api.test_feed import PLAIN, ROYAL, amounts_at, play

DISPLAYS, CHECKED = 500, 50
ROUNDS = 60
WAIT_S = 60.0
MOST_MEDIAN_S = 0.5
"""Of a round's recording over HTTP; with nobody watching it is some milliseconds, on a busy machine some tens."""


@pytest.fixture(autouse=True)
def _files() -> None:
    """Both ends of every connection are in this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4 * DISPLAYS
    if soft < wanted:
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
        )


class Screen:
    """One display; keeps its frames, or only counts hits."""

    def __init__(self, *, keeps: bool) -> None:
        self.frames: list[tuple[str, dict[str, Any]]] = []
        self.hits: set[int] = set()
        self.is_ready = asyncio.Event()
        self._keeps = keeps

    async def follow(self, host: str, port: int, token: str) -> None:
        reader, writer = await asyncio.open_connection(host, port)
        try:
            request = f"GET /v1/jackpots/stream HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {token}\r\n\r\n"
            writer.write(request.encode())
            event = b""
            while line := await reader.readline():
                if line.startswith(b"event: "):
                    event = line[7:].strip()
                elif line.startswith(b"data: "):
                    self._take(event.decode(), line[6:])
        finally:
            writer.close()

    def _take(self, event: str, data: bytes) -> None:
        self.is_ready.set()
        if event == "hit" or self._keeps:
            frame = json.loads(data)
            if event == "hit":
                self.hits.add(frame["position"])
            if self._keeps:
                self.frames.append((event, frame))


def test_five_hundred_displays_see_every_hit_and_slow_no_table(live: Live) -> None:
    live.open_progressive("PX")
    live.open_table("FX", progressive="PX")
    live.settle_down()
    screens, took = asyncio.run(_evening(live))
    hits = _hits(live)
    assert all(screen.hits == hits for screen in screens)
    truth = amounts_at(live)
    for screen in screens[:CHECKED]:
        assert len(screen.frames) > 3
        for event, frame in screen.frames:
            if event != "hit":  # says what the sign showed when it was won
                assert frame["amount"] <= truth[frame["position"]][frame["jackpot"]], (event, frame)
    assert statistics.median(took) < MOST_MEDIAN_S, took


async def _evening(live: Live) -> tuple[list[Screen], list[float]]:
    where = urlsplit(live.url)
    host, port = str(where.hostname), int(where.port or 0)
    screens = [Screen(keeps=number < CHECKED) for number in range(DISPLAYS)]
    following = [asyncio.create_task(screen.follow(host, port, live.tokens["display"])) for screen in screens]
    try:
        async with asyncio.timeout(WAIT_S):
            for screen in screens:
                await screen.is_ready.wait()
            took = await asyncio.to_thread(_play, live)
            wanted = await asyncio.to_thread(_hits, live)
            while any(len(screen.hits) < len(wanted) for screen in screens):
                await asyncio.sleep(0.05)
    finally:
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)
    return screens, took


def _play(live: Live) -> list[float]:
    took = []
    for number in range(ROUNDS):
        began = time.monotonic()
        play(live, ROYAL if number % 20 == 19 else PLAIN)
        took.append(time.monotonic() - began)
    return took


def _hits(live: Live) -> set[int]:
    """Where the log says that the jackpot was hit."""
    head = live.get("/readyz", None).json()["position"]
    found = live.get("/v1/jackpots/PX/hits", limit=1000, min_position=head, wait_ms=20_000).json()
    return {hit["position"] for hit in found["hits"]}
