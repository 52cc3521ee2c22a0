"""Drop counted against drop observed: what it does to win and hold, to grades, and to a day that is closed already."""

from __future__ import annotations

import random
from datetime import timedelta

import psycopg
import pytest

from domain.events.chips import BuyIn
from domain.events.tray import TrayCounted
from projections.figures import by_chips
from projections.reads.days import discrepancies, drop_boxes, gaming_days
from projections.reads.hold import hold
from projections.reads.hold_sums import Of, summed
from projections.reads.known import known, learned
from projections.reads.snapshot import snapshot
from tests.money.boxes import Boxes, audit_day, close_day, open_day
from tests.projections.conftest import FoldAll
from tests.projections.logs import START, Log, Table

DAY = "2026-03-14"


def test_the_counted_drop_takes_the_place_of_the_observed(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log, boxes = Log(), None
    table = Table(log, opener=20_000)
    boxes = Boxes(log)
    box = boxes.mount(table)
    table.fill(5_000)
    table.credit(2_000)
    table.buy_in(8_500)
    table.close(18_000 - table.tray)
    log.write(conn)
    fold_all()
    (observed,) = hold(conn).rows
    assert (observed.drop, observed.counted_drop, observed.win, observed.grade) == (8_500, None, 3_500, "live")
    assert "counted_drop" in observed.missing
    boxes.settle(box, 9_000)
    log.write(conn)
    fold_all()
    (counted,) = hold(conn).rows
    assert (counted.buy_ins, counted.drop, counted.counted_drop) == (8_500, 9_000, 9_000)
    assert (counted.win, counted.hold, counted.grade) == (4_000, 0.444444, "counted")
    assert "counted_drop" not in counted.missing


def test_a_session_counts_only_when_all_its_boxes_do(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    table, boxes = Table(log), Boxes(log)
    first, second = boxes.mount(table), boxes.mount(table)
    table.buy_in(9_000)
    table.close()
    boxes.settle(first, 4_000)
    log.write(conn)
    fold_all()
    assert [(r.drop, r.counted_drop, r.grade) for r in hold(conn).rows] == [(9_000, None, "live")]
    boxes.settle(second, 5_100)
    log.write(conn)
    fold_all()
    assert [(r.drop, r.counted_drop, r.grade) for r in hold(conn).rows] == [(9_100, 9_100, "counted")]


def test_a_group_is_as_good_as_its_worst_session(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    open_day(log)
    boxes = Boxes(log)
    one, two = Table(log, "T1"), Table(log, "T2")
    for table in (one, two):
        table.buy_in(1_000)
        table.close()
    first, second = boxes.mount(one), boxes.mount(two)
    boxes.settle(first, 1_000)
    log.write(conn)
    fold_all()
    assert [(r.table, r.grade) for r in hold(conn).rows] == [("T1", "counted"), ("T2", "live")]
    (day,) = hold(conn, by="day").rows
    assert (day.grade, day.drop, day.counted_drop) == ("live", 2_000, None)
    boxes.settle(second, 1_000)
    close_day(log)
    audit_day(log)
    log.write(conn)
    fold_all()
    assert {row.grade for row in hold(conn, by="session").rows} == {"audited"}


def test_what_is_learned_after_the_close_is_a_difference_and_changes_no_past(
    conn: psycopg.Connection, fold_all: FoldAll
) -> None:
    log = Log()
    open_day(log)
    boxes = Boxes(log)
    table = Table(log)
    box = boxes.mount(table)
    table.buy_in(9_000)
    table.close(-50)
    close_day(log)
    closed_at = log.write(conn)
    fold_all()
    before = learned(conn, DAY)
    assert before is not None
    assert (before.fixed_at, before.differences) == (closed_at, [])
    log.wait(hours=9)
    boxes.settle(box, 9_300)  # a late count
    log.write(conn)
    fold_all()
    after = learned(conn, DAY)
    assert after is not None
    assert after.fixed == before.fixed
    changed = {d.figure: d.difference for d in after.differences if d.table is None}
    assert changed == {"drop": 300, "win": 300, "counted_drop": None}
    assert known(conn, DAY, at_position=closed_at).rows == before.fixed
    assert known(conn, DAY, at_time=START + timedelta(hours=1)).rows == before.fixed
    assert known(conn, DAY).rows == after.now
    assert known(conn, DAY, at_position=2).rows[0].win is None


def test_the_views_and_the_fold_of_the_log_come_to_the_same(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log, dice = Log(), random.Random(11)
    open_day(log)
    boxes = Boxes(log)
    floor = [Table(log, f"T{n}") for n in range(3)]
    for _ in range(45):
        log.wait(minutes=5)
        for table in floor:
            table.round(dice, 2)
            table.buy_in(dice.choice((0, 500, 10_000)))
    mounted = [boxes.mount(table) for table in floor]
    for over, table in enumerate(floor):
        table.close(over)
    for box in mounted:
        boxes.settle(box, dice.randrange(100_000))
    log.write(conn)
    fold_all()
    plain = {row.table: row for row in known(conn, DAY).rows}
    rows = [*hold(conn, by="table").rows, *hold(conn, by="all").rows]
    assert len(rows) == len(plain) == 4
    for row in rows:
        of = plain[row.table]
        for name in ("rounds", "handle", "taken", "paid", "drop", "counted_drop", "win", "hold", "opener", "closer"):
            assert getattr(row, name) == getattr(of, name), (row.table, name)


@pytest.mark.parametrize("seed", range(6))
def test_win_by_chips_and_by_play_agree_and_hours_add_up(
    conn: psycopg.Connection, fold_all: FoldAll, seed: int
) -> None:
    log, dice = Log(), random.Random(seed)
    boxes = Boxes(log)
    floor = [Table(log, f"T{n}", opener=dice.randrange(10**6)) for n in range(4)]
    for table in floor:
        box = boxes.mount(table)
        for _ in range(dice.randrange(12)):
            log.wait(minutes=dice.randrange(40))
            dice.choice((table.fill, table.credit, table.buy_in))(dice.randrange(50_000))
            table.round(dice, dice.randint(1, 3))
        table.close(dice.choice((-100, 0, 0, 50)))
        if dice.random() < 0.7:
            boxes.settle(box, dice.randrange(200_000))
    log.write(conn)
    fold_all()
    with snapshot(conn) as look:
        for group in summed(look, "session", Of()):
            made = hold_row(conn, str(group.key[1]))
            assert by_chips(group.sums, group.extent) == made.win
    (day,) = hold(conn, by="day").rows
    for by in ("table", "session", "hour", "shift", "month", "year"):
        rows = hold(conn, by=by).rows
        for figure in ("win", "drop", "handle", "taken", "paid", "over_short", "rounds"):
            assert sum(getattr(row, figure) for row in rows) == getattr(day, figure), (by, figure)


def hold_row(conn: psycopg.Connection, session: str) -> object:
    from projections.reads.hold import hold_in

    with snapshot(conn) as look:
        (row,) = hold_in(look, "session", Of(session=session))
    return row


def test_a_day_tells_how_far_it_has_rolled(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    open_day(log)
    boxes = Boxes(log)
    one, two = Table(log, "T1"), Table(log, "T2")
    box = boxes.mount(one)
    boxes.mount(two)
    one.close()
    boxes.settle(box, 0)
    log.write(conn)
    fold_all()
    (day,) = gaming_days(conn).rows
    assert (day.state, day.tables, day.rolled, day.waiting) == ("open", 2, 1, ["T2"])
    assert (day.boxes, day.counted_boxes) == (2, 1)
    assert [(b.state, b.counted) for b in drop_boxes(conn).rows] == [("counted", 0), ("mounted", None)]


def test_a_single_count_is_shown_to_nobody(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    from domain.events.base import Chips
    from domain.events.count import BoxCounted
    from domain.streams import count

    log = Log()
    table, boxes = Table(log), Boxes(log)
    box = boxes.mount(table)
    log.add(count(DAY), BoxCounted(drop=box.drop, count=1, cash=(Chips(7_777, 1),), total=7_777))
    log.write(conn)
    fold_all()
    (row,) = drop_boxes(conn).rows
    assert (row.state, row.counts, row.counted) == ("counting", 1, None)
    assert "7777" not in str(conn.execute("SELECT * FROM views.drop_boxes").fetchall())


def test_the_rounds_where_a_discrepancy_can_have_arisen_are_found(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log, dice = Log(), random.Random(5)
    table, sound = Table(log, "T1"), Table(log, "T2")

    def count(off: int) -> None:
        counted = TrayCounted(
            chips=(), total=table.tray + off, expected=table.tray, difference=off, rounds=table.rounds
        )
        table.add(counted)

    rounds = [table.round(dice) for _ in range(3)]
    count(0)
    rounds += [table.round(dice) for _ in range(4)]
    table.add(BuyIn(player="P1", amount=100, tender="cash"))
    count(-500)
    rounds += [table.round(dice) for _ in range(2)]
    table.close(-500)
    sound.round(dice)
    sound.close()
    log.write(conn)
    fold_all()
    (found,) = discrepancies(conn).rows
    assert (found.table, found.difference) == ("T1", -500)
    assert (found.first_round, found.last_round, found.rounds) == (rounds[3], rounds[6], 4)
