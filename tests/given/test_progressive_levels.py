"""A sheet with several levels and shares under the whole, and the fixed prizes of caribbean-ee, figure by figure."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec
import pytest

from domain.acts import approvals, progressives, rounds, rulesets
from domain.commands import DecideApproval, ProposeProgressive, PublishRuleset
from domain.events.jackpot import JackpotHit, JackpotPaid
from domain.ruleset import shipped
from tests.given.scenes import house, open_table, record, run_progressive
from tests.memory_house import MemoryHouse

SHEET = "caribbean-ee"
TWO_LEVELS = (
    shipped(SHEET)
    .text.replace('id = "caribbean-ee"', 'id = "two-levels"')
    .replace('"C.jackpot", sum = 125_000 }', '"C.jackpot", percent = 100, level = 2 }')
    .replace('"C.jackpot", sum = 25_000 }', '"C.jackpot", percent = 10 }')
    .replace('"C.jackpot", sum = 2_500 }', '"C.jackpot", percent = 33, level = 2 }')
)
DEALER = {"cards": "2h 4c 8c Jh 3h"}
HANDS = {
    "straight flush": ("9s 8s 7s 6s 5s", 125_000),
    "four of a kind": ("9s 9h 9d 9c 5s", 25_000),
    "full house": ("9s 9h 9d 5c 5s", 2_500),
    "flush": ("As Js 9s 6s 2s", 1_500),
    "straight": ("9s 8d 7s 6h 5s", 300),
    "three of a kind": ("9s 9h 9d Kc 5s", 200),
}


def play(memory: MemoryHouse, sheet: str, cards: str) -> None:
    boxes = [{"box": 1, "ante": 500, "jackpot": 50, "cards": cards, "play": [{"do": "bet"}]}]
    finished = record(ruleset=sheet, boxes=boxes, dealer=DEALER)
    memory.do(partial(rounds.play_record, table="C1", record=finished), "term")


@pytest.fixture
def two_levels() -> MemoryHouse:
    memory = MemoryHouse()
    memory.do(lambda w: rulesets.publish(w, PublishRuleset(text=TWO_LEVELS), None), "ada", "admin")
    levels = [
        {"level": 1, "seed": 100_000, "increment_ppm": 145_000, "reserve_ppm": 20_000},
        {"level": 2, "seed": 5_000, "increment_ppm": 333_333, "limit": 5_100},
    ]
    proposal = msgspec.convert({"id": "main", "currency": "EUR", "levels": levels}, ProposeProgressive)
    asked = memory.do(lambda w: progressives.propose(w, proposal), "ada", "admin")
    yes = DecideApproval(decision="approve")
    memory.do(lambda w: approvals.decide(w, asked["approval"], yes), "finn", "finance")
    open_table(memory, "C1", "two-levels", progressive="main", chip=50, min=500)
    return memory


def test_each_prize_takes_its_share_of_its_own_level(two_levels: MemoryHouse) -> None:
    for name in ("four of a kind", "full house", "straight flush"):
        play(two_levels, "two-levels", HANDS[name][0])
    tenth, third, whole = two_levels.events(JackpotHit)
    # Level 1: 1 000.0725 after one stake; a tenth, rounded down, goes and the rest stands without a new seed.
    assert (tenth.level, tenth.meter_before_u, tenth.award) == (1, 100_007_250_000, 10_000)
    assert tenth.meter_after_u == tenth.meter_before_u - 10_000 * 1_000_000
    assert (tenth.reset_from_house_u, tenth.reset_from_reserve_u) == (0, 0)
    # Level 2: two stakes of 16.66665 on 50.00; 33 per cent is 1 660.999989, cut to 1 660.
    assert (third.level, third.meter_before_u, third.award) == (2, 5_033_333_300, 1_660)
    assert third.award == third.meter_before_u * 33 // 100 // 1_000_000
    assert (whole.level, whole.award) == (2, whole.meter_before_u // 1_000_000)
    assert whole.meter_after_u == 5_000 * 1_000_000 + whole.residue_u
    meters = two_levels.meters()["main"].levels
    assert all(level.imbalance_u() == 0 for level in meters.values())
    assert meters[1].reserve_u == 3 * 50 * 20_000, "another level's reset leaves this reserve alone"
    assert [hit.pending for hit in (tenth, third, whole)] == [True, True, True]


def test_what_passes_a_level_s_limit_overflows_on_that_level_alone(two_levels: MemoryHouse) -> None:
    for _ in range(8):
        play(two_levels, "two-levels", "9s 8d 6c 4h 2c")
    meters = two_levels.meters()["main"].levels
    assert (meters[2].display, meters[2].overflow_u) == (5_100, 8 * 50 * 333_333 - 100 * 1_000_000)
    assert (meters[1].overflow_u, meters[1].display_u) == (0, 100_000 * 1_000_000 + 8 * 50 * 145_000)


@pytest.mark.parametrize("source", ["house", "meter"])
def test_the_fixed_prizes_of_caribbean_ee(source: str) -> None:
    memory = house(SHEET)
    if source == "house":
        run_progressive(memory)
    else:
        level = {"level": 1, "seed": 1_000_000, "increment_ppm": 700_000, "reserve_ppm": 50_000}
        body: dict[str, Any] = {"id": "main", "currency": "EUR", "levels": [level], "fixed_prizes_from": "meter"}
        asked = memory.do(lambda w: progressives.propose(w, msgspec.convert(body, ProposeProgressive)), "ada", "admin")
        yes = DecideApproval(decision="approve")
        memory.do(lambda w: approvals.decide(w, asked["approval"], yes), "finn", "finance")
    open_table(memory, "C1", SHEET, progressive="main", chip=50, min=500)
    for cards, _ in HANDS.values():
        play(memory, SHEET, cards)
    won = memory.events(JackpotHit)
    assert [hit.award for hit in won] == [prize for _, prize in HANDS.values()]
    assert [paid.amount for paid in memory.events(JackpotPaid)] == [prize for _, prize in HANDS.values()]
    taken = sum(prize for _, prize in HANDS.values()) if source == "meter" else 0
    level_now = memory.meters()["main"].levels[1]
    assert level_now.display_u == (1_000_000 - taken) * 1_000_000 + 6 * 50 * 700_000
    assert level_now.imbalance_u() == 0
