"""The opener against the closer carried over: chip by chip, since equal worth in other chips is a difference too."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from domain.acts import tables
from domain.commands import CloseTable
from domain.events.base import Chips
from domain.events.tray import OpenerDiffered
from tests.given.scenes import CHIPS, house, open_table
from tests.memory_house import MemoryHouse


@pytest.fixture
def memory() -> MemoryHouse:
    """R1 was closed with 1,000 chips of 100 and 100 of 2,500."""
    given = house("roulette-ua")
    assert open_table(given, "R1", "roulette-ua")["exceptions"] == []
    given.do(partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS)))
    return given


def test_the_same_chips_in_another_order_are_no_difference(memory: MemoryHouse) -> None:
    answer = open_table(memory, "R1", "roulette-ua", opener=(*reversed(CHIPS), Chips(500, 0)))
    assert answer["exceptions"] == []
    assert memory.events(OpenerDiffered) == []


@pytest.mark.parametrize(
    ("opener", "difference", "denominations"),
    [
        ((Chips(100, 999), Chips(2500, 100)), -100, [(100, 1000, 999)]),
        ((Chips(100, 975), Chips(2500, 101)), 0, [(100, 1000, 975), (2500, 100, 101)]),
        ((Chips(100, 1000), Chips(5000, 50)), 0, [(2500, 100, 0), (5000, 0, 50)]),
        ((), -350_000, [(100, 1000, 0), (2500, 100, 0)]),
    ],
)
def test_other_chips_are_said_denomination_by_denomination(
    memory: MemoryHouse, opener: tuple[Chips, ...], difference: int, denominations: list[Any]
) -> None:
    (told,) = open_table(memory, "R1", "roulette-ua", opener=opener)["exceptions"]
    assert (told["code"], told["difference"]) == ("opener_differs", difference)
    assert [tuple(one.values()) for one in told["denominations"]] == denominations
    (event,) = memory.events(OpenerDiffered)
    assert (event.carried, event.counted, event.difference) == (CHIPS, opener, difference)


def test_a_rolled_table_opens_with_its_own_closer(memory: MemoryHouse) -> None:
    open_table(memory, "R1", "roulette-ua")
    command = CloseTable(closer=(Chips(100, 7),), roll_to="2026-03-15")
    memory.do(partial(tables.close_table, table="R1", command=command))
    assert memory.events(OpenerDiffered) == []
