"""A whole service for tests: a real server on a real port over a real database, and people with tokens."""

from __future__ import annotations

import itertools
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg
import uvicorn
from fastapi import FastAPI

from api.app import create_app
from api.auth import people, tokens
from api.auth.roles import ROLES
from api.cli.publish import publish_shipped
from api.demo.people import PEOPLE
from api.http.edge import Edge
from api.http.protocol import Protocol
from api.settings import Settings
from api.wiring import House, house_on
from projections.runner import RunnerThread
from tests.databases import Database

STARTED_S = 10.0
PASSWORD = "correct horse battery"

RECORD = {
    "ruleset": "caribbean-ee",
    "boxes": [{"box": 1, "player": "A", "ante": 1000, "cards": "As Ad Qh 7c 2d", "play": [{"do": "bet"}]}],
    "dealer": {"cards": "Ah Kc 8c 7s 3h"},
}
SIGN = {"currency": "EUR", "chip": 50, "min": 500, "max": 20000, "max_payout_per_box": 1000000}
OPENER = [{"denomination": 10000, "count": 500}, {"denomination": 50, "count": 2000}]


@dataclass
class Live:
    """The running service and who may call it."""

    url: str
    house: House
    database: Database
    tokens: dict[str, str]
    edge: Edge
    stop: Callable[[], None]
    _keys: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _entered: set[str] = field(default_factory=set)

    def client(self, role: str | None = "auditor", **options: Any) -> httpx.Client:
        """A client with the token of a role, or of a named person (`supervisor.2`); None: no token."""
        headers = {"authorization": f"Bearer {self.tokens[role]}"} if role else {}
        # No TLS here, and loading the authorities for every client would be most of the time.
        return httpx.Client(base_url=self.url, headers=headers, timeout=20, verify=False, **options)

    def enter(self, person_id: str) -> None:
        """Let one of the demonstration's people sign in, with `PASSWORD`."""
        if person_id not in self._entered:
            person = next(person for person in PEOPLE if person.id == person_id)
            with psycopg.connect(self.database.url) as conn:
                people.enter(conn, person, PASSWORD, created_by="test")
            self._entered.add(person_id)

    def signed_in(self, person_id: str) -> httpx.Client:
        """A client with the session cookie of one of the demonstration's people."""
        self.enter(person_id)
        with self.client(None) as client:
            answer = client.post("/sign-in", data={"person": person_id, "password": PASSWORD})
        assert answer.status_code == 303, answer.text
        return self.client(None, cookies=dict(client.cookies))

    def get(self, path: str, role: str | None = "auditor", **params: Any) -> httpx.Response:
        with self.client(role) as client:
            return client.get(path, params=params or None)  # {} would take the path's own query away

    def post(self, path: str, body: Any = None, role: str = "terminal", key: str | None = "") -> httpx.Response:
        """A POST as JSON; key "": a fresh one, None: none."""
        headers = {} if key is None else {"idempotency-key": key or self.key()}
        with self.client(role) as client:
            return client.post(path, json={} if body is None else body, headers=headers)

    def done(self, path: str, body: Any = None, role: str = "terminal") -> dict[str, Any]:
        """A POST that must succeed; its answer."""
        answer = self.post(path, body, role)
        assert answer.is_success, answer.text
        return dict(answer.json())

    def key(self) -> str:
        return f"key-{next(self._keys)}"

    def events(self) -> int:
        """How many events the log holds."""
        with psycopg.connect(self.database.url) as conn:
            row = conn.execute("SELECT count(*) FROM pitclerk_events").fetchone()
        assert row is not None
        return int(row[0])

    def settle_down(self) -> None:
        """Wait until every view has folded the whole log."""
        head = self.get("/readyz", None).json()["position"]
        assert self.get("/v1/jackpots", "display", min_position=head, wait_ms=20000).status_code == 200

    def open_table(self, table: str, ruleset: str = "caribbean-ee", **more: Any) -> dict[str, Any]:
        body = {"ruleset": ruleset, **SIGN, "gaming_day": "2026-03-14", "opener": OPENER, **more}
        return self.done(f"/v1/tables/{table}/open", body, "supervisor")

    def open_progressive(self, name: str, **level: Any) -> None:
        terms = {"level": 1, "seed": 1000000, "increment_ppm": 700000, "reserve_ppm": 50000, "limit": None, **level}
        proposal = {"id": name, "currency": "EUR", "levels": [terms], "fixed_prizes_from": "house"}
        asked = self.done("/v1/progressives", proposal, "admin")
        self.done(f"/v1/approvals/{asked['approval']}", {"decision": "approve"}, "finance")


@contextmanager
def serving(database: Database, **settings: Any) -> Iterator[Live]:
    """A service on a database, with a token for each role and a second person for some."""
    with ExitStack() as stack:
        home = stack.enter_context(tempfile.TemporaryDirectory(prefix="pitclerk-live-"))  # for the signing key
        chosen = Settings(database_url=database.url, site="test", home=Path(home), **settings)
        house = stack.enter_context(house_on(database.url, chosen))
        publish_shipped(house.application, actor="test")
        runner = RunnerThread(database.url).start()
        stack.callback(runner.stop)
        app = create_app(house)
        url, stop = stack.enter_context(_server(app))
        app.middleware_stack = app.middleware_stack or app.build_middleware_stack()
        yield Live(url, house, database, _people(database), _edge(app.middleware_stack), stop)


def _edge(layer: Any) -> Edge:
    """Our layer among those that the framework puts around an application."""
    while not isinstance(layer, Edge):
        layer = layer.app
    return layer


def _people(database: Database) -> dict[str, str]:
    made = {}
    with psycopg.connect(database.url) as conn:
        for name in (*ROLES, "supervisor.2", "finance.2", "terminal.2", "cashier.2"):
            _, made[name] = tokens.create(conn, role=name.partition(".")[0], name=f"t.{name}", created_by="test")
    return made


@contextmanager
def _server(app: FastAPI) -> Iterator[tuple[str, Callable[[], None]]]:
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        app,
        http=Protocol,
        log_config=None,
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + STARTED_S
    while not server.started:
        assert thread.is_alive(), "the server ended while starting"
        assert time.monotonic() < deadline, "the server did not start in time"
        time.sleep(0.01)  # bounded by the deadline

    def stop() -> None:
        server.should_exit = True
        thread.join(STARTED_S)

    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", stop
    finally:
        stop()
        listening.close()
