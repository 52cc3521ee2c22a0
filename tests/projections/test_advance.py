"""Batches: exactly once whatever overlaps, errors that name their position, newer versions beside older ones."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, ClassVar

import psycopg
import pytest
from structlog.testing import capture_logs

from domain.events.chips import BuyIn
from projections.advance import Advancer, OvertakenError
from projections.catalog import all_projections
from projections.connect import connector
from projections.log_reader import Batch, head, read_batch
from projections.table_hold import Changes, TableHold
from tests.databases import Database
from tests.projections.conftest import FoldAll
from tests.projections.logs import INSERT, START, Log, Table, night
from tests.projections.rows import everything


def _positions(conn: psycopg.Connection[Any]) -> dict[str, tuple[int, str | None]]:
    rows = conn.execute("SELECT name, at, error FROM views.positions").fetchall()
    return {name: (at, error) for name, at, error in rows}


def test_the_batch_size_makes_no_difference(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    end = night(1, 4, 120).write(conn)
    fold_all()
    at_once = everything(conn)
    assert {at for at, _ in _positions(conn).values()} == {end}
    for size in (1, 7, 100):
        forget_all(conn)
        advancer = Advancer(conn, all_projections())
        advancer.open()
        while _small_step(advancer, size):
            pass
        assert everything(conn) == at_once, size


def _small_step(advancer: Advancer, size: int) -> bool:
    for member in advancer.members:
        member.limit = size
    return advancer.step()


def forget_all(conn: psycopg.Connection[Any]) -> None:
    for name in {t for p in all_projections() for t in p.tables} | {"positions"}:
        conn.execute(f"TRUNCATE views.{name}")


def test_whoever_comes_second_gives_the_batch_up(pg: Database, conn: psycopg.Connection, fold_all: FoldAll) -> None:
    night(2, 3, 100).write(conn)
    with connector(pg.url)() as other_conn:
        first, second = Advancer(conn, all_projections()), Advancer(other_conn, all_projections())
        first.open()
        second.open()
        assert first.step()
        with pytest.raises(OvertakenError):
            second.step()
        second.open()
        while first.step():
            pass
    before = everything(conn)
    forget_all(conn)
    fold_all()
    assert everything(conn) == before


def test_an_unknown_topic_stops_everything_at_its_position(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    table = Table(log)
    table.buy_in(500)
    good = log.write(conn)
    conn.execute(INSERT, (table.stream, 3, "table.teleported", b'{"v":1}', START))
    bad = head(conn)
    log.versions[table.stream] = 3
    table.buy_in(700)
    log.write(conn)
    with capture_logs() as lines:
        advancer = fold_all()
    assert advancer.moving == []
    for at, error in _positions(conn).values():
        assert at == good
        assert error is not None
        assert error.startswith(f"position {bad}: topic 'table.teleported'")
    stopped = [line for line in lines if line["event"] == "projection stopped"]
    assert {line["position"] for line in stopped} == {bad}
    assert len(stopped) == len(all_projections())


def test_a_broken_event_stops_only_those_who_need_it(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    table = Table(log)
    table.buy_in(500)
    good = log.write(conn)
    conn.execute(INSERT, (table.stream, 3, "table.buy_in", b'{"v":1,"meta":{},"data":{}}', START))
    log.versions[table.stream] = 3
    table.buy_in(700)
    end = log.write(conn)
    fold_all()
    found = _positions(conn)
    needing = {p.name for p in all_projections() if BuyIn.TOPIC in p.topics}
    assert {"table_hold", "tables"} <= needing
    assert {name for name, (at, error) in found.items() if at == good and error is not None} == needing
    assert {name for name, (at, error) in found.items() if at == end and error is None} == found.keys() - needing


def test_what_a_fold_cannot_take_stops_that_fold_just_before(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    """A contribution to a progressive that nobody opened."""
    log = night(4, 2, 30)
    good = log.write(conn)
    table = Table(log, "T99")
    table.rounds = 1
    log.write(conn)
    from tests.projections.logs import Pool

    elsewhere = Log()
    table.add(Pool(elsewhere, "ghost").contribution(table.round_id, 1))
    log.write(conn)
    bad = head(conn)
    table.buy_in(100)
    end = log.write(conn)
    fold_all()
    found = _positions(conn)
    at, error = found["jackpot_meters"]
    assert good < at < bad
    assert at == bad - 1
    assert error is not None
    assert error.startswith(f"position {bad}: table.jackpot_contributed")
    assert found["table_hold"] == (end, None)


def test_a_stream_without_its_opening_is_named(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    table = Table(log)
    stream = table.stream
    rows = [(f"{stream}x", v, t, s, r) for _, v, t, s, r in log.rows]
    log.rows = []
    table.inputs(1, source="record", jackpot=False)
    table.add(*table.inputs(1, source="record", jackpot=False))
    log.write(conn)
    assert rows
    fold_all()
    at, error = _positions(conn)["rounds"]
    assert at == 0
    assert error is not None
    assert stream in error


def test_a_newer_version_builds_beside_and_joins(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    night(6, 2, 40).write(conn)
    fold_all()
    conn.execute("DELETE FROM views.positions WHERE name = 'rounds'")
    conn.execute("TRUNCATE views.rounds")
    more = night(6, 2, 10, site="other")
    more.versions.update(dict.fromkeys({row[0] for row in more.rows}, 10000))
    renamed = [(f"{s}-o", v, t, st, r) for s, v, t, st, r in more.rows]
    more.rows = renamed
    end = more.write(conn)
    fold_all()
    assert {at for at, _ in _positions(conn).values()} == {end}
    rounds = conn.execute("SELECT count(*) FROM views.rounds").fetchone()
    assert rounds is not None
    assert rounds[0] >= 50


def test_a_batch_covers_what_nobody_wants(conn: psycopg.Connection) -> None:
    log = night(8, 1, 5)
    end = log.write(conn)
    batch = read_batch(conn, 0, frozenset())
    assert (batch.start, batch.end, len(batch)) == (0, end, len(log.events))
    assert len(read_batch(conn, end, frozenset())) == 0
    assert read_batch(conn, 0, frozenset(), upto=end - 3).end == end - 3


class Tripping(TableHold):
    """Falls over one event with an error that names no position."""

    name: ClassVar[str] = "tripping"
    tables: ClassVar[tuple[str, ...]] = ()
    trip_at: ClassVar[int] = 0
    folded: ClassVar[int] = 0

    def fold(self, batch: Batch) -> Changes:
        if batch.start < self.trip_at <= batch.end:
            raise ZeroDivisionError("a fault of the program")
        type(self).folded = batch.end
        return Changes([], [], [], [], [])


@pytest.mark.parametrize("trip_at", [1, 2, 77, 500])
def test_a_fault_of_a_fold_is_narrowed_down_to_its_event(
    conn: psycopg.Connection, monkeypatch: pytest.MonkeyPatch, trip_at: int
) -> None:
    end = night(9, 2, 60).write(conn)
    monkeypatch.setattr(Tripping, "trip_at", trip_at)
    monkeypatch.setattr(Tripping, "folded", 0)
    advancer = Advancer(conn, [Tripping(), TableHold()])
    advancer.open()
    while advancer.step():
        pass
    found = _positions(conn)
    assert found["tripping"] == (trip_at - 1, f"position {trip_at}: ZeroDivisionError: a fault of the program")
    assert Tripping.folded == trip_at - 1
    assert found["table_hold"] == (end, None)


class Unstorable(Tripping):
    """Its statements fail on one event."""

    name: ClassVar[str] = "unstorable"

    def store(self, cursor: psycopg.Cursor[Any], schema: str, changes: Changes) -> None:
        if changes.hours:
            cursor.execute("SELECT 1 / 0")

    def fold(self, batch: Batch) -> Changes:
        changes = TableHold.fold(self, batch)
        if not batch.start < self.trip_at <= batch.end:
            changes.hours.clear()
        return changes


def test_a_statement_that_fails_stops_its_projection_only(
    conn: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = night(9, 2, 60)
    end = log.write(conn)
    trip_at = next(at for at, (_, _, event) in enumerate(log.events, 1) if isinstance(event, BuyIn))
    monkeypatch.setattr(Unstorable, "trip_at", trip_at)
    advancer = Advancer(conn, [Unstorable(), TableHold()])
    advancer.open()
    while advancer.step():
        pass
    found = _positions(conn)
    assert found["unstorable"][0] == trip_at - 1
    assert "division by zero" in (found["unstorable"][1] or "")
    assert found["table_hold"] == (end, None)


def test_figures_do_not_wait_for_a_newcomer(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    """A projection that begins at zero catches up beside the others, and then goes with them."""
    log = night(10, 2, 300)
    log.write(conn)
    fold_all()
    conn.execute("DELETE FROM views.positions WHERE name = 'rounds'")
    conn.execute("TRUNCATE views.rounds, views.round_notes")
    advancer = Advancer(conn, all_projections())
    advancer.open()
    behind = []
    for _ in range(3):
        Table(log, f"T9{len(behind)}").buy_in(100)
        end = log.write(conn)
        advancer.step()
        found = _positions(conn)
        assert found["table_hold"] == (end, None), "the front has what is new after every step"
        behind.append(found["rounds"][0])
    assert behind == sorted(set(behind)), "and who is behind comes nearer with every step"
    steps = [later - earlier for earlier, later in pairwise(behind)]
    assert steps == sorted(steps), "in strides that grow, whatever the front does"
    while advancer.step():
        pass
    assert {at for at, _ in _positions(conn).values()} == {end}
