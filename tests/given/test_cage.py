"""The cage: imprest, trades, hand-pays, handover, closing balance; transfers along allowed pairs only."""

from functools import partial
from typing import Any

import pytest

from domain.acts import approvals, cage, cage_transfers, money_rules
from domain.cage_commands import CountWindow, HandPay, OpenWindow, ReceiveTransfer, SendTransfer, TradeChips
from domain.commands import DecideApproval, ProposeRules
from domain.events.base import Chips
from domain.events.cage import WindowClosed, WindowOpened
from domain.events.progressive import HitPaid
from domain.events.rules import Threshold, Transfer, Window
from domain.postings import legs
from domain.refusals import Refusal
from tests.memory_house import MemoryHouse

CASH, CHIPS = (Chips(5_000, 100),), (Chips(2_500, 200),)
IMPREST = 5_000 * 100 + 2_500 * 200
DAY = "2026-03-14"
WINDOWS = (*(Window(name, "EUR", IMPREST) for name in ("W1", "W2", "main")), Window("W9", "RON", IMPREST))
PAIRS = (Transfer("W1", "W2"), Transfer("W1", "main"), Transfer("main", "W1"))


def propose(memory: MemoryHouse, **rules: Any) -> str:
    given = {"valid_from": "2026-01-01", "windows": WINDOWS, "transfers": PAIRS, "reason": "the floor opens", **rules}
    approval: str = memory.do(lambda w: money_rules.propose(w, ProposeRules(**given)), "ada", "admin")["approval"]
    return approval


def adopt(memory: MemoryHouse, **rules: Any) -> None:
    approval = propose(memory, **rules)
    memory.do(lambda w: approvals.decide(w, approval, DecideApproval(decision="approve")), "finn", "finance")


def at(memory: MemoryHouse, act: Any, command: Any, window: str = "W1", actor: str = "carl") -> dict[str, Any]:
    return memory.do(partial(act, window=window, command=command), actor, "cashier")


def open_window(memory: MemoryHouse, window: str = "W1", actor: str = "carl", **counted: Any) -> dict[str, Any]:
    return at(memory, cage.open_window, OpenWindow(**{"cash": CASH, "chips": CHIPS, **counted}), window, actor)


@pytest.fixture
def memory() -> MemoryHouse:
    given = MemoryHouse()
    adopt(given)
    open_window(given)
    return given


def code(do: Any) -> str:
    with pytest.raises(Refusal) as refused:
        do()
    return refused.value.code


def test_sales_and_redemptions_turn_chips_into_cash_and_back(memory: MemoryHouse) -> None:
    at(memory, cage.sell, TradeChips(amount=100_000, player="A"))
    answer = at(memory, cage.redeem, TradeChips(amount=30_000))
    assert answer == {"cash": 570_000, "chips": 430_000}


def test_the_closing_balance_tells_over_and_short(memory: MemoryHouse) -> None:
    at(memory, cage.sell, TradeChips(amount=100_000))
    counted = CountWindow(cash=(Chips(5_000, 119),), chips=(Chips(2_500, 160),))
    answer = at(memory, cage.close_window, counted)
    assert (answer["expected_cash"], answer["expected_chips"]) == (600_000, 400_000)
    assert answer["over_short"] == -5_000
    assert sum(amount for _, amount in legs(memory.events(WindowClosed)[0])) == 0
    assert code(lambda: at(memory, cage.sell, TradeChips(amount=1))) == "window_closed"
    open_window(memory)
    assert [e.number for e in memory.events(WindowOpened)] == [1, 2]


@pytest.mark.parametrize("counted", [{"cash": ()}, {"chips": (Chips(2_500, 201),)}])
def test_a_window_opens_with_its_imprest_and_nothing_else(memory: MemoryHouse, counted: dict[str, Any]) -> None:
    assert code(lambda: open_window(memory, "W2", **counted)) == "imprest_differs"


def test_a_window_the_rules_do_not_name_is_refused(memory: MemoryHouse) -> None:
    assert code(lambda: open_window(memory, "W3")) == "unknown_window"
    assert code(lambda: open_window(memory)) == "already_open"


@pytest.mark.parametrize(
    ("act", "command"),
    [
        (cage.sell, TradeChips(amount=500_001)),
        (cage.redeem, TradeChips(amount=500_001)),
        (cage_transfers.send, SendTransfer(to="W2", cash=500_001)),
        (cage_transfers.send, SendTransfer(to="W2", chips=500_001)),
    ],
)
def test_a_window_gives_no_more_than_it_should_hold(memory: MemoryHouse, act: Any, command: Any) -> None:
    assert code(lambda: at(memory, act, command)) == "window_short"


def test_only_its_own_cashier_works_a_window(memory: MemoryHouse) -> None:
    acts = [
        (cage.sell, TradeChips(amount=1)),
        (cage.redeem, TradeChips(amount=1)),
        (cage.close_window, CountWindow()),
        (cage.offer, CountWindow()),
        (cage_transfers.send, SendTransfer(to="W2", cash=1)),
        (cage.hand_pay, HandPay(progressive="main", hit="x")),
    ]
    for act, command in acts:
        assert code(lambda a=act, c=command: at(memory, a, c, actor="cora")) == "window_of_another"


@pytest.mark.parametrize("role", ["terminal", "supervisor", "security", "finance", "auditor", "display", "admin"])
def test_no_other_role_works_a_window(memory: MemoryHouse, role: str) -> None:
    sell = partial(cage.sell, window="W1", command=TradeChips(amount=1))
    assert code(lambda: memory.do(sell, "carl", role)) == "role_required"
    opening = OpenWindow(cash=CASH, chips=CHIPS)
    assert code(lambda: memory.do(partial(cage.open_window, window="W2", command=opening), "eve", role)) == (
        "role_required"
    )


def test_a_handover_takes_two_people_and_two_equal_counts(memory: MemoryHouse) -> None:
    counted = CountWindow(cash=CASH, chips=CHIPS)
    assert code(lambda: at(memory, cage.take_over, counted, actor="cora")) == "no_handover"
    at(memory, cage.offer, counted)
    assert code(lambda: at(memory, cage.sell, TradeChips(amount=1))) == "window_closed"
    assert code(lambda: at(memory, cage.take_over, counted)) == "same_person"
    other = CountWindow(cash=(Chips(1_000, 500),), chips=CHIPS)  # the same worth in other notes
    assert code(lambda: at(memory, cage.take_over, other, actor="cora")) == "count_differs"
    answer = at(memory, cage.take_over, counted, actor="cora")
    assert (answer["over_short"], answer["next_shift"]) == (0, f"W1-{DAY}-2")
    assert memory.events(WindowOpened)[-1].taken_over == "carl"
    at(memory, cage.sell, TradeChips(amount=500), actor="cora")
    assert code(lambda: at(memory, cage.sell, TradeChips(amount=500))) == "window_of_another"


def test_transfers_go_along_allowed_pairs_only(memory: MemoryHouse) -> None:
    open_window(memory, "W2", "cora")
    assert at(memory, cage_transfers.send, SendTransfer(to="W2", cash=1_000))["state"] == "sent"
    refused = lambda: at(memory, cage_transfers.send, SendTransfer(to="W1", cash=1_000), "W2", "cora")  # noqa: E731
    assert code(refused) == "transfer_not_allowed"
    assert code(lambda: at(memory, cage_transfers.send, SendTransfer(to="W2"))) == "bad_chips"


def test_a_transfer_is_signed_for_by_another_who_counts_the_same(memory: MemoryHouse) -> None:
    open_window(memory, "W2", "cora")
    transfer = at(memory, cage_transfers.send, SendTransfer(to="W2", cash=1_000, chips=2_500))["transfer"]
    receive = partial(cage_transfers.receive, transfer=transfer)
    right = ReceiveTransfer(cash=1_000, chips=2_500)
    assert code(lambda: at(memory, cage.close_window, CountWindow())) == "transfer_pending"
    assert code(lambda: at(memory, cage.offer, CountWindow())) == "transfer_pending"
    assert code(lambda: at(memory, receive, ReceiveTransfer(cash=1_000), "W2", "cora")) == "count_differs"
    assert at(memory, receive, right, "W2", "cora")["state"] == "received"
    assert code(lambda: at(memory, receive, right, "W2", "cora")) == "unknown_transfer"
    for window, actor, expected in (("W1", "carl", IMPREST - 3_500), ("W2", "cora", IMPREST + 3_500)):
        answer = at(memory, cage.close_window, CountWindow(), window, actor)
        assert answer["expected_cash"] + answer["expected_chips"] == expected


def test_one_person_at_two_windows_does_not_send_to_themselves(memory: MemoryHouse) -> None:
    open_window(memory, "W2", "carl")
    transfer = at(memory, cage_transfers.send, SendTransfer(to="W2", cash=1_000))["transfer"]
    receive = partial(cage_transfers.receive, transfer=transfer)
    assert code(lambda: at(memory, receive, ReceiveTransfer(cash=1_000), "W2")) == "same_person"


def test_rules_are_proposed_by_one_and_adopted_by_another(memory: MemoryHouse) -> None:
    approval = propose(memory, valid_from="2026-04-01", windows=(), transfers=())
    yes = DecideApproval(decision="approve")
    assert code(lambda: memory.do(lambda w: approvals.decide(w, approval, yes), "ada", "finance")) == "same_person"
    memory.do(lambda w: approvals.decide(w, approval, yes), "finn", "finance")
    book = memory.look().house().rules
    assert (len(book.in_force("2026-03-31").windows), len(book.in_force("2026-04-01").windows)) == (4, 0)
    no = propose(memory)
    memory.do(lambda w: approvals.decide(w, no, DecideApproval(decision="refuse", reason="not now")), "finn", "finance")
    assert code(lambda: memory.do(lambda w: approvals.decide(w, no, yes), "finn", "finance")) == "unknown_approval"


@pytest.mark.parametrize(
    "rules",
    [
        {"valid_from": "2026-02-30"},
        {"windows": (*WINDOWS, Window("W1", "EUR", 1))},
        {"windows": (Window("W1", "XXX", 1),), "transfers": ()},
        {"windows": (Window("W/1", "EUR", 1),), "transfers": ()},
        {"windows": (Window("W1", "EUR", -1),), "transfers": ()},
        {"transfers": (Transfer("W1", "W1"),)},
        {"transfers": (Transfer("W1", "W3"),)},
        {"transfers": (Transfer("W1", "W9"),)},
        {"thresholds": (Threshold("over_short", ">", -1),)},
    ],
)
def test_rules_that_contradict_themselves_are_refused(memory: MemoryHouse, rules: dict[str, Any]) -> None:
    assert code(lambda: propose(memory, **rules)) == "bad_rules"


def test_a_hit_that_nobody_won_is_not_paid(memory: MemoryHouse) -> None:
    assert code(lambda: at(memory, cage.hand_pay, HandPay(progressive="main", hit="T1.1.1"))) == "unknown_hit"
    assert memory.events(HitPaid) == []
