"""Fills and credits at a cage window: what it should hold moves with the slip, and the books with both."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from domain.acts import approvals, cage, money_rules, slips, tables
from domain.cage_commands import CountWindow, OpenWindow
from domain.commands import CloseTable, DecideApproval, MoveChips, PrepareSlip, ProposeRules, SignSlip, VoidSlip
from domain.events.base import Chips
from domain.events.cage import CreditTaken, FillServed, FillTakenBack, WindowClosed
from domain.events.rules import Window
from domain.events.slips import SlipPrepared
from domain.money import MICRO
from domain.postings import legs
from domain.refusals import Refusal
from tests.given.scenes import CHIPS, house, open_table
from tests.memory_house import MemoryHouse

HALF = (Chips(2_500, 200),)
WINDOWS = (*(Window(name, "EUR", 1_000_000) for name in ("W1", "W2")), Window("W9", "RON", 1_000_000))
TEN = MoveChips(chips=(Chips(2_500, 10),))
SIGNERS = {"carry": ("sam", "security"), "count": ("dora", "terminal"), "receive": ("sven", "supervisor")}


@pytest.fixture
def memory() -> MemoryHouse:
    """R1 is open, and carl works W1."""
    given = house("roulette-ua")
    command = ProposeRules(valid_from="2026-01-01", windows=WINDOWS, reason="the cage opens")
    approval = given.do(lambda w: money_rules.propose(w, command), "ada", "admin")["approval"]
    given.do(lambda w: approvals.decide(w, approval, DecideApproval(decision="approve")), "finn", "finance")
    open_table(given, "R1", "roulette-ua")
    open_window(given)
    return given


def open_window(memory: MemoryHouse, window: str = "W1", actor: str = "carl") -> None:
    command = OpenWindow(cash=HALF, chips=HALF)
    memory.do(partial(cage.open_window, window=window, command=command), actor, "cashier")


def close_window(memory: MemoryHouse, chips: int, window: str = "W1", actor: str = "carl") -> WindowClosed:
    command = CountWindow(cash=HALF, chips=(Chips(2_500, chips),))
    memory.do(partial(cage.close_window, window=window, command=command), actor, "cashier")
    closed: WindowClosed = memory.events(WindowClosed)[-1]
    return closed


def request(memory: MemoryHouse, kind: str, command: MoveChips = TEN) -> str:
    act = slips.request_fill if kind == "fill" else slips.request_credit
    slip: str = memory.do(partial(act, table="R1", command=command), "rita")["slip"]
    return slip


def prepare(memory: MemoryHouse, slip: str, window: str | None = "W1", actor: str = "carl") -> dict[str, Any]:
    return memory.do(lambda w: slips.sign(w, slip, "prepare", PrepareSlip(window=window)), actor, "cashier")


def finish(memory: MemoryHouse, slip: str, *steps: str) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    for step in steps or SIGNERS:
        answer = memory.do(partial(slips.sign, slip_id=slip, step=step, command=SignSlip()), *SIGNERS[step])
    return answer


def void(memory: MemoryHouse, slip: str, actor: str = "cora") -> None:
    memory.do(lambda w: slips.void(w, slip, VoidSlip(reason="wrong chips")), actor, "cashier")


def code(do: Any) -> str:
    with pytest.raises(Refusal) as refused:
        do()
    return refused.value.code


def booked(memory: MemoryHouse, *accounts: str) -> dict[str, int]:
    sums = dict.fromkeys(accounts, 0)
    for _, event in memory.log:
        for account, amount in legs(event):
            if account in sums:
                sums[account] += amount // MICRO
    return sums


def test_a_fill_leaves_the_window_when_it_is_prepared(memory: MemoryHouse) -> None:
    slip = request(memory, "fill")
    assert prepare(memory, slip) == {"slip": slip, "state": "prepared", "window": "W1"}
    assert memory.events(FillServed) == [FillServed(slip=slip, amount=25_000)]
    before = booked(memory, "tray", "cage", "window_chips")
    finish(memory, slip)
    after = booked(memory, "tray", "cage", "window_chips")
    assert {name: after[name] - before[name] for name in after} == {"tray": 25_000, "cage": -25_000, "window_chips": 0}
    closed = close_window(memory, 190)
    assert (closed.expected_chips, closed.over_short) == (475_000, 0)
    assert booked(memory, "window_chips", "window_cash") == {"window_chips": 0, "window_cash": 0}


def test_the_main_bank_serves_where_no_window_is_named(memory: MemoryHouse) -> None:
    slip = request(memory, "fill")
    assert prepare(memory, slip, None) == {"slip": slip, "state": "prepared"}
    assert memory.events(FillServed) == []
    assert memory.events(SlipPrepared) == [SlipPrepared(slip=slip)]
    assert close_window(memory, 200).over_short == 0


def test_a_credit_comes_into_the_window_with_its_last_signature(memory: MemoryHouse) -> None:
    slip = request(memory, "credit")
    prepare(memory, slip)
    finish(memory, slip, "carry", "count")
    assert memory.events(CreditTaken) == []
    assert finish(memory, slip, "receive") == {"slip": slip, "state": "received", "window": "W1"}
    closed = close_window(memory, 210)
    assert (closed.expected_chips, closed.over_short) == (525_000, 0)
    assert booked(memory, "window_chips") == {"window_chips": 0}


def test_a_void_fill_is_in_the_window_again(memory: MemoryHouse) -> None:
    slip = request(memory, "fill")
    prepare(memory, slip)
    void(memory, slip)
    assert memory.events(FillTakenBack) == [FillTakenBack(slip=slip, amount=25_000)]
    assert close_window(memory, 200).over_short == 0


def test_a_void_credit_and_a_void_request_never_touched_the_window(memory: MemoryHouse) -> None:
    credit, fill = request(memory, "credit"), request(memory, "fill")
    prepare(memory, credit)
    for slip in (credit, fill):
        void(memory, slip)
    assert close_window(memory, 200).over_short == 0


def test_what_is_short_at_the_count_is_short_by_what_the_slips_do_not_explain(memory: MemoryHouse) -> None:
    prepare(memory, request(memory, "fill"))
    assert close_window(memory, 189).over_short == -2_500


def test_a_window_that_is_closed_or_counted_out_by_then_is_passed_by(memory: MemoryHouse) -> None:
    credit, fill, late = request(memory, "credit"), request(memory, "fill"), request(memory, "credit")
    for slip in (credit, fill, late):
        prepare(memory, slip)
    offer = CountWindow(cash=HALF, chips=(Chips(2_500, 190),))
    finish(memory, credit, "carry", "count")
    finish(memory, late, "carry", "count")
    memory.do(partial(cage.offer, window="W1", command=offer), "carl", "cashier")
    assert finish(memory, credit, "receive")["window"] is None
    memory.do(partial(cage.take_over, window="W1", command=offer), "cora", "cashier")
    assert memory.events(WindowClosed)[-1].over_short == 0
    void(memory, fill)  # the next shift at the window has the chips again
    assert finish(memory, late, "receive")["window"] == "W1"
    closed = close_window(memory, 210, actor="cora")
    assert (closed.expected_chips, closed.over_short) == (525_000, 0)
    last = request(memory, "credit")
    open_window(memory)
    prepare(memory, last)
    close_window(memory, 200)
    assert finish(memory, last)["window"] is None
    assert booked(memory, "window_chips", "window_cash") == {"window_chips": 0, "window_cash": 0}


def test_a_fill_overtaken_by_the_closing_of_its_session_comes_back(memory: MemoryHouse) -> None:
    slip = request(memory, "fill")
    prepare(memory, slip)
    finish(memory, slip, "carry")
    memory.do(partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS)))
    void(memory, slip)
    assert close_window(memory, 200).over_short == 0


def test_only_the_cashier_of_an_open_window_of_the_currency_prepares_there(memory: MemoryHouse) -> None:
    slip = request(memory, "fill")
    assert code(lambda: prepare(memory, slip, "W2")) == "window_closed"
    assert code(lambda: prepare(memory, slip, "W1", "cora")) == "window_of_another"
    open_window(memory, "W9", "cleo")
    assert code(lambda: prepare(memory, slip, "W9", "cleo")) == "bad_terms"
    much = request(memory, "fill", MoveChips(chips=(Chips(2_500, 201),)))
    assert code(lambda: prepare(memory, much)) == "window_short"
    assert memory.events(SlipPrepared) == []
