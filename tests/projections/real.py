"""A real night of all games, played by the simulator through the application; and copies with one thing changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import psycopg

from api.cli.publish import publish_shipped
from api.simulator.run import simulate
from domain.application import Application
from domain.codec import decode, encode
from domain.events.base import Event
from domain.ruleset import shipped_ids
from projections.connect import connector
from tests.databases import Database
from tests.projections.logs import INSERT

TABLES, ROUNDS, NIGHTS_AT_MOST = 9, 270, 8


class StoredRow(NamedTuple):
    """One row of the log, without its position."""

    stream: str
    version: int
    topic: str
    state: bytes
    recorded_at: Any

    @property
    def event(self) -> Event:
        return decode(self.topic, self.state)[1]

    def with_event(self, event: Event) -> StoredRow:
        """The same row telling another event."""
        meta = decode(self.topic, self.state)[0]
        return self._replace(topic=event.TOPIC, state=encode(meta, event))


Rows = list[StoredRow]


def play_night(database: Database, *kinds: type[Event]) -> Rows:
    """Play until every one of these kinds has happened, and read the log as it was recorded."""
    with Application(database.url, site="main") as application:
        publish_shipped(application, actor="manager")
    for seed in range(1, NIGHTS_AT_MOST):
        simulate(database.url, "main", list(shipped_ids()), tables=TABLES, rounds=ROUNDS, seed=seed)
        rows = read(database)
        if {kind.TOPIC for kind in kinds} <= {row.topic for row in rows}:
            return rows
    raise AssertionError(f"{NIGHTS_AT_MOST} nights without some of {kinds}")


def read(database: Database) -> Rows:
    """The whole log."""
    with connector(database.url)() as conn:
        found = conn.execute(
            "SELECT originator_id, originator_version, topic, state, recorded_at"
            " FROM public.pitclerk_events ORDER BY notification_id"
        ).fetchall()
    return [StoredRow(*row) for row in found]


def copy(rows: Rows, conn: psycopg.Connection[Any]) -> None:
    """Write a night into an empty log; the positions are 1, 2, 3, ..."""
    with conn.transaction(), conn.cursor() as cursor:
        cursor.executemany(INSERT, rows)


def address(conn: psycopg.Connection[Any]) -> str:
    """The address of a connection's database."""
    info = conn.info
    return f"postgresql://{info.user}:{info.password}@/{info.dbname}?host={info.host}&port={info.port}"


def first(rows: Rows, kind: type[Event], such: Callable[[Any], bool] = lambda _: True) -> int:
    """Where in the night the first such event lies."""
    return next(at for at, row in enumerate(rows) if row.topic == kind.TOPIC and such(row.event))
