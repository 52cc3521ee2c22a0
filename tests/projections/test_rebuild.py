"""Rebuilds: equal to the view in use, a repair of one that is not, and a new version beside the old."""

from __future__ import annotations

import random
from typing import Any, ClassVar

import psycopg
import pytest

from domain.store.statements import CHANNEL
from projections.advance import Advancer
from projections.catalog import all_projections
from projections.catch_up import run_until
from projections.fold import Projection
from projections.lag import lag
from projections.positions import Positions
from projections.rebuild import RebuildBusyError, UnknownProjectionError, rebuild
from projections.runner import LEADING, RunnerThread
from projections.store import BUILD, LIVE
from projections.table_hold import TableHold
from tests.databases import Database
from tests.projections.conftest import FoldAll
from tests.projections.logs import INSERT, START, Log, Pool, Table, night
from tests.projections.rows import everything, rows_of
from tests.projections.waiting import until

NAMES = [p.name for p in all_projections()]


class NewerHold(TableHold):
    """As a later release would ship it."""

    version: ClassVar[int] = 2


def newer() -> list[Projection[Any]]:
    return [NewerHold() if p.name == "table_hold" else p for p in all_projections()]


def test_every_view_built_again_is_equal(pg: Database, conn: psycopg.Connection, fold_all: FoldAll) -> None:
    end = night(1, 3, 120).write(conn)
    fold_all()
    before = everything(conn)
    for name in NAMES:
        result = rebuild(pg.url, name)
        assert (result["compared"], result["differences"], result["swapped"]) == (True, [], True), name
        assert result["position"] == end
    assert everything(conn) == before
    assert all(rows_of(conn, table, BUILD) == [] for p in all_projections() for table in p.tables)


def test_a_view_that_was_changed_is_told_and_repaired(
    pg: Database, conn: psycopg.Connection, fold_all: FoldAll
) -> None:
    night(2, 2, 60).write(conn)
    fold_all()
    before = everything(conn)
    conn.execute("UPDATE views.table_hold SET rounds = rounds + 1")
    conn.execute("DELETE FROM views.table_hold_kinds WHERE kind = 'ante'")
    only = rebuild(pg.url, "table_hold", swap=False)
    assert {d["table"] for d in only["differences"]} == {"table_hold", "table_hold_kinds"}
    assert everything(conn) != before
    again = rebuild(pg.url, "table_hold")
    assert again["differences"] == only["differences"]
    assert everything(conn) == before


def test_who_folds_notices_the_swap(pg: Database, conn: psycopg.Connection) -> None:
    """A runner holds meters in memory; when the rows under it are exchanged it must read them again."""
    log = Log()
    pool, table, dice = Pool(log), Table(log), random.Random(1)
    advancer = Advancer(conn, all_projections())
    advancer.open()
    table.round(dice, 2, pool)
    log.write(conn)
    while advancer.step():
        pass
    conn.execute("UPDATE views.jackpot_meters SET meters = replace(meters, 'EUR', 'XXX')")
    advancer.forget()
    table.round(dice, 2, pool)
    log.write(conn)
    while advancer.step():
        pass
    assert rebuild(pg.url, "jackpot_meters")["differences"]
    table.round(dice, 2, pool)
    log.write(conn)
    run_until(pg.url)
    assert rebuild(pg.url, "jackpot_meters", swap=False)["differences"] == []


def test_it_builds_under_a_runner_that_works(pg: Database, conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = night(4, 3, 200)
    log.write(conn)
    thread = RunnerThread(pg.url, poll_s=0.05).start()
    try:
        table = Table(log, "T77")
        for number in range(40):
            table.buy_in(100 + number)
            log.write(conn, CHANNEL)
            if number % 10 == 0:
                assert rebuild(pg.url, NAMES[number // 10])["differences"] == []
        end = log.write(conn, CHANNEL)
        until(lambda: {p["position"] for p in lag(pg.url)["projections"]} == {end})
    finally:
        assert thread.stop(5)
    found = everything(conn)
    for name in NAMES:
        conn.execute("DELETE FROM views.positions WHERE name = %s", (name,))
    for table_name in {t for p in all_projections() for t in p.tables}:
        conn.execute(f"TRUNCATE views.{table_name}")  # type: ignore[arg-type]
    fold_all()
    assert everything(conn) == found


def test_a_new_version_is_built_beside_and_swapped_in(
    pg: Database, conn: psycopg.Connection, fold_all: FoldAll
) -> None:
    log = night(5, 3, 150)
    log.write(conn)
    fold_all()
    before = rows_of(conn, "table_hold")
    conn.execute("UPDATE views.table_hold SET tips = tips + 1")  # what version 1 made of it
    thread = RunnerThread(pg.url, projections=newer, poll_s=0.05).start()
    try:
        until(lambda: thread.state == LEADING)
        until(lambda: ("table_hold", 2) in Positions(LIVE).read(conn))
        assert rows_of(conn, "table_hold") == before
        assert ("table_hold", 1) not in Positions(LIVE).read(conn)
        Table(log, "T88").buy_in(5)
        end = log.write(conn, CHANNEL)
        until(lambda: {standing.at for standing in Positions(LIVE).read(conn).values()} == {end})
    finally:
        assert thread.stop(5)


def test_a_new_version_that_cannot_be_built_leaves_the_old_one(
    pg: Database, conn: psycopg.Connection, fold_all: FoldAll
) -> None:
    log = Log()
    Table(log).buy_in(5)
    log.write(conn)
    fold_all()
    before = rows_of(conn, "table_hold")
    conn.execute(INSERT, ("table/T01/2026-03-14/1", 3, "table.buy_in", b"{}", START))
    thread = RunnerThread(pg.url, projections=newer, poll_s=0.05).start()
    try:
        until(lambda: any(p["state"] == "stopped" and p["version"] == 2 for p in lag(pg.url)["projections"]))
    finally:
        assert thread.stop(5)
    assert rows_of(conn, "table_hold") == before
    assert ("table_hold", 1) in Positions(LIVE).read(conn)


def test_one_rebuild_at_a_time(pg: Database, conn: psycopg.Connection, fold_all: FoldAll) -> None:
    fold_all()
    conn.execute("SELECT pg_advisory_lock(7046029254386353141)")
    with pytest.raises(RebuildBusyError):
        rebuild(pg.url, "rounds")


def test_an_unknown_name_is_refused(pg: Database) -> None:
    with pytest.raises(UnknownProjectionError, match="jackpot_meters"):
        rebuild(pg.url, "nothing")
