"""The inbox: what becomes an exception under which threshold, what was said to it, and reportable cash."""

from __future__ import annotations

from datetime import timedelta

import psycopg
import pytest

from domain.events.base import Chips, Event
from domain.events.cage import ChipsRedeemed, ChipsSold, WindowOpened
from domain.events.chips import FillReceived
from domain.events.correction import RoundCorrected
from domain.events.inbox import ExceptionAcknowledged
from domain.events.outcome import PayoutMade
from domain.events.play import AntePlaced, RoundOpened
from domain.events.rules import Rules, RulesAdopted, Threshold
from domain.events.session import SessionOpened
from domain.events.slips import SlipReceived, SlipRequested
from domain.events.tray import OpenerDiffered
from projections.reads.exceptions import exceptions, gaps_of, player_cash, slips
from tests.money.boxes import Boxes
from tests.projections.conftest import FoldAll
from tests.projections.logs import Log, Table

DAY = "2026-03-14"
BOOK = f"slips/fill/{DAY}"


def adopt(log: Log, *thresholds: Threshold, valid_from: str = "2026-01-01", idle: int = 45) -> None:
    rules = Rules(valid_from=valid_from, windows=(), transfers=(), thresholds=thresholds, idle_minutes=idle)
    log.add("house", RulesAdopted(approval="rules.house.1", rules=rules), gaming_day=valid_from)


def request(number: int, table: str = "T01") -> SlipRequested:
    return SlipRequested(
        slip=f"fill-{DAY}-{number:04d}",
        kind="fill",
        number=number,
        table=table,
        session=f"{table}/{DAY}/1",
        chips=(Chips(100, 1),),
        amount=100,
    )


def codes(conn: psycopg.Connection, log: Log, fold_all: FoldAll) -> list[str]:
    log.write(conn)
    fold_all()
    return [row.code for row in exceptions(conn, now=log.now, limit=1000).rows]


def test_a_quiet_night_has_none(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    table = Table(log)
    table.buy_in(1_000)
    table.close()
    assert codes(conn, log, fold_all) == []


@pytest.mark.parametrize(
    ("operator", "amount", "over", "made"),
    [(">", 0, 1, True), (">", 2_500, -2_500, False), (">=", 2_500, -2_500, True), (">", 2_500, 2_501, True)],
)
def test_over_and_short_under_an_explicit_operator(
    conn: psycopg.Connection, fold_all: FoldAll, operator: str, amount: int, over: int, *, made: bool
) -> None:
    log = Log()
    adopt(log, Threshold("over_short", operator, amount))  # type: ignore[arg-type]
    Table(log).close(over)
    assert codes(conn, log, fold_all) == (["over_short"] if made else [])


def test_rules_adopted_later_change_no_past(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    Table(log, "T1").close(100)
    adopt(log, Threshold("over_short", ">", 1_000))
    Table(log, "T2").close(100)
    assert codes(conn, log, fold_all) == ["over_short"]
    conn.execute("TRUNCATE views.exceptions")
    assert exceptions(conn, now=log.now).rows == []


def test_what_is_an_exception_by_its_nature(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    adopt(log, Threshold("opener_differs", ">", 0), Threshold("drop_differs", ">", 0))
    table, boxes = Table(log), Boxes(log)
    box = boxes.mount(table)
    r = "T01-x-1"
    table.add(RoundOpened(round=r, number=1, source="live"))
    table.add(AntePlaced(round=r, box=1, amount=5, outside_limits=True))
    table.add(
        PayoutMade(round=r, box=1, kind="bet", due=540, paid=500, capped=40, clause="C", odds="27:1", paid_by="tray")
    )
    table.add(RoundCorrected(approval="a", round=r, reason="misread", house_net=-1_000))
    table.close()
    boxes.settle(box, 300, 300)
    opened = next(event for _, _, event in log.events if isinstance(event, SessionOpened))
    next_one = type(opened)(
        **{name: getattr(opened, name) for name in opened.__struct_fields__}
        | {"number": 2, "session": "T01-2", "carried_closer": opened.opener_total + 2_500}
    )
    log.add(f"table/T01/{DAY}/2", next_one)
    assert codes(conn, log, fold_all) == [
        "outside_limits",
        "cap_reached",
        "correction",
        "drop_differs",
        "opener_differs",
    ]
    found = {row.code: row for row in exceptions(conn, now=log.now).rows}
    assert (found["opener_differs"].amount, found["opener_differs"].table) == (-2_500, "T01")
    assert (found["cap_reached"].amount, found["cap_reached"].currency) == (40, "EUR")
    assert (found["drop_differs"].amount, found["drop_differs"].table) == (300, "T01")


@pytest.mark.parametrize(("difference", "made"), [(0, ["opener_chips_differ"]), (-500, [])])
def test_other_denominations_of_the_same_worth(
    conn: psycopg.Connection, fold_all: FoldAll, difference: int, made: list[str]
) -> None:
    log = Log()
    table = Table(log)
    table.add(OpenerDiffered(session="T01", carried=(), counted=(), difference=difference))
    assert codes(conn, log, fold_all) == made


def test_slips_missing_unsigned_and_with_a_gap(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    table = Table(log)
    log.add(BOOK, request(1), SlipReceived(slip=f"fill-{DAY}-0001"), request(2))
    log.write(conn)
    fold_all()
    log.add(BOOK, request(4))
    table.add(FillReceived(slip=f"fill-{DAY}-0009", chips=(), amount=700))
    table.close()
    assert sorted(codes(conn, log, fold_all)) == ["missing_slip", "number_gap", "unsigned_slip", "unsigned_slip"]
    listed = slips(conn, gaming_day=DAY)
    assert listed.gaps == {BOOK: [3]}
    assert [(row.number, row.state) for row in listed.rows] == [(1, "received"), (2, "requested"), (4, "requested")]


def test_the_gap_report_of_the_worked_numbers() -> None:
    assert gaps_of([101, 102, 104]) == [103]
    assert gaps_of([]) == []


def test_an_idle_table_is_seen_while_it_is_and_remembered_afterwards(
    conn: psycopg.Connection, fold_all: FoldAll
) -> None:
    log = Log()
    adopt(log, idle=20)
    table = Table(log)
    table.void_round()
    log.wait(minutes=21)
    log.write(conn)
    fold_all()
    now = exceptions(conn, now=log.now)
    assert (now.rows, [(t.table, t.minutes) for t in now.idle]) == ([], [("T01", 21)])
    assert exceptions(conn, now=log.now - timedelta(minutes=1)).idle == []
    table.void_round()
    assert codes(conn, log, fold_all) == ["idle_table"]
    assert exceptions(conn, now=log.now).idle == []


def test_the_trail_of_an_exception(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    Table(log).close(50)
    log.write(conn)
    fold_all()
    (found,) = exceptions(conn, now=log.now, state="open").rows
    for note in ("camera asked for", "a chip lay under the rail"):
        log.add(
            f"inbox/{DAY}",
            ExceptionAcknowledged(exception=found.exception, note=note, stream=found.stream, version=found.version),
        )
    log.write(conn)
    fold_all()
    assert exceptions(conn, now=log.now, state="open").rows == []
    (known,) = exceptions(conn, now=log.now, state="acknowledged").rows
    assert [note.note for note in known.notes] == ["camera asked for", "a chip lay under the rail"]


# Reportable cash: the worked figures. "More than 10,000 in or out, each on its own"; "2,000 or more, linked".

CTR = Threshold("cash_in", ">", 1_000_000, "EUR", "31 CFR 1021.311")
CTR_OUT = Threshold("cash_out", ">", 1_000_000, "EUR", "31 CFR 1021.311")
CDD = Threshold("cash_in", ">=", 200_000, "EUR", "MLR 2017 reg. 27(5)")


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize(
    ("threshold", "ins", "outs", "made"),
    [
        (CTR, [1_000_000], [], []),
        (CTR, [1_000_001], [], ["cash_in"]),
        (CTR, [600_000, 400_100], [], ["cash_in"]),
        (CTR, [900_000], [900_000], []),
        (CTR, [900_000, 200_000, 300_000], [], ["cash_in"]),
        (CTR_OUT, [2_000_000], [1_000_001], ["cash_out"]),
        (CDD, [199_999], [], []),
        (CDD, [200_000], [], ["cash_in"]),
        (CDD, [120_000, 80_000], [], ["cash_in"]),
    ],
)
def test_cash_is_added_up_by_player_day_and_direction(  # noqa: PLR0917  (parameters of cases)
    conn: psycopg.Connection,
    fold_all: FoldAll,
    threshold: Threshold,
    ins: list[int],
    outs: list[int],
    made: list[str],
    *,
    together: bool,
) -> None:
    log = Log()
    adopt(log, threshold)
    table = Table(log)
    window: list[Event] = [ChipsRedeemed(amount=amount, player="P1") for amount in outs]
    opened = WindowOpened(
        window="W1",
        cage_shift="W1-1",
        number=1,
        gaming_day=DAY,
        shift="1",
        currency="EUR",
        cash=(),
        chips=(),
        cash_total=0,
        chips_total=0,
    )
    log.add(f"cage/W1/{DAY}/1", opened, ChipsSold(amount=5_000_000), ChipsSold(amount=ins[0], player="P1"))
    for amount in ins[1:]:
        if not together:
            log.write(conn)
            fold_all()
        table.buy_in(amount, "P1")
    log.add(f"cage/W1/{DAY}/1", *window)
    assert codes(conn, log, fold_all) == made
    (cash,) = player_cash(conn, gaming_day=DAY, player="P1").rows
    assert (cash.cash_in, cash.cash_out) == (sum(ins), sum(outs))


def test_the_next_gaming_day_begins_at_nothing(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    adopt(log, CDD)
    for day in (DAY, "2026-03-15"):
        Table(log, day=day).buy_in(150_000, "P1")
    assert codes(conn, log, fold_all) == []
    assert [row.cash_in for row in player_cash(conn, player="P1").rows] == [150_000, 150_000]


def test_another_currency_has_thresholds_of_its_own(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    adopt(log, CDD)
    Table(log, currency="RON").buy_in(9_000_000, "P1")
    assert codes(conn, log, fold_all) == []
