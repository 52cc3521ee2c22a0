"""Gaming days and shifts: rolled by hand, closed when every table has left, audited by another person."""

from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest

from domain.acts import days, tables
from domain.commands import AuditDay, CloseDay, CloseTable, OpenDay, OpenShift
from domain.events.day import DayClosed, DayOpened, TableJoined
from domain.events.session import SessionOpened
from domain.refusals import Refusal
from tests.given.scenes import CHIPS, house, open_table
from tests.memory_house import MemoryHouse

FIRST, NEXT = "2026-03-14", "2026-03-15"


@pytest.fixture
def memory() -> MemoryHouse:
    """A house that keeps days, with two tables on the first of them."""
    given = house("roulette-ua")
    begin(given, FIRST)
    for table in ("R1", "R2"):
        open_table(given, table, "roulette-ua", gaming_day=None)
    return given


def begin(memory: MemoryHouse, day: str, role: str = "supervisor") -> dict[str, Any]:
    return memory.do(lambda w: days.open_day(w, OpenDay(day=day)), "sue", role)


def end(memory: MemoryHouse, day: str = FIRST, role: str = "finance") -> dict[str, Any]:
    return memory.do(lambda w: days.close_day(w, day, CloseDay()), "finn", role)


def roll(memory: MemoryHouse, table: str, **to: Any) -> dict[str, Any]:
    return memory.do(partial(tables.close_table, table=table, command=CloseTable(closer=CHIPS, **to)))


def refusal(do: Any) -> Refusal:
    with pytest.raises(Refusal) as refused:
        do()
    return refused.value


def test_a_table_opens_on_the_running_day_and_joins_it_once(memory: MemoryHouse) -> None:
    roll(memory, "R1")
    open_table(memory, "R1", "roulette-ua", gaming_day=None)
    assert {e.gaming_day for e in memory.events(SessionOpened)} == {FIRST}
    assert [e.table for e in memory.events(TableJoined)] == ["R1", "R2"]


def test_a_day_is_closed_only_when_every_table_has_left_it(memory: MemoryHouse) -> None:
    assert begin(memory, NEXT)["rolling"] == [FIRST]
    roll(memory, "R1", roll_to=NEXT)
    refused = refusal(lambda: end(memory))
    assert refused.code == "day_running"
    assert "R2" in refused.detail
    assert "R1" not in refused.detail
    roll(memory, "R2", roll_to=NEXT)
    assert end(memory) == {"day": FIRST, "tables": 2}
    assert [e.day for e in memory.events(DayClosed)] == [FIRST]


def test_nothing_opens_on_a_closed_or_an_unknown_day(memory: MemoryHouse) -> None:
    roll(memory, "R1")
    roll(memory, "R2")
    assert refusal(lambda: open_table(memory, "R1", "roulette-ua", gaming_day=NEXT)).code == "unknown_day"
    end(memory)
    assert refusal(lambda: open_table(memory, "R1", "roulette-ua", gaming_day=FIRST)).code == "day_closed"
    assert refusal(lambda: end(memory)).code == "day_closed"
    assert refusal(lambda: end(memory, NEXT)).code == "unknown_day"


def test_days_are_closed_in_order(memory: MemoryHouse) -> None:
    begin(memory, NEXT)
    for table in ("R1", "R2"):
        roll(memory, table, roll_to=NEXT)
        roll(memory, table)
    refused = refusal(lambda: end(memory, NEXT))
    assert (refused.code, FIRST in refused.detail) == ("day_running", True)
    end(memory)
    end(memory, NEXT)


def test_the_first_table_that_rolls_opens_the_next_day_for_the_house(memory: MemoryHouse) -> None:
    roll(memory, "R1", roll_to=NEXT)
    roll(memory, "R2", roll_to=NEXT)
    assert [e.day for e in memory.events(DayOpened)] == [FIRST, NEXT]
    assert memory.look().house().days.by_day[NEXT].tables == ["R1", "R2"]
    assert refusal(lambda: roll(memory, "R1", roll_to="2026-03-17")).code == "unknown_day"
    end(memory)


@pytest.mark.parametrize("day", [FIRST, "2026-03-13", "2026-02-30"])
def test_the_day_rolls_forward_only(memory: MemoryHouse, day: str) -> None:
    assert refusal(lambda: begin(memory, day)).code == "bad_terms"


def test_a_shift_rolls_table_by_table_within_the_day(memory: MemoryHouse) -> None:
    memory.do(lambda w: days.open_shift(w, FIRST, OpenShift(shift="night")))
    answer = roll(memory, "R1", roll_shift="night")
    opened = memory.events(SessionOpened)[-1]
    assert (opened.session, opened.gaming_day, opened.shift) == (answer["next_session"], FIRST, "night")
    assert refusal(lambda: roll(memory, "R1", roll_shift="night")).code == "bad_terms"
    assert refusal(lambda: roll(memory, "R1", roll_shift="noon")).code == "bad_terms"
    open_table(memory, "R4", "roulette-ua", gaming_day=None)
    assert memory.events(SessionOpened)[-1].shift == "night"
    again = refusal(lambda: memory.do(lambda w: days.open_shift(w, FIRST, OpenShift(shift="night"))))
    assert again.code == "already_exists"


def test_who_closes_a_day_does_not_audit_it(memory: MemoryHouse) -> None:
    audit = lambda actor, role="finance": memory.do(lambda w: days.audit_day(w, FIRST, AuditDay()), actor, role)  # noqa: E731
    assert refusal(lambda: audit("ann")).code == "day_running"
    roll(memory, "R1")
    roll(memory, "R2")
    end(memory)
    assert refusal(lambda: audit("finn")).code == "same_person"
    assert audit("ann")["state"] == "audited"
    assert refusal(lambda: audit("ann")).code == "already_exists"


@pytest.mark.parametrize("role", ["terminal", "supervisor", "cashier", "security", "auditor", "display", "admin"])
def test_the_domain_itself_refuses_other_roles_to_close(memory: MemoryHouse, role: str) -> None:
    assert refusal(lambda: end(memory, role=role)).code == "role_required"


def test_a_day_rolled_by_hand_may_have_more_than_24_hours() -> None:
    memory = house()
    at = [datetime(2025, 8, 20, 3, 55, tzinfo=UTC), datetime(2025, 8, 21, 5, 13, tzinfo=UTC)]
    for moment, day in zip(at, ("2025-08-20", "2025-08-21"), strict=True):
        memory.now = moment
        begin(memory, day)
    kept = memory.look().house().days
    opened = [day.opened_at for day in kept.by_day.values()]
    assert str(opened[1] - opened[0]) == "1 day, 1:18:00"
    last = kept.day_of(datetime(2025, 8, 21, 5, 12, tzinfo=UTC))
    assert last is not None
    assert last.day == "2025-08-20"
    assert kept.day_of(datetime(2025, 8, 20, 3, 54, tzinfo=UTC)) is None
