"""From a round's commit to the meter on a display over SSE, beside plain psycopg hearing the same commits by LISTEN.

The service, whoever records the rounds, and the displays are processes of their own, as on a floor; they share the
machine's clock. `python -m tests.bench.feed_bench` prints the figures, without and with hundreds of displays.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import socket
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import psycopg
import uvicorn

from api import logs
from api.app import create_app
from api.auth import tokens
from api.http.protocol import Protocol
from api.settings import Settings
from api.wiring import house_on
from deploy.embedded import EmbeddedServer
from domain.acts import approvals, progressives, rounds, rulesets, tables
from domain.application import Application
from domain.commands import DecideApproval, OpenTable, ProposeProgressive, PublishRuleset
from domain.events.base import Chips
from domain.events.progressive import LevelTerms
from domain.request import Request
from domain.ruleset import shipped
from domain.settle import decode_record
from domain.store.statements import CHANNEL
from projections.runner import RunnerThread

GAME = "caribbean-ee-ak"
JACKPOT = "BENCH"
TABLES = 8
WATCHED = 5  # displays whose latency counts; the others only follow
RECORD = (
    b'{"ruleset": "caribbean-ee-ak", "boxes": [{"box": 1, "player": "A", "ante": 1000, "jackpot": 50,'
    b' "cards": "As Kd Qh 7c 2d", "play": [{"do": "bet"}]}], "dealer": {"cards": "Ah Kc 8c 7s 3h"}}'
)


class Latency(NamedTuple):
    """Milliseconds."""

    p50: float
    p99: float
    most: float


def percentiles(seconds: list[float]) -> Latency:
    """The percentiles of some delays."""
    ordered = sorted(1000 * s for s in seconds)
    assert ordered, "something was measured"
    return Latency(ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100], ordered[-1])


def prepare(application: Application) -> None:
    """A jackpot, and tables that feed it."""

    def ask(act: Any, role: str, actor: str) -> None:
        application.handle(Request(identity=actor, actor=actor, role=role), act)

    ask(lambda work: rulesets.publish(work, PublishRuleset(text=shipped(GAME).text)), "admin", "bench")
    terms = LevelTerms(level=1, seed=1_000_000, increment_ppm=700_000, reserve_ppm=50_000)
    proposal = ProposeProgressive(id=JACKPOT, currency="EUR", levels=(terms,))
    ask(lambda work: progressives.propose(work, proposal), "admin", "bench")
    decision = DecideApproval(decision="approve")
    ask(lambda work: approvals.decide(work, f"progressive.{JACKPOT}.1", decision), "finance", "bench.2")
    for n in range(TABLES):
        opening = OpenTable(
            ruleset=GAME,
            currency="EUR",
            chip=50,
            min=500,
            max=20_000,
            progressive=JACKPOT,
            gaming_day="2026-03-14",
            opener=(Chips(10_000, 10_000),),
        )
        ask(lambda work, n=n, opening=opening: tables.open_table(work, f"B{n}", opening), "supervisor", "bench")


def record_rounds(database_url: str, per_second: int, seconds: float, told: Connection) -> None:
    """Record rounds at an even pace; tell each one's position and when its commit was answered."""
    with Application(database_url, site="bench") as application:
        began = time.monotonic()
        done: list[tuple[int, float]] = []
        for n in range(int(per_second * seconds)):
            time.sleep(max(0.0, began + n / per_second - time.monotonic()))
            request = Request(identity="terminal", actor="terminal", role="terminal", key=f"{began}-{n}")
            record = decode_record(RECORD)
            answer = application.handle(
                request, lambda work, n=n, record=record: rounds.play_record(work, f"B{n % TABLES}", record)
            )
            done.append((answer.position, time.monotonic()))
        told.send((done, len(done) / (time.monotonic() - began)))


def serve(database_url: str, listening: socket.socket, ready: Any) -> None:
    """The service."""
    logs.configure("json", level=logging.WARNING)
    settings = Settings(database_url=database_url, site="bench", feed_clients=2000)
    with house_on(database_url, settings) as house:
        runner = RunnerThread(database_url).start()
        config = uvicorn.Config(create_app(house), http=Protocol, log_config=None, access_log=False, lifespan="on")
        ready.set()
        uvicorn.Server(config).run(sockets=[listening])
        runner.stop()


async def follow(port: int, token: str, heard: list[tuple[int, float]] | None, over: asyncio.Event) -> int:
    """One display; how many bytes it was sent. heard: when each position was shown, for those that are watched."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /v1/jackpots/stream HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\n\r\n".encode())
    received = 0
    ending = asyncio.create_task(over.wait())
    while not over.is_set():
        reading = asyncio.create_task(reader.read(65536))
        await asyncio.wait({reading, ending}, return_when=asyncio.FIRST_COMPLETED)
        if not reading.done():
            reading.cancel()
            break
        now, piece = time.monotonic(), reading.result()
        received += len(piece)
        if heard is not None:
            heard += [(int(line[4:]), now) for line in piece.split(b"\n") if line.startswith(b"id: ")]
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()
    return received


async def displays(port: int, token: str, count: int, finished: threading.Event) -> list[list[tuple[int, float]]]:
    """Follow the feed until the rounds are recorded; what the watched displays were shown, and when."""
    over = asyncio.Event()
    watched: list[list[tuple[int, float]]] = [[] for _ in range(min(WATCHED, count))]
    following = [
        asyncio.create_task(follow(port, token, watched[n] if n < len(watched) else None, over)) for n in range(count)
    ]
    await asyncio.to_thread(finished.wait)
    await asyncio.sleep(1)
    over.set()
    await asyncio.gather(*following)
    return watched


def listen(database_url: str, heard: list[tuple[int, float]], over: threading.Event) -> None:
    """The baseline: hear each commit as soon as PostgreSQL tells of it."""
    with psycopg.connect(database_url, autocommit=True) as conn:
        conn.execute(f"LISTEN {CHANNEL}")
        while not over.is_set():
            for notify in conn.notifies(timeout=0.5):
                heard += [(int(notify.payload), time.monotonic())]


def delays(done: list[tuple[int, float]], heard: list[tuple[int, float]]) -> list[float]:
    """For each round: from the answer to its commit until its position or a later one was heard."""
    found, at = [], iter(sorted(heard, key=lambda pair: pair[1]))
    position, when = next(at)
    for wanted, committed in done:
        while position < wanted:
            position, when = next(at)
        found.append(max(0.0, when - committed))
    return found


def measure(
    database_url: str, *, per_second: int = 100, seconds: float = 10, count: int = WATCHED
) -> tuple[Latency, Latency, float]:
    """Commit to display with so many displays, the baseline, and how many rounds a second were recorded indeed."""
    with psycopg.connect(database_url) as conn:
        _, token = tokens.create(conn, role="display", name="bench", created_by="bench")
    spawn = multiprocessing.get_context("spawn")
    listening = socket.create_server(("127.0.0.1", 0), backlog=2048)
    ready = spawn.Event()
    service = spawn.Process(target=serve, args=(database_url, listening, ready), daemon=True)
    service.start()
    assert ready.wait(30), "the service starts"
    finished, heard = threading.Event(), list[tuple[int, float]]()
    listener = threading.Thread(target=listen, args=(database_url, heard, finished), daemon=True)
    listener.start()
    here, there = spawn.Pipe()
    result: list[Any] = []

    def record() -> None:
        time.sleep(2 + count / 200)  # a head start: one that connects later is measured as late, never as early
        writer = spawn.Process(target=record_rounds, args=(database_url, per_second, seconds, there), daemon=True)
        writer.start()
        result.append(here.recv())
        writer.join()
        finished.set()

    recording = threading.Thread(target=record)
    recording.start()
    try:
        watched = asyncio.run(displays(listening.getsockname()[1], token, count, finished))
    finally:
        service.terminate()
        service.join(10)
        listening.close()
    recording.join()
    listener.join()
    done, rate = result[0]
    return percentiles([d for seen in watched for d in delays(done, seen)]), percentiles(delays(done, heard)), rate


def main() -> None:
    """Print the figures for a few displays and for five hundred."""
    with TemporaryDirectory(prefix="pitclerk-bench-") as home, EmbeddedServer(Path(home)) as server:
        with Application(server.database_url, site="bench") as application:
            prepare(application)
        for count in (WATCHED, 500):
            feed, baseline, rate = measure(server.database_url, count=count)
            print(
                f"commit -> display, {count} displays, {rate:.0f} rounds/s:"
                f" p50 {feed.p50:.1f} ms, p99 {feed.p99:.1f} ms, most {feed.most:.1f} ms"
                f" (LISTEN alone: p50 {baseline.p50:.1f}, p99 {baseline.p99:.1f} ms)"
            )


if __name__ == "__main__":
    main()
