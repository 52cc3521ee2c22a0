"""Fills and credits: five signatures of five people, gap-free numbers, and only the last one moves the tray."""

from functools import partial
from typing import Any

import pytest

from domain.acts import slips, tables
from domain.commands import CloseTable, MoveChips, SignSlip, VoidSlip
from domain.events.base import Chips
from domain.events.chips import CreditSent, FillReceived
from domain.refusals import Refusal
from tests.given.scenes import CHIPS, OPENER, house, open_table
from tests.memory_house import MemoryHouse

FILL = MoveChips(chips=(Chips(2500, 10),))
ROLES = {"prepare": "cashier", "carry": "security", "count": "terminal", "receive": "supervisor"}
STEPS = (("prepare", "carl"), ("carry", "sam"), ("count", "dora"), ("receive", "sven"))


@pytest.fixture
def memory() -> MemoryHouse:
    given = house("roulette-ua")
    open_table(given, "R1", "roulette-ua")
    return given


def request(memory: MemoryHouse, kind: str = "fill", actor: str = "sue") -> str:
    ask = slips.request_fill if kind == "fill" else slips.request_credit
    slip: str = memory.do(partial(ask, table="R1", command=FILL), actor)["slip"]
    return slip


def sign(memory: MemoryHouse, slip: str, step: str, actor: str) -> dict[str, Any]:
    return memory.do(lambda w: slips.sign(w, slip, step, SignSlip()), actor, ROLES[step])


def close(memory: MemoryHouse) -> dict[str, Any]:
    return memory.do(partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS)))


def test_five_people_sign_and_only_the_last_signature_moves_the_tray(memory: MemoryHouse) -> None:
    slip = request(memory)
    for step, actor in STEPS[:-1]:
        sign(memory, slip, step, actor)
    assert memory.events(FillReceived) == []
    answer = sign(memory, slip, *STEPS[-1])
    assert answer["state"] == "received"
    assert [e.amount for e in memory.events(FillReceived)] == [25_000]
    assert close(memory)["expected"] == OPENER + 25_000


def test_a_credit_leaves_the_tray_when_it_is_received(memory: MemoryHouse) -> None:
    slip = request(memory, "credit")
    for step, actor in STEPS:
        sign(memory, slip, step, actor)
    assert [e.amount for e in memory.events(CreditSent)] == [25_000]
    assert close(memory)["expected"] == OPENER - 25_000


@pytest.mark.parametrize("at", range(len(STEPS)))
@pytest.mark.parametrize("earlier", ["sue", "carl", "sam", "dora"])
def test_no_person_signs_one_slip_twice(memory: MemoryHouse, at: int, earlier: str) -> None:
    signed = ["sue", "carl", "sam", "dora"][: at + 1]
    if earlier not in signed:
        earlier = signed[0]
    slip = request(memory)
    for step, actor in STEPS[:at]:
        sign(memory, slip, step, actor)
    with pytest.raises(Refusal) as refused:
        sign(memory, slip, STEPS[at][0], earlier)
    assert refused.value.code == "same_person"


def test_steps_cannot_be_left_out(memory: MemoryHouse) -> None:
    slip = request(memory)
    for step, actor in STEPS[1:]:
        with pytest.raises(Refusal) as refused:
            sign(memory, slip, step, actor)
        assert refused.value.code == "slip_state"


def test_numbers_have_no_gap_even_after_a_void(memory: MemoryHouse) -> None:
    first = request(memory)
    memory.do(lambda w: slips.void(w, first, VoidSlip(reason="wrong chips")), "carl", "cashier")
    second, third = request(memory), request(memory)
    assert [first, second, third] == [f"fill-2026-03-14-{n:04d}" for n in (1, 2, 3)]


def test_the_requester_may_not_void_the_slip(memory: MemoryHouse) -> None:
    slip = request(memory)
    with pytest.raises(Refusal) as refused:
        memory.do(lambda w: slips.void(w, slip, VoidSlip(reason="changed my mind")), "sue")
    assert refused.value.code == "same_person"


def test_a_slip_in_transport_cannot_be_voided(memory: MemoryHouse) -> None:
    slip = request(memory)
    sign(memory, slip, "prepare", "carl")
    sign(memory, slip, "carry", "sam")
    with pytest.raises(Refusal) as refused:
        memory.do(lambda w: slips.void(w, slip, VoidSlip(reason="too late")), "carl", "cashier")
    assert refused.value.code == "slip_state"


def test_a_slip_of_a_closed_session_is_not_received_into_the_next(memory: MemoryHouse) -> None:
    slip = request(memory)
    for step, actor in STEPS[:-1]:
        sign(memory, slip, step, actor)
    close(memory)
    open_table(memory, "R1", "roulette-ua")
    with pytest.raises(Refusal) as refused:
        sign(memory, slip, *STEPS[-1])
    assert refused.value.code == "session_over"
    voided = memory.do(lambda w: slips.void(w, slip, VoidSlip(reason="the table closed")), "carl", "cashier")
    assert voided["state"] == "void"


def test_a_credit_cannot_exceed_what_the_tray_should_hold(memory: MemoryHouse) -> None:
    much = MoveChips(chips=(Chips(100_000, 10),))
    with pytest.raises(Refusal) as refused:
        memory.do(partial(slips.request_credit, table="R1", command=much))
    assert refused.value.code == "tray_short"


@pytest.mark.parametrize("slip", ["fill-2026-03-14-0009", "nonsense", "fill-", "credit-2026-03-14-0001"])
def test_an_unknown_slip_is_refused(memory: MemoryHouse, slip: str) -> None:
    with pytest.raises(Refusal) as refused:
        sign(memory, slip, "prepare", "carl")
    assert refused.value.code == "unknown_slip"
