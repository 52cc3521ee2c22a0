"""Drop boxes: custody from hand to hand, two blind counts that must agree, and nobody at two ends of it."""

from functools import partial
from typing import Any

import pytest

from domain.acts import counts, days, tables
from domain.commands import AuditDay, BuyChips, CloseDay, CloseTable, CountBox, MountBox, MoveBox, OpenDay
from domain.events.base import Chips
from domain.events.count import BoxCounted, BoxSettled
from domain.money import MICRO
from domain.postings import legs
from domain.refusals import Refusal
from tests.given.scenes import CHIPS, house, open_table
from tests.memory_house import MemoryHouse

CASH = (Chips(5000, 10), Chips(1000, 3))
OTHER = (Chips(5000, 10), Chips(1000, 4))
ROLES = ("terminal", "supervisor", "cashier", "security", "finance", "auditor", "display", "admin")


@pytest.fixture
def memory() -> MemoryHouse:
    given = house("roulette-ua")
    open_table(given, "R1", "roulette-ua")
    return given


def mount(memory: MemoryHouse, box: str = "17", actor: str = "sam", role: str = "security") -> str:
    drop: str = memory.do(partial(counts.mount, table="R1", command=MountBox(box=box)), actor, role)["drop"]
    return drop


def remove(memory: MemoryHouse, drop: str, actor: str = "sam", role: str = "security") -> dict[str, Any]:
    return memory.do(lambda w: counts.remove(w, drop, MoveBox()), actor, role)


def receive(memory: MemoryHouse, drop: str, actor: str = "finn", role: str = "finance") -> dict[str, Any]:
    return memory.do(lambda w: counts.receive(w, drop, MoveBox()), actor, role)


def count(memory: MemoryHouse, drop: str, cash: Any, actor: str, role: str = "finance") -> dict[str, Any]:
    return memory.do(lambda w: counts.count(w, drop, CountBox(cash=cash)), actor, role)


def received(memory: MemoryHouse, *, close: bool = True) -> str:
    """A box of R1 in the count room, its session closed and the next one open."""
    drop = mount(memory)
    remove(memory, drop)
    receive(memory, drop)
    if close:
        memory.do(partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS)))
        open_table(memory, "R1", "roulette-ua")
    return drop


def code(do: Any) -> str:
    with pytest.raises(Refusal) as refused:
        do()
    return refused.value.code


def test_two_counts_that_agree_settle_the_box(memory: MemoryHouse) -> None:
    drop = received(memory)
    first = count(memory, drop, CASH, "finn")
    assert first == {"drop": drop, "state": "counting", "count": 1}
    assert count(memory, drop, CASH, "fred")["total"] == 53_000
    (settled,) = memory.events(BoxSettled)
    assert (settled.table, settled.total, settled.differ) == ("R1", 53_000, False)


def test_no_answer_tells_a_count_before_the_box_is_settled(memory: MemoryHouse) -> None:
    drop = received(memory)
    answers = [count(memory, drop, CASH, "finn"), count(memory, drop, OTHER, "fred")]
    assert all("total" not in answer for answer in answers)
    refused = [lambda: count(memory, drop, CASH, "finn"), lambda: receive(memory, drop, "fay")]
    for attempt in refused:
        with pytest.raises(Refusal) as refusal:
            attempt()
        assert "53" not in refusal.value.detail.replace(drop, "")


def test_where_two_differ_a_third_person_bears_one_of_them_out(memory: MemoryHouse) -> None:
    drop = received(memory)
    count(memory, drop, CASH, "finn")
    count(memory, drop, OTHER, "fred")
    assert count(memory, drop, CASH, "fay")["total"] == 53_000
    assert memory.events(BoxSettled)[0].differ
    assert [e.count for e in memory.events(BoxCounted)] == [1, 2, 3]
    assert code(lambda: count(memory, drop, CASH, "fox")) == "drop_state"


def test_an_empty_box_is_counted_as_nothing(memory: MemoryHouse) -> None:
    drop = received(memory)
    count(memory, drop, (), "finn")
    assert count(memory, drop, (), "fred")["total"] == 0


@pytest.mark.parametrize("actor", ["sam", "finn"])
def test_who_carried_or_counted_it_does_not_count_it(memory: MemoryHouse, actor: str) -> None:
    drop = received(memory)
    count(memory, drop, CASH, "finn")
    assert code(lambda: count(memory, drop, CASH, actor)) == "same_person"


def test_who_carried_it_does_not_receive_it(memory: MemoryHouse) -> None:
    drop = mount(memory)
    remove(memory, drop, "sid")
    for actor in ("sam", "sid"):
        assert code(lambda a=actor: receive(memory, drop, a)) == "same_person"


@pytest.mark.parametrize("role", [role for role in ROLES if role != "finance"])
def test_no_other_role_counts_or_receives(memory: MemoryHouse, role: str) -> None:
    drop = received(memory)
    assert code(lambda: count(memory, drop, CASH, "eve", role)) == "role_required"
    other = mount(memory, "18")
    remove(memory, other)
    assert code(lambda: receive(memory, other, "eve", role)) == "role_required"


@pytest.mark.parametrize("role", [role for role in ROLES if role != "security"])
def test_no_other_role_carries(memory: MemoryHouse, role: str) -> None:
    assert code(lambda: mount(memory, role=role)) == "role_required"
    drop = mount(memory)
    assert code(lambda: remove(memory, drop, role=role)) == "role_required"


def test_a_box_is_never_in_two_places(memory: MemoryHouse) -> None:
    drop = received(memory)
    assert code(lambda: mount(memory)) == "box_in_use"
    count(memory, drop, CASH, "finn")
    count(memory, drop, CASH, "fred")
    assert mount(memory) == "drop-2026-03-14-0002"


@pytest.mark.parametrize("drop", ["drop-2026-03-14-0009", "drop-2026-03-15-0001"])
def test_an_unknown_box_is_refused(memory: MemoryHouse, drop: str) -> None:
    assert code(lambda: remove(memory, drop)) == "unknown_drop"


def test_steps_cannot_be_left_out(memory: MemoryHouse) -> None:
    drop = mount(memory)
    assert code(lambda: receive(memory, drop)) == "drop_state"
    assert code(lambda: count(memory, drop, CASH, "finn")) == "drop_state"


def test_a_box_is_not_counted_while_its_session_goes_on(memory: MemoryHouse) -> None:
    drop = received(memory, close=False)
    assert code(lambda: count(memory, drop, CASH, "finn")) == "drop_state"


def test_the_last_box_of_a_session_tells_the_difference_to_its_buy_ins(memory: MemoryHouse) -> None:
    memory.do(partial(tables.buy_in, table="R1", command=BuyChips(player="A", amount=100_000)), "dora", "terminal")
    drops = [mount(memory, "17"), mount(memory, "18")]
    for drop in drops:
        remove(memory, drop)
        receive(memory, drop)
    memory.do(partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS)))
    for drop in drops:
        count(memory, drop, CASH, "fred")
        count(memory, drop, CASH, "fay")
    settled = memory.events(BoxSettled)
    assert [e.difference for e in settled] == [None, 6_000]
    moved = [leg for e in settled for leg in legs(e)]
    by_account = {account: sum(a for of, a in moved if of == account) // MICRO for account, _ in moved}
    assert by_account == {"cage": 106_000, "drop_box": -100_000, "drop_difference": -6_000}


def test_a_day_is_not_audited_before_its_boxes_are_counted() -> None:
    memory = house("roulette-ua")
    memory.do(lambda w: days.open_day(w, OpenDay(day="2026-03-14")))
    open_table(memory, "R1", "roulette-ua")
    drop = received(memory, close=False)
    memory.do(partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS)))
    memory.do(lambda w: days.close_day(w, "2026-03-14", CloseDay()), "finn", "finance")
    audit = partial(days.audit_day, day="2026-03-14", command=AuditDay())
    assert code(lambda: memory.do(audit, "ann", "auditor")) == "not_counted"
    count(memory, drop, CASH, "fred")
    count(memory, drop, CASH, "fay")
    memory.do(audit, "ann", "auditor")
