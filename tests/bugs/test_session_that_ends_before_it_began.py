"""A session could close at a time before its opening, and open before the closer of the one before was counted."""

from datetime import timedelta
from functools import partial

import pytest

from domain.acts import tables
from domain.commands import CloseTable, OpenTable
from domain.refusals import Refusal
from tests.given.scenes import CHIPS, house, open_table
from tests.memory_house import MemoryHouse

SHEET = "roulette-ua"
OPEN = OpenTable(ruleset=SHEET, currency="EUR", chip=50, min=500, max=20_000, gaming_day="2026-03-14", opener=CHIPS)
close = partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS))
reopen = partial(tables.open_table, table="R1", command=OPEN)


@pytest.fixture
def memory() -> MemoryHouse:
    """R1 opened an hour ago."""
    given = house(SHEET)
    open_table(given, "R1", SHEET)
    given.now += timedelta(hours=1)
    return given


def test_a_closer_is_not_counted_before_the_opener(memory: MemoryHouse) -> None:
    with pytest.raises(Refusal) as refused:
        memory.do(close, at=memory.now - timedelta(hours=2))
    assert refused.value.code == "bad_time"


def test_an_opener_is_not_counted_before_the_last_closer(memory: MemoryHouse) -> None:
    memory.do(close)
    with pytest.raises(Refusal) as refused:
        memory.do(reopen, at=memory.now - timedelta(minutes=1))
    assert refused.value.code == "bad_time"


def test_both_may_be_told_late_and_in_one_moment(memory: MemoryHouse) -> None:
    then = memory.now - timedelta(minutes=30)
    memory.do(close, at=then)
    assert memory.do(reopen, at=then)["session"] == "R1-2026-03-14-2"


def test_a_clock_that_differs_stops_nobody_who_names_no_time(memory: MemoryHouse) -> None:
    memory.do(close)
    memory.now -= timedelta(minutes=5)
    assert memory.do(reopen)["session"] == "R1-2026-03-14-2"
