"""Who may put a note to an exception: not who caused it, not who approved it, and nobody without the duty."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from domain.acts import inbox, tables
from domain.commands import Acknowledge, CloseTable
from domain.events.base import Chips
from domain.events.inbox import ExceptionAcknowledged
from domain.refusals import Refusal
from tests.given.scenes import house, open_table
from tests.memory_house import MemoryHouse

DAY = "2026-03-14"
SHORT = inbox.Caused("over_short.4", DAY, f"table/R1/{DAY}/1", 2)


@pytest.fixture
def memory() -> MemoryHouse:
    given = house("roulette-ua")
    open_table(given, "R1", "roulette-ua")
    given.do(partial(tables.close_table, table="R1", command=CloseTable(closer=(Chips(100, 1),))), "sue")
    return given


def note(memory: MemoryHouse, actor: str, role: str = "supervisor", of: inbox.Caused = SHORT) -> dict[str, Any]:
    command = Acknowledge(note="a rack lay in the cage")
    return memory.do(partial(inbox.acknowledge, caused=of, command=command), actor, role)


def code(do: Any) -> str:
    with pytest.raises(Refusal) as refused:
        do()
    return refused.value.code


def test_another_person_puts_a_note_to_it_and_may_do_so_again(memory: MemoryHouse) -> None:
    assert note(memory, "sven")["state"] == "acknowledged"
    note(memory, "finn", "finance")
    assert [e.exception for e in memory.events(ExceptionAcknowledged)] == ["over_short.4"] * 2


def test_who_caused_it_does_not(memory: MemoryHouse) -> None:
    assert code(lambda: note(memory, "sue")) == "same_person"


@pytest.mark.parametrize("role", ["terminal", "cashier", "security", "display", "admin"])
def test_other_roles_do_not(memory: MemoryHouse, role: str) -> None:
    assert code(lambda: note(memory, "eve", role)) == "role_required"


def test_what_the_log_does_not_tell_of_cannot_be_acknowledged(memory: MemoryHouse) -> None:
    assert code(lambda: note(memory, "sven", of=SHORT._replace(version=99))) == "unknown_exception"
