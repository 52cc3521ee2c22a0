"""The edge under strain: slow senders, too many at once, a database that is away, a server that stops."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest

from tests.api.live import RECORD, Live, serving
from tests.api.sse import Display
from tests.databases import Database


def connect(live: Live) -> socket.socket:
    where = urlsplit(live.url)
    return socket.create_connection((where.hostname, where.port), timeout=20)


def answer_of(connection: socket.socket) -> tuple[int, dict[str, Any]]:
    text = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = text.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


def test_headers_that_trickle_are_cut_off(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.http.protocol.HEADERS_S", 0.3)
    with closing(connect(live)) as connection:
        connection.sendall(b"GET /v1/tables HTTP/1.1\r\n")
        began = time.monotonic()
        status, problem = answer_of(connection)
    assert (status, problem["code"]) == (408, "request_timeout")
    assert time.monotonic() - began < 5


def test_a_body_that_stalls_is_cut_off(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.http.bodies.READ_SECONDS", 0.3)
    head = f"POST /v1/settlements HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {live.tokens['terminal']}\r\n"
    with closing(connect(live)) as connection:
        connection.sendall(f"{head}connection: close\r\ncontent-length: 100\r\n\r\n{{".encode())
        status, problem = answer_of(connection)
    assert (status, problem["code"]) == (408, "request_timeout")


def test_a_client_that_leaves_in_the_middle_hurts_nobody(live: Live) -> None:
    before = live.events()
    head = f"POST /v1/tables/X/rounds HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {live.tokens['terminal']}\r\n"
    for _ in range(20):
        with closing(connect(live)) as connection:
            connection.sendall(f"{head}idempotency-key: gone\r\ncontent-length: 100\r\n\r\n{{".encode())
    assert live.get("/healthz", None).status_code == 200
    assert live.events() == before


def test_more_than_fit_are_asked_to_come_again(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live.edge, "most_at_once", 0)
    answer = live.get("/healthz", None)
    assert (answer.status_code, answer.json()["code"]) == (503, "busy")
    assert answer.headers["retry-after"] == "1"


def come_again(ask: Callable[[], httpx.Response], seconds: float = 30) -> httpx.Response:
    """Ask as a client does that is told to come again: while the answer is 503 or 504, bounded in time."""
    deadline = time.monotonic() + seconds
    while True:
        answer = ask()
        if answer.status_code not in (503, 504) or time.monotonic() > deadline:
            return answer
        time.sleep(0.2)  # what `retry-after` asks for, shortened


def test_while_the_database_is_away_it_is_said_and_afterwards_all_goes_on(live: Live) -> None:
    live.open_table("AWAY")
    with psycopg.connect(live.database.superuser_url, autocommit=True) as admin:
        admin.execute("ALTER ROLE pitclerk_service CONNECTION LIMIT 0")
        try:
            admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND usename = 'pitclerk_service'"
            )
            recording = live.post("/v1/tables/AWAY/rounds", RECORD, key="away")
            reading = live.get("/v1/tables", "auditor")
            ready = live.get("/readyz", None)
        finally:
            admin.execute("ALTER ROLE pitclerk_service CONNECTION LIMIT -1")
    for answer in (recording, reading):
        assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable"), answer.text
        assert answer.headers["retry-after"]
    assert ready.status_code == 503
    assert live.get("/healthz", None).status_code == 200
    again = come_again(lambda: live.post("/v1/tables/AWAY/rounds", RECORD, key="away"))
    assert again.status_code == 201, again.text
    assert "idempotent-replay" not in again.headers
    caught_up = come_again(
        lambda: live.get("/v1/jackpots", "display", min_position=again.json()["position"], wait_ms=5000)
    )
    assert caught_up.status_code == 200, caught_up.text


def test_displays_are_let_go_when_the_server_stops(pg: Database) -> None:
    with serving(pg) as service:
        service.open_progressive("PS")
        service.settle_down()
        displays = [Display(service) for _ in range(5)]
        for display in displays:
            display.wait(lambda frames: len(frames) >= 1)
        began = time.monotonic()
        service.stop()
        assert time.monotonic() - began < 2, "streams have no end of their own"
        for display in displays:
            assert display.ended.wait(2)
            display.close()
