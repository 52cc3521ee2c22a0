"""A late round was judged by the limits of the session that is open now: a cap of its own time paid without it."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from domain.acts import rounds, tables
from domain.commands import CloseTable, PostLimits
from domain.refusals import Refusal
from tests.given.scenes import CHIPS, house, open_table, record
from tests.memory_house import MemoryHouse

SHEET = "caribbean-ee-ak"
CAPPED = {"max_payout_per_box": 1_000, "min": 500}


def trips(ante: int, dealer: str = "Ks Kc 8c 7s 3h") -> Any:
    """Three aces: the bet wins 3:1."""
    box = {"box": 1, "player": "A", "ante": ante, "cards": "As Ad Ah 7c 2d", "play": [{"do": "bet"}]}
    return record(ruleset=SHEET, boxes=[box], dealer={"cards": dealer})


@pytest.fixture
def memory() -> MemoryHouse:
    """C1 was capped for an hour, then was opened again without a cap and with a higher minimum."""
    given = house(SHEET)
    open_table(given, "C1", SHEET, **CAPPED)
    given.now += timedelta(hours=1)
    given.do(partial(tables.close_table, table="C1", command=CloseTable(closer=CHIPS)))
    open_table(given, "C1", SHEET, min=2_000)
    return given


def late(memory: MemoryHouse, played: Any, minutes: int = 30) -> Any:
    at = memory.now - timedelta(minutes=minutes)
    return memory.do(partial(rounds.play_record, table="C1", record=played), "dora", "terminal", at=at)


def refused(memory: MemoryHouse, played: Any, minutes: int = 30) -> Refusal:
    with pytest.raises(Refusal) as found:
        late(memory, played, minutes)
    return found.value


def test_a_late_round_that_a_cap_of_its_time_would_change_takes_a_ruling(memory: MemoryHouse) -> None:
    found = refused(memory, trips(2_000))
    assert found.code == "bad_time"
    assert "C1-2026-03-14-1" in found.detail
    assert "ruling" in found.detail


def test_stakes_that_only_its_own_time_allowed_take_a_ruling_too(memory: MemoryHouse) -> None:
    assert refused(memory, trips(1_000)).code == "bad_time"


def test_stakes_that_its_own_time_did_not_allow_are_told_so(memory: MemoryHouse) -> None:
    assert refused(memory, trips(450)).code == "stake_limits"


def test_a_late_round_that_comes_out_the_same_is_recorded(memory: MemoryHouse) -> None:
    lost = trips(2_000, "Ks Kc Kh Kd 3h")
    assert late(memory, lost)["settlement"].house_net == 6_000


def test_the_limits_are_those_of_its_moment_and_not_the_last_of_its_session() -> None:
    memory = house(SHEET)
    open_table(memory, "C1", SHEET, **CAPPED)
    memory.now += timedelta(hours=1)
    free = PostLimits(min=500, max=20_000)
    memory.do(partial(tables.post_limits, table="C1", command=free))
    memory.now += timedelta(hours=1)
    memory.do(partial(tables.close_table, table="C1", command=CloseTable(closer=CHIPS)))
    open_table(memory, "C1", SHEET)
    assert refused(memory, trips(2_000), minutes=90).code == "bad_time"
    assert late(memory, trips(2_000), minutes=30)["settlement"].house_net == -14_000
