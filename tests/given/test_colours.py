"""Colour chips: one player, one value; cashed in whole; nothing of it moves the expected tray but its cash."""

from functools import partial
from typing import Any

import pytest

from domain.acts import colours, tables, tray
from domain.commands import CashInColour, CloseTable, CountTray, IssueColour
from domain.events.base import Chips
from domain.events.chips import BuyIn
from domain.events.colour import ColourIssued
from domain.refusals import Refusal
from tests.given.scenes import CHIPS, OPENER, house, open_table
from tests.memory_house import MemoryHouse


@pytest.fixture
def memory() -> MemoryHouse:
    given = house("roulette-ua")
    open_table(given, "R1", "roulette-ua")
    return given


def issue(memory: MemoryHouse, player: str = "A", colour: str = "pink", **more: Any) -> dict[str, Any]:
    command = IssueColour(player=player, colour=colour, **{"count": 20, **more})
    return memory.do(partial(colours.issue, table="R1", command=command), "dora", "terminal")


def cash_in(memory: MemoryHouse, colour: str = "pink", count: int = 20) -> dict[str, Any]:
    command = CashInColour(colour=colour, count=count)
    return memory.do(partial(colours.cash_in, table="R1", command=command), "dora", "terminal")


def close(memory: MemoryHouse) -> dict[str, Any]:
    return memory.do(partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS)))


def code(do: Any) -> str:
    with pytest.raises(Refusal) as refused:
        do()
    return refused.value.code


def test_the_value_is_marked_when_it_is_issued_and_is_the_table_minimum_unless_said(memory: MemoryHouse) -> None:
    assert issue(memory)["value"] == 500
    assert issue(memory, "B", "blue", value=1000)["amount"] == 20_000
    assert [e.value for e in memory.events(ColourIssued)] == [500, 1000]


@pytest.mark.parametrize("value", [450, 475, 510])
def test_a_value_under_the_minimum_or_of_no_whole_chips_is_refused(memory: MemoryHouse, value: int) -> None:
    assert code(lambda: issue(memory, value=value)) == "bad_colour"


def test_a_colour_belongs_to_one_player(memory: MemoryHouse) -> None:
    issue(memory)
    assert code(lambda: issue(memory, "B")) == "colour_taken"


def test_a_player_has_one_colour_of_a_value(memory: MemoryHouse) -> None:
    issue(memory)
    assert code(lambda: issue(memory, "A", "blue")) == "colour_taken"
    issue(memory, "A", "blue", value=1000)
    issue(memory, "A", "pink")


def test_to_change_the_value_the_colour_is_first_cashed_in_whole(memory: MemoryHouse) -> None:
    issue(memory)
    assert code(lambda: issue(memory, value=1000)) == "colour_taken"
    assert cash_in(memory, count=13)["amount"] == 6_500
    assert issue(memory, value=1000)["value"] == 1000


def test_cash_for_colour_is_drop_and_the_exchange_moves_nothing(memory: MemoryHouse) -> None:
    issue(memory)
    issue(memory, "B", "blue", tender="chips")
    cash_in(memory)
    cash_in(memory, "blue", 0)
    assert [e.amount for e in memory.events(BuyIn)] == [10_000]
    assert close(memory)["expected"] == OPENER - 10_000


def test_a_table_does_not_close_while_a_colour_is_played(memory: MemoryHouse) -> None:
    issue(memory)
    assert code(lambda: close(memory)) == "colours_out"
    cash_in(memory, count=0)
    close(memory)


def test_more_than_the_tray_should_hold_is_not_issued(memory: MemoryHouse) -> None:
    assert code(lambda: issue(memory, count=100_000)) == "tray_short"
    assert code(lambda: cash_in(memory)) == "unknown_colour"


def test_the_tray_counted_in_between_moves_nothing(memory: MemoryHouse) -> None:
    count = CountTray(chips=(Chips(100, 999), Chips(2500, 100)))
    answer = memory.do(partial(tray.count_tray, table="R1", command=count))
    assert (answer["expected"], answer["difference"]) == (OPENER, -100)
    assert close(memory)["expected"] == OPENER
