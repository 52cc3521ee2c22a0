"""Hold against worked figures: 4,000 won of 9,000 dropped; a closer not counted is unknown and not zero."""

from __future__ import annotations

import random

import psycopg
import pytest

from domain.events.chips import TipDropped
from projections.reads.hold import HoldRow, hold
from projections.reads.ratio import ratio
from tests.projections.conftest import FoldAll
from tests.projections.logs import Log, Pool, Table

OPENER, FILLS, CREDITS, CLOSER, DROP = 20_000, 5_000, 2_000, 18_000, 9_000


def _day(
    conn: psycopg.Connection,
    fold_all: FoldAll,
    *,
    opener: int = OPENER,
    fills: int = FILLS,
    closer: int | None = CLOSER,
) -> HoldRow:
    log = Log()
    table = Table(log, opener=opener)
    table.fill(fills)
    table.credit(CREDITS)
    table.buy_in(DROP)
    if closer is not None:
        table.close(closer - table.tray)
    log.write(conn)
    fold_all()
    (row,) = hold(conn).rows
    return row


def test_win_and_hold_of_the_worked_day(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    row = _day(conn, fold_all)
    assert (row.opener, row.fills, row.credits, row.closer, row.drop) == (OPENER, FILLS, CREDITS, CLOSER, DROP)
    assert row.win == DROP + CLOSER + CREDITS - OPENER - FILLS == 4_000
    assert row.hold == 0.444444
    assert row.grade == "live"
    assert row.missing == ["counted_drop", "win_per_handle", "theoretical_win", "sd", "z"]


@pytest.mark.parametrize("x", [1, 700, 12_345])
def test_the_same_sum_in_two_places_changes_nothing(conn: psycopg.Connection, fold_all: FoldAll, x: int) -> None:
    assert _day(conn, fold_all, fills=FILLS + x, closer=CLOSER + x).win == 4_000


def test_the_same_sum_in_opener_and_closer_changes_nothing(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    assert _day(conn, fold_all, opener=OPENER + 99, closer=CLOSER + 99).win == 4_000


def test_without_a_closer_the_win_is_unknown(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    row = _day(conn, fold_all, closer=None)
    assert row.win is None
    assert row.hold is None
    assert row.closer is None
    assert row.drop == DROP
    assert {"closer", "win", "hold"} <= set(row.missing)


def test_a_fill_to_par_leaves_the_win_alone(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    table = Table(log, opener=14_500)
    table.fill(5_500)
    table.close()
    log.write(conn)
    fold_all()
    (row,) = hold(conn).rows
    assert row.win == 0
    assert row.closer == 20_000


def test_play_counts_by_kind_and_a_void_round_is_told_apart(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    dice = random.Random(7)
    table = Table(log)
    pool = Pool(log)
    for _ in range(40):
        table.round(dice, 3, pool)
    table.void_round(2)
    table.add(TipDropped(amount=300))
    log.write(conn)
    fold_all()
    (row,) = hold(conn).rows
    assert row.rounds == 41
    assert row.void_rounds == 1
    assert row.void_handle == 3_000
    assert row.handle == sum(kind.handle for kind in row.kinds.values())
    assert row.kinds["jackpot"].handle == row.kinds["jackpot"].taken == 40 * 3 * 50
    assert row.kinds["ante"].handle == 40 * 3 * 500 + 2 * 500
    assert row.capped == sum(kind.due - kind.paid for kind in row.kinds.values())
    assert row.result == row.taken - row.paid
    assert row.tips == 300
    assert row.win is None


def test_hours_and_sessions_add_up_to_the_day(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    dice = random.Random(3)
    floor = [Table(log, name) for name in ("T1", "T2")]
    for _ in range(60):
        log.wait(minutes=7)
        for table in floor:
            table.round(dice, 2)
            table.buy_in(1_000)
    for over, table in enumerate(floor):
        table.close(over * 50)
    log.write(conn)
    fold_all()
    (day,) = hold(conn, by="day").rows
    assert day.win is not None
    for by in ("table", "session", "hour"):
        rows = hold(conn, by=by).rows
        assert len(rows) > 1
        for figure in ("win", "handle", "taken", "paid", "drop", "rounds", "result", "capped"):
            assert sum(getattr(row, figure) for row in rows) == getattr(day, figure), (by, figure)
    first = hold(conn, by="hour", table="T1").rows[0]
    cut = hold(conn, by="table", table="T1", start=first.hour, end=hold(conn, by="hour").rows[1].hour).rows[0]
    assert (cut.handle, cut.win, cut.opener) == (first.handle, first.win, None)


def test_currencies_are_never_added_up(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    Table(log, "T1").buy_in(100)
    Table(log, "T2", currency="RON").buy_in(300)
    log.write(conn)
    fold_all()
    assert [(row.currency, row.drop) for row in hold(conn, by="day").rows] == [("EUR", 100), ("RON", 300)]


def test_nothing_recorded_is_no_row_at_position_zero(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    fold_all()
    found = hold(conn)
    assert (found.position, found.rows) == (0, [])


@pytest.mark.parametrize(
    ("numerator", "denominator", "expected"),
    [
        (4_000, 9_000, 0.444444),
        (2, 3, 0.666667),
        (-2, 3, -0.666667),
        (1, 2_000_000, 0.000001),
        (1, 3_000_000, 0.0),
        (0, 5, 0.0),
        (5, 0, None),
        (None, 5, None),
        (3 * 10**25 + 1, 10**25, 3.0),
    ],
)
def test_ratios_are_exact_to_six_places(numerator: int | None, denominator: int, expected: float | None) -> None:
    assert ratio(numerator, denominator) == expected
