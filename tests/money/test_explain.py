"""Every figure opens into events that add up to it; the report and its periods are hold's own figures."""

from __future__ import annotations

import random

import psycopg
import pytest

from domain.events.base import Event
from domain.events.cage import ChipsRedeemed, ChipsSold, TransferSent, WindowOpened
from projections.explaining import FIGURES, HOURLY
from projections.reads import explain
from projections.reads.hold import hold
from projections.reads.journal import journal
from projections.reads.master import master_game_report, statistics
from tests.money.boxes import Boxes
from tests.money.test_journal import busy_night
from tests.projections.conftest import FoldAll
from tests.projections.logs import Log, Table

DAY = "2026-03-14"


@pytest.fixture
def floor(conn: psycopg.Connection, fold_all: FoldAll) -> psycopg.Connection:
    """Two tables, one of them counted; and a third of another currency on the day after."""
    log, dice = Log(), random.Random(8)
    boxes = Boxes(log)
    for name, over in (("T1", -50), ("T2", 0)):
        table = Table(log, name)
        box = boxes.mount(table)
        for _ in range(6):
            log.wait(minutes=11)
            table.round(dice, 2)
            table.buy_in(dice.randrange(20_000))
        table.fill(4_000)
        table.credit(1_500)
        table.close(over)
        if name == "T1":
            boxes.settle(box, 70_000)
    Table(log, "T3", day="2026-03-15", currency="RON").buy_in(900)
    log.write(conn)
    fold_all()
    return conn


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("of", [{}, {"table": "T1"}, {"table": "T2"}, {"session": "T2/2026-03-14/1"}])
def test_the_events_of_a_figure_add_up_to_it(floor: psycopg.Connection, name: str, of: dict[str, str]) -> None:
    (found,) = explain.figure(floor, name, gaming_day=DAY, limit=1000, **of).rows  # type: ignore[arg-type]
    assert found.total == found.value == sum(part.amount for part in found.parts) == sum(found.by_type.values())
    assert found.events == len(found.parts)
    assert all(part.amount for part in found.parts)
    whole = {"table": of.get("table") or (of.get("session") or "").partition("/")[0] or None}
    (row,) = hold(floor, by="all", gaming_day=DAY, **whole).rows  # type: ignore[arg-type]
    assert found.value == getattr(row, name)


@pytest.mark.parametrize("name", HOURLY)
def test_the_figure_of_an_hour_opens_into_what_happened_in_it(floor: psycopg.Connection, name: str) -> None:
    for row in hold(floor, by="hour", gaming_day=DAY).rows:
        found = explain.figure(floor, name, gaming_day=DAY, hour=row.hour, limit=1000).rows[0]
        assert found.value == found.total == getattr(row, name), row.hour


def test_a_game_and_a_shift_open_into_their_own_events(floor: psycopg.Connection) -> None:
    (row,) = hold(floor, by="ruleset", gaming_day=DAY).rows
    (game,) = explain.figure(floor, "handle", gaming_day=DAY, ruleset=row.ruleset).rows
    (shift,) = explain.figure(floor, "handle", gaming_day=DAY, shift=row.shift).rows
    assert game.value == shift.value == game.total == row.handle
    assert explain.figure(floor, "handle", gaming_day=DAY, ruleset="none").rows == []


def test_an_unknown_figure_opens_into_what_is_known(floor: psycopg.Connection) -> None:
    rows = {row.currency: row for row in explain.figure(floor, "win").rows}
    assert (rows["RON"].value, rows["RON"].total) == (None, 0)
    assert "closer" in rows["RON"].missing
    assert rows["EUR"].value is not None


def test_a_long_explanation_comes_in_pages(floor: psycopg.Connection) -> None:
    whole = explain.figure(floor, "handle", gaming_day=DAY, limit=1000).rows[0]
    parts, after = [], 0
    while True:
        (page,) = explain.figure(floor, "handle", gaming_day=DAY, after=after, limit=7).rows
        assert (page.total, page.events) == (whole.total, whole.events)
        parts += page.parts
        if page.next is None:
            break
        after = page.next
    assert parts == whole.parts


def test_every_line_of_the_journal_opens_into_its_postings(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    busy_night(9).write(conn)
    fold_all()
    lines = journal(conn).lines
    assert len(lines) > 20
    for line in lines:
        found = explain.journal_line(
            conn,
            gaming_day=line.gaming_day,
            currency=line.currency,
            entry=line.entry,
            account=line.account,
            limit=1000,
        )
        assert found is not None
        assert found.total == found.value == line.amount_u
    assert explain.journal_line(conn, gaming_day=DAY, currency="EUR", entry="fills", account="x") is None


def test_a_window_opens_into_its_trades(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    opened = WindowOpened(
        window="W1",
        cage_shift="W1-1",
        number=1,
        gaming_day=DAY,
        shift="1",
        currency="EUR",
        cash=(),
        chips=(),
        cash_total=1_000,
        chips_total=2_000,
    )
    trades: list[Event] = [
        ChipsSold(amount=300),
        ChipsRedeemed(amount=50),
        TransferSent(transfer="t", to="m", cash=9, chips=0),
    ]
    log.add(f"cage/W1/{DAY}/1", opened, *trades)
    log.write(conn)
    fold_all()
    cash, chips = (explain.cage_shift(conn, "W1-1", what) for what in ("cash", "chips"))
    assert cash is not None
    assert chips is not None
    assert [part.amount for part in cash.parts] == [1_000, 300, -50, -9]
    assert [part.amount for part in chips.parts] == [2_000, -300, 50]
    assert (cash.value, chips.value) == (cash.total, chips.total) == (1_241, 1_750)


def test_the_report_of_the_worked_day(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    table, boxes = Table(log, opener=20_000), Boxes(log)
    box = boxes.mount(table)
    table.fill(5_000)
    table.credit(2_000)
    table.buy_in(9_000)
    table.close(18_000 - table.tray)
    boxes.settle(box, 9_000, 0)
    log.write(conn)
    fold_all()
    report = master_game_report(conn, DAY)
    (row,) = report.totals
    assert (row.opener, row.fills, row.credits, row.closer, row.drop) == (20_000, 5_000, 2_000, 18_000, 9_000)
    assert (row.win, row.hold, row.grade) == (4_000, 0.444444, "counted")
    for rows in (report.sessions, report.tables, report.games, report.shifts, report.hours):
        assert sum(r.win or 0 for r in rows) == 4_000
    quiet = master_game_report(conn, "2026-03-15")
    assert (quiet.no_activity, quiet.totals) == (True, [])


def test_month_and_year_to_date(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    for number, day in enumerate(("2025-12-31", "2026-01-05", "2026-03-01", DAY, "2026-03-15"), 1):
        table = Table(log, "T1" if number != 3 else "T2", day=day, number=number)
        table.buy_in(10**number)
        table.close(number)
    log.write(conn)
    fold_all()
    found = statistics(conn, DAY)
    (house,) = found.house
    assert house.day is not None
    assert house.month is not None
    assert house.year is not None
    assert [row.drop for row in (house.day, house.month, house.year)] == [10_000, 11_000, 11_100]
    assert [row.win for row in (house.day, house.month, house.year)] == [4, 7, 9]
    tables = {row.table: row for row in found.tables}
    assert tables["T2"].day is None
    assert tables["T2"].month is not None
    assert tables["T2"].month.drop == 1_000
