"""The cage's rows: what a window should hold at any moment, also when a shift spans many batches."""

from __future__ import annotations

import psycopg
import pytest

from domain.events.base import Event
from domain.events.cage import (
    ChipsRedeemed,
    ChipsSold,
    HandPaid,
    TransferArrived,
    TransferSent,
    WindowClosed,
    WindowOpened,
)
from domain.events.rules import Rules, RulesAdopted, Threshold
from projections.reads.cage import cage, rules
from tests.projections.conftest import FoldAll
from tests.projections.logs import Log

DAY = "2026-03-14"
STREAM = f"cage/W1/{DAY}/1"


def opened() -> WindowOpened:
    return WindowOpened(
        window="W1",
        cage_shift=f"W1-{DAY}-1",
        number=1,
        gaming_day=DAY,
        shift="1",
        currency="EUR",
        cash=(),
        chips=(),
        cash_total=500_000,
        chips_total=500_000,
    )


EVENTS: list[Event] = [
    opened(),
    ChipsSold(amount=100_000, player="A"),
    ChipsRedeemed(amount=40_000),
    HandPaid(progressive="royal", hit="x", amount=50_000),
    TransferSent(transfer=f"W1-{DAY}-1-t1", to="main", cash=10_000, chips=2_000),
    TransferArrived(transfer=f"W1-{DAY}-1-t1"),
    WindowClosed(
        window="W1",
        cage_shift=f"W1-{DAY}-1",
        cash=(),
        chips=(),
        cash_total=500_000,
        chips_total=437_500,
        expected_cash=500_000,
        expected_chips=438_000,
        over_short=-500,
    ),
]


@pytest.mark.parametrize("together", [True, False])
def test_a_shift_adds_up_however_its_events_arrive(
    conn: psycopg.Connection, fold_all: FoldAll, *, together: bool
) -> None:
    log = Log()
    for event in EVENTS:
        log.add(STREAM, event)
        if not together:
            log.write(conn)
            fold_all()
    log.write(conn) if together else None
    fold_all()
    (row,) = cage(conn, window="W1").rows
    assert (row.cash, row.chips) == (500_000, 438_000)
    assert (row.sold, row.redeemed, row.hand_paid, row.sent, row.in_transit) == (100_000, 40_000, 50_000, 12_000, 0)
    assert (row.state, row.over_short, row.cashier) == ("closed", -500, "dealer-1")


def test_the_rules_of_a_day_are_the_last_adopted_for_it(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    for number, day in enumerate(("2026-01-01", "2026-03-01", "2026-03-01"), 1):
        threshold = (Threshold("over_short", ">=", number),)
        adopted = Rules(valid_from=day, windows=(), transfers=(), thresholds=threshold, idle_minutes=45)
        log.add("house", RulesAdopted(approval=f"rules.house.{number}", rules=adopted))
    log.write(conn)
    fold_all()
    assert rules(conn, "2025-12-31").rules.valid_from == "0001-01-01"
    assert [rules(conn, day).rules.thresholds[0].amount for day in ("2026-02-28", DAY)] == [1, 3]
