"""Fresh databases for tests: each is copied from one that has been migrated once, which takes some 30 ms."""

from __future__ import annotations

import itertools
import os
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from eventsourcing.persistence import InfrastructureFactory
from eventsourcing.utils import Environment
from psycopg import sql

from deploy.embedded import EmbeddedServer
from domain.recorder import CasinoRecorder
from domain.store.connection import environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import LiteralString, Self

TEMPLATE = "pitclerk"


@dataclass(frozen=True, slots=True)
class Database:
    """The addresses of one database: as the service's role, and as superuser."""

    url: str
    superuser_url: str

    def environment(self, **settings: int) -> dict[str, str]:
        """Return the event store library's settings for it."""
        return environment(self.url, **settings)

    @contextmanager
    def recorder(self, **settings: int) -> Iterator[CasinoRecorder]:
        """Yield a recorder with a small pool of its own."""
        settings = {"pool_size": 1, **settings}
        with InfrastructureFactory.construct(Environment("pitclerk", self.environment(**settings))) as factory:
            recorder = factory.application_recorder()
            assert isinstance(recorder, CasinoRecorder)
            yield recorder


class Databases:
    """A server that hands out databases. The next one is made while a test runs on the last."""

    def __init__(self, home: Path) -> None:
        programs = os.environ.get("PITCLERK_TEST_PROGRAMS")
        self.server = EmbeddedServer(home, programs=Path(programs) if programs else None)
        self._numbers = itertools.count(1)
        self._maker = ThreadPoolExecutor(1)
        self._next: Future[str] | None = None

    def __enter__(self) -> Self:
        self.server.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self._maker.shutdown()
        self.server.release()

    @contextmanager
    def fresh(self, *, template: str = TEMPLATE) -> Iterator[Database]:
        """Yield a new database, copied from `template`, and drop it afterwards, whoever is still connected."""
        if template == TEMPLATE:
            made = self._next or self._maker.submit(self._create, template)
            self._next = self._maker.submit(self._create, template)
        else:
            made = self._maker.submit(self._create, template)
        name = made.result(timeout=60)
        try:
            yield Database(_address(self.server.database_url, name), _address(self.server.superuser_url, name))
        finally:
            self._maker.submit(self._admin, "DROP DATABASE {} WITH (FORCE)", name)

    def _create(self, template: str) -> str:
        name = f"test_{next(self._numbers)}"
        self._admin("CREATE DATABASE {} TEMPLATE {}", name, template)
        return name

    def _admin(self, statement: LiteralString, *names: str) -> None:
        with psycopg.connect(_address(self.server.superuser_url, "postgres"), autocommit=True) as conn:
            conn.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def _address(url: str, database: str) -> str:
    before, after = url.split(f"/{TEMPLATE}?", 1)
    return f"{before}/{database}?{after}"
