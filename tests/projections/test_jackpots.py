"""Jackpot meters to the millionth: increments, liability, hits in order, history and reconciliation."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import psycopg

from domain.engine.jackpot import Prize
from domain.events.base import Event
from domain.events.progressive import LevelTerms, ProgressiveOpened
from domain.money import MICRO
from domain.progressive.folding import fold
from domain.progressive.meters import Meters
from projections.reads import jackpot_hits, jackpot_hours, jackpots
from tests.projections.conftest import FoldAll
from tests.projections.logs import Log, Pool, Table, night

ROYAL = Prize(1, "P1", "royal flush", "C.8", MICRO, None)


def _plain(log: Log) -> dict[str, Meters]:
    meters: dict[str, Meters] = {}
    for _, _, event in log.events:
        fold(meters, event)
    return meters


def _stakes(log: Log, pool: Pool, table: Table, count: int, stake: int) -> None:
    for _ in range(count):
        events: list[Event] = [pool.contribution(table.round_id, 1, stake)]
        fold(pool.meters, events[0])
        table.add(*events)


def test_no_part_of_a_unit_is_lost(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    """Four stakes of 0.50 at 14.5 %: 0.2900 and not 0.28."""
    log = Log()
    pool = Pool(log, seed=0, ppm=145_000)
    table = Table(log)
    _stakes(log, pool, table, 4, 50)
    log.write(conn)
    fold_all()
    (level,) = jackpots.jackpots(conn).jackpots[0].levels
    assert level.display_u == "29000000"
    assert level.display == 29
    assert level.in_u == str(4 * 50 * MICRO)


def test_the_liability_is_what_players_paid_in(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    """Seed 10,000 and 1,000 stakes of 1.00 at 70 %: 700, not 10,700."""
    log = Log()
    pool = Pool(log, seed=1_000_000)
    pool.terms = (LevelTerms(level=1, seed=1_000_000, increment_ppm=700_000),)
    table = Table(log)
    _stakes(log, pool, table, 1_000, 100)
    log.write(conn)
    fold_all()
    (level,) = jackpot_hours.reconciliation(conn, "royal").levels
    assert level.display_closing_u == str(1_070_000 * MICRO)
    assert level.liability_closing_u == str(70_000 * MICRO)
    assert level.difference_u == "0"
    table.add(*pool.hit(ROYAL, table.round_id))
    log.write(conn)
    fold_all()
    (hit,) = jackpot_hits.hits(conn).hits
    assert hit.award == 1_070_000
    assert int(hit.award) * MICRO - int(hit.base_u) == 70_000 * MICRO


def test_a_hit_waits_until_it_is_paid(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    pool = Pool(log)
    table = Table(log)
    table.add(*pool.hit(ROYAL, "T01-r1"))
    at_hit = log.write(conn)
    fold_all()
    seen = jackpots.jackpots(conn)
    assert (seen.position, seen.jackpots[0].state, seen.jackpots[0].pending) == (
        at_hit,
        "PENDING",
        {"T01-r1.1.1": 1_000_000},
    )
    assert [h.state for h in jackpot_hits.hits(conn).hits] == ["pending"]
    pool.pay()
    at_payment = log.write(conn)
    fold_all()
    changes = jackpot_hits.changes(conn, at_hit)
    assert (changes.position, changes.hits) == (at_payment, [])
    assert [(h.hit, h.paid, h.paid_by, h.paid_position) for h in changes.paid] == [
        ("T01-r1.1.1", 1_000_000, "cage", at_payment)
    ]
    assert [j.state for j in changes.jackpots] == ["NORMAL"]
    assert [len(jackpot_hits.hits(conn, state=s).hits) for s in ("paid", "pending")] == [1, 0]


def test_two_hits_in_a_row_take_the_meter_and_then_the_reset(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    pool = Pool(log)
    one, two = Table(log, "T1"), Table(log, "T2")
    _stakes(log, pool, one, 10, 100)
    one.add(*pool.hit(ROYAL, "T1-r1"))
    two.add(*pool.hit(ROYAL, "T2-r1"))
    log.write(conn)
    fold_all()
    assert [h.award for h in jackpot_hits.hits(conn).hits] == [1_000_700, 1_000_000]
    assert [h.table for h in jackpot_hits.hits(conn).hits] == ["T1", "T2"]


def test_the_view_is_the_checkpoint(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = night(5, 3, 200)
    end = log.write(conn)
    fold_all()
    rows: list[Any] = conn.execute(
        "SELECT p.at, m.meters FROM views.positions p JOIN views.jackpot_meters m ON true"
        " WHERE p.name = 'jackpot_meters'"
    ).fetchall()
    assert [(at, msgspec.json.decode(meters, type=Meters)) for at, meters in rows] == [(end, _plain(log)["royal"])]


def test_history_and_reconciliation_between_hours(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    pool = Pool(log)
    table = Table(log)
    dice = random.Random(11)
    for _ in range(120):
        log.wait(minutes=2)
        table.round(dice, 3, pool)
    log.write(conn)
    fold_all()
    rows = jackpot_hours.history(conn, "royal").rows
    assert len({row.hour for row in rows}) == len(rows) == 5
    start, end = rows[1].hour, rows[4].hour
    (level,) = jackpot_hours.reconciliation(conn, "royal", start=start, end=end).levels
    assert level.difference_u == "0"
    assert level.display_opening_u == rows[0].display_u
    assert level.display_closing_u == rows[3].display_u
    assert int(level.in_u) == int(rows[3].in_u) - int(rows[0].in_u) > 0


def test_amounts_beyond_64_bits_are_kept(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    pool = Pool(log, seed=0)
    table = Table(log)
    _stakes(log, pool, table, 20, 10**12)
    log.write(conn)
    fold_all()
    assert jackpots.jackpots(conn).jackpots[0].levels[0].in_u == str(20 * 10**18)
    assert jackpot_hours.history(conn, "royal").rows[-1].in_u == str(20 * 10**18)


def test_a_jackpot_that_does_not_run_is_no_jackpot(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    levels = (LevelTerms(level=1, seed=5, increment_ppm=1),)
    log.add(
        "progressive/b",
        ProgressiveOpened(progressive="b", currency="EUR", levels=levels, fixed_prizes_from="house", approval="x"),
    )
    log.write(conn)
    fold_all()
    assert jackpots.jackpots(conn, progressive="a").jackpots == []
    assert [j.id for j in jackpots.jackpots(conn).jackpots] == ["b"]
