"""A slip received with an `at` in an earlier session was told that its own session, which is open, is closed."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from domain.acts import slips, tables
from domain.commands import CloseTable, MoveChips, SignSlip
from domain.events.base import Chips
from domain.refusals import Refusal
from tests.given.scenes import CHIPS, house, open_table
from tests.memory_house import MemoryHouse

SIGNED = {"prepare": ("carl", "cashier"), "carry": ("sam", "security"), "count": ("dora", "terminal")}


def counted_fill(memory: MemoryHouse) -> Any:
    """A fill of the open session that waits for its last signature."""
    ask = MoveChips(chips=(Chips(2500, 10),))
    slip = memory.do(partial(slips.request_fill, table="R1", command=ask), "rita")["slip"]
    for step, (actor, role) in SIGNED.items():
        memory.do(partial(slips.sign, slip_id=slip, step=step, command=SignSlip()), actor, role)
    return partial(slips.sign, slip_id=slip, step="receive", command=SignSlip())


def detail(memory: MemoryHouse, receive: Any, **when: Any) -> str:
    with pytest.raises(Refusal) as refused:
        memory.do(receive, "sven", **when)
    assert refused.value.code == "session_over"
    return refused.value.detail


def roll(memory: MemoryHouse) -> None:
    memory.now += timedelta(hours=1)
    memory.do(partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS, roll_shift="2")))


def test_it_is_told_in_which_session_the_named_time_lies() -> None:
    memory = house("roulette-ua")
    open_table(memory, "R1", "roulette-ua")
    before = memory.now + timedelta(minutes=1)
    roll(memory)
    said = detail(memory, counted_fill(memory), at=before)
    assert "belongs to session R1-2026-03-14-2" in said
    assert "`at` lies in R1-2026-03-14-1" in said


def test_a_counted_slip_of_a_closed_session_is_not_told_to_be_voided() -> None:
    memory = house("roulette-ua")
    open_table(memory, "R1", "roulette-ua")
    receive = counted_fill(memory)
    roll(memory)
    said = detail(memory, receive)
    assert "say when (`at`)" in said
    assert "void" not in said
