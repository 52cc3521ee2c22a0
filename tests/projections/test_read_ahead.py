"""Reading ahead changes nothing but the time it takes, and its own troubles are nobody else's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from projections.advance import Advancer
from projections.catalog import all_projections
from projections.connect import connector
from projections.log_reader import head, read_batch
from projections.read_ahead import ReadAhead, Wanted
from tests.databases import Database
from tests.projections.conftest import FoldAll
from tests.projections.logs import night
from tests.projections.rows import everything
from tests.projections.waiting import until

NONE: frozenset[str] = frozenset()


@pytest.fixture
def ahead(pg: Database) -> Iterator[ReadAhead]:
    reading = ReadAhead(connector(pg.url))
    yield reading
    reading.close()


def _small(advancer: Advancer, monkeypatch: pytest.MonkeyPatch) -> Advancer:
    monkeypatch.setattr(Advancer, "_next_limit", lambda *_: 25)
    advancer._limit = 25
    return advancer


def test_it_is_the_batch_that_would_have_been_read(conn: psycopg.Connection[Any], ahead: ReadAhead) -> None:
    night(1, 2, 20).write(conn)
    wanted = Wanted(10, NONE, 30, None)
    ahead.begin(wanted)
    batch = ahead.take(wanted)
    assert batch is not None
    assert batch.raw == read_batch(conn, 10, NONE, 30).raw
    assert ahead.take(wanted) is None, "it is given once"
    ahead.begin(wanted)
    assert ahead.take(wanted._replace(limit=31)) is None, "another one was wanted"


def test_folding_with_it_gives_the_same_rows(
    conn: psycopg.Connection[Any], ahead: ReadAhead, fold_all: FoldAll, monkeypatch: pytest.MonkeyPatch
) -> None:
    night(2, 3, 100).write(conn)
    fold_all()
    expected = everything(conn)
    for name in {t for p in all_projections() for t in p.tables} | {"positions"}:
        conn.execute(f"TRUNCATE views.{name}")  # type: ignore[arg-type]
    advancer = _small(Advancer(conn, all_projections(), ahead=ahead), monkeypatch)
    advancer.open()
    while advancer.step():
        pass
    assert everything(conn) == expected


def test_a_lost_reader_is_replaced(
    pg: Database, conn: psycopg.Connection[Any], ahead: ReadAhead, monkeypatch: pytest.MonkeyPatch
) -> None:
    night(3, 2, 60).write(conn)
    advancer = _small(Advancer(conn, all_projections(), ahead=ahead), monkeypatch)
    advancer.open()
    with psycopg.connect(pg.superuser_url, autocommit=True) as killer:
        while advancer.step():
            killer.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                " AND application_name = 'pitclerk projections' AND pid <> %s",
                (conn.info.backend_pid,),
            )
    assert advancer.at == head(conn)


def test_it_lets_go_at_the_head(conn: psycopg.Connection[Any], ahead: ReadAhead) -> None:
    night(4, 1, 10).write(conn)
    advancer = Advancer(conn, all_projections(), ahead=ahead)
    advancer.open()
    while advancer.step():
        pass
    count = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user"
    until(lambda: conn.execute(count).fetchone() == (1,))
