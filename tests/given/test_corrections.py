"""Afterwards: corrections, announcements and rulings are new events that a second person agreed to."""

from functools import partial
from typing import Any

import pytest

from domain.acts import approvals, corrections, rounds, tables
from domain.commands import (
    CloseTable,
    DecideApproval,
    MakeRuling,
    ProposeCorrection,
    ReannounceHand,
    RightPayment,
)
from domain.events.correction import AmountCorrected, HandReannounced, OrderedPayment, RoundCorrected, RulingMade
from domain.events.outcome import PayoutMade
from domain.refusals import Refusal
from tests.given.scenes import CHIPS, OPENER, house, open_table, record
from tests.memory_house import MemoryHouse

DEALER = {"cards": "Ah Kc 8c 7s 3h"}
PAIR = {"box": 1, "ante": 1000, "cards": "9s 9d 2c Jd 4c", "play": [{"do": "bet"}]}
TWO_PAIRS = {**PAIR, "cards": "9s 9d 2c Jd 2d"}
YES = DecideApproval(decision="approve")


@pytest.fixture
def memory() -> MemoryHouse:
    given = house("oasis-ua")
    open_table(given, "T1", "oasis-ua")
    finished = record(ruleset="oasis-ua", boxes=[PAIR], dealer=DEALER)
    given.do(partial(rounds.play_record, table="T1", record=finished), "term")
    return given


ROUND = "T1-2026-03-14-1-1"


def propose(memory: MemoryHouse, actor: str = "sue", **fields: Any) -> str:
    command = ProposeCorrection(**{"round": ROUND, "reason": "the cards were keyed in wrongly", **fields})
    approval: str = memory.do(partial(corrections.propose, table="T1", command=command), actor)["approval"]
    return approval


def right_record(box: dict[str, Any]) -> Any:
    return {"ruleset": "oasis-ua", "boxes": [box], "dealer": DEALER}


def agree(memory: MemoryHouse, approval: str, actor: str = "sven") -> dict[str, Any]:
    return memory.do(lambda w: approvals.decide(w, approval, YES), actor)


def close(memory: MemoryHouse) -> dict[str, Any]:
    return memory.do(partial(tables.close_table, table="T1", command=CloseTable(closer=CHIPS)))


def test_a_round_comes_to_what_it_should_have_been(memory: MemoryHouse) -> None:
    agree(memory, propose(memory, record=right_record(TWO_PAIRS)))
    changes = [(e.kind, e.effect, e.was, e.now) for e in memory.events(AmountCorrected)]
    assert changes == [("bet", "paid", 2000, 4000)]
    assert memory.events(RoundCorrected)[0].house_net == -2000
    assert [e.paid for e in memory.events(PayoutMade) if e.kind == "bet"] == [2000]  # the first story stays
    assert close(memory)["expected"] == OPENER - 1000 - 4000


def test_a_correction_names_the_events_it_corrects(memory: MemoryHouse) -> None:
    agree(memory, propose(memory, record=right_record(TWO_PAIRS)))
    paid_at = next(n for n, (_, e) in enumerate(memory.log) if isinstance(e, PayoutMade) and e.kind == "bet")
    assert memory.events(AmountCorrected)[0].corrects == (f"e{paid_at}",)


def test_a_stake_that_should_have_been_taken_is_taken(memory: MemoryHouse) -> None:
    agree(memory, propose(memory, record=right_record({**PAIR, "play": [{"do": "fold"}]})))
    assert close(memory)["expected"] == OPENER + 1000


def test_a_wrong_payment_is_put_right(memory: MemoryHouse) -> None:
    agree(memory, propose(memory, payments=(RightPayment(box=1, kind="bet", paid=2500),)))
    assert close(memory)["expected"] == OPENER - 1000 - 2500


def test_a_second_correction_starts_from_the_first(memory: MemoryHouse) -> None:
    agree(memory, propose(memory, record=right_record(TWO_PAIRS)))
    agree(memory, propose(memory, record=right_record(PAIR)))
    assert [(e.was, e.now) for e in memory.events(AmountCorrected)] == [(2000, 4000), (4000, 2000)]
    assert close(memory)["expected"] == OPENER - 1000 - 2000


def test_a_correction_in_the_next_session_moves_the_next_tray(memory: MemoryHouse) -> None:
    close(memory)
    open_table(memory, "T1", "oasis-ua")
    agree(memory, propose(memory, record=right_record(TWO_PAIRS)))
    assert close(memory)["expected"] == OPENER - 2000


def test_two_corrections_proposed_from_one_state_cannot_both_stand(memory: MemoryHouse) -> None:
    first = propose(memory, record=right_record(TWO_PAIRS))
    second = propose(memory, payments=(RightPayment(box=1, kind="bet", paid=2500),))
    agree(memory, first)
    with pytest.raises(Refusal) as refused:
        agree(memory, second)
    assert refused.value.code == "moved"


def test_nobody_agrees_to_what_they_proposed(memory: MemoryHouse) -> None:
    approval = propose(memory, record=right_record(TWO_PAIRS))
    with pytest.raises(Refusal) as refused:
        agree(memory, approval, "sue")
    assert refused.value.code == "same_person"


def test_a_refused_correction_moves_nothing(memory: MemoryHouse) -> None:
    approval = propose(memory, record=right_record(TWO_PAIRS))
    no = DecideApproval(decision="refuse", reason="the camera shows a pair")
    memory.do(lambda w: approvals.decide(w, approval, no), "sven")
    assert memory.events(AmountCorrected) == []
    with pytest.raises(Refusal):
        agree(memory, approval)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"round": "T1-2026-03-14-1-99"}, "unknown_round"),
        ({"round": "T2-2026-03-14-1-1"}, "unknown_round"),
        ({"round": "nonsense"}, "unknown_round"),
        ({"record": right_record(PAIR)}, "nothing_to_correct"),
        ({}, "nothing_to_correct"),
        ({"record": {"ruleset": "oasis-ua", "extra": 1}}, "bad_record"),
        ({"record": {"ruleset": "texas-ua"}}, "bad_record"),
        ({"record": right_record({**PAIR, "cards": "9s 9s 2c Jd 4c"})}, "duplicate_card"),
        ({"payments": (RightPayment(box=2, kind="bet", paid=1),)}, "unknown_stake"),
        ({"payments": (RightPayment(box=1, kind="jackpot", paid=1),)}, "not_correctable"),
    ],
)
def test_what_cannot_be_corrected_is_refused(memory: MemoryHouse, fields: dict[str, Any], code: str) -> None:
    before = len(memory.log)
    with pytest.raises(Refusal) as refused:
        propose(memory, **fields)
    assert refused.value.code == code
    assert len(memory.log) == before


def test_a_hand_is_announced_again_without_moving_money(memory: MemoryHouse) -> None:
    command = ReannounceHand(round=ROUND, box=1, was="two pairs", now="pair", reason="misread by the dealer")
    memory.do(partial(corrections.reannounce, table="T1", command=command), "sue")
    assert memory.events(HandReannounced)[0].now == "pair"
    assert close(memory)["expected"] == OPENER - 1000 - 2000


def test_a_ruling_pays_what_it_orders(memory: MemoryHouse) -> None:
    command = MakeRuling(
        ruling="the guest is paid the ante again",
        reason="the shuffle was interrupted",
        round=ROUND,
        payments=(OrderedPayment(1, 1000),),
    )
    approval = memory.do(partial(corrections.propose_ruling, table="T1", command=command), "mia")["approval"]
    agree(memory, approval)
    assert memory.events(RulingMade)[0].paid == 1000
    assert close(memory)["expected"] == OPENER - 3000 - 1000


def test_a_number_called_wrongly_is_put_right() -> None:
    memory = house("roulette-ua")
    open_table(memory, "T1", "roulette-ua")
    bets = [{"player": "A", "on": "straight 17", "amount": 500}, {"player": "B", "on": "red", "amount": 1000}]
    spin = record(ruleset="roulette-ua", bets=bets, result=16)
    memory.do(partial(rounds.play_record, table="T1", record=spin), "term")
    right = {"ruleset": "roulette-ua", "bets": bets, "result": 17}
    agree(memory, propose(memory, record=right))
    # 16 is red: B was paid, A lost; 17 is black: A wins 35 to 1, B loses
    assert close(memory)["expected"] == OPENER - 500 * 35 + 1000
