"""What the law lets a progressive be: odds, links, levels and seeds, its voluntary end, the account of the money."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Any

import pytest

from domain.acts import approvals, money_rules, progressive_changes, progressive_stops, progressives, rulesets
from domain.commands import (
    AnnounceStop,
    ChangeTerms,
    DecideApproval,
    ProposeProgressive,
    ProposeRules,
    PublishRuleset,
    RegisterOrphans,
    RetireProgressive,
    StartProgressive,
    TransferFunds,
)
from domain.edge.jackpot import ALL, Share, shares
from domain.events.progressive import GameLinked, LevelTerms, ProgressiveOpened, ProgressiveOrphaned
from domain.events.rules import ProgressiveLimits, SeedCap
from domain.ruleset import shipped
from tests.given.scenes import house, open_table, run_progressive
from tests.given.test_progressive_life import SHEET, WHY, change, level, play, refusal, stop
from tests.memory_house import MemoryHouse

FRENCH = ProgressiveLimits(most_levels=3, stop_after_months=3, stop_notice_days=8)
TODAY = "2026-03-14"


def open_here(memory: MemoryHouse, table: str, sheet: str = SHEET, progressive: str = "main") -> None:
    open_table(memory, table, sheet, progressive=progressive, chip=50, min=50)


def rules(memory: MemoryHouse, limits: ProgressiveLimits) -> None:
    propose = ProposeRules(valid_from="2026-01-01", progressives=limits, reason="the law of the country")
    asked = memory.do(lambda w: money_rules.propose(w, propose), "ada", "admin")
    memory.do(lambda w: approvals.decide(w, asked["approval"], DecideApproval(decision="approve")), "finn", "finance")


def publish(memory: MemoryHouse, name: str, *changes: tuple[str, str]) -> None:
    text = shipped(SHEET).text.replace(f'id = "{SHEET}"', f'id = "{name}"')
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    memory.do(lambda w: rulesets.publish(w, PublishRuleset(text=text), None), "ada", "admin")


@pytest.fixture
def memory() -> MemoryHouse:
    given = house(SHEET)
    run_progressive(given)
    return given


def announce(memory: MemoryHouse, day: str) -> Any:
    command = AnnounceStop(stops_on=day, reason=WHY)
    return memory.do(lambda w: progressive_stops.announce(w, "main", command), "ada", "admin")


def register(memory: MemoryHouse) -> Any:
    return change(memory, progressive_changes.register_orphans, RegisterOrphans(reason=WHY))


# P8: the odds of every share are exact, and no longer than the rules allow


def test_the_odds_of_a_royal_flush_are_649739_to_1() -> None:
    (royal,) = shares(shipped(SHEET))
    assert royal == Share(1, "royal flush", 1_000_000, 4)
    assert (ALL, royal.odds) == (2_598_960, "649,739 to 1")
    assert not royal.is_longer_than(649_739)
    assert royal.is_longer_than(649_738)


def test_a_sheet_whose_odds_are_too_long_opens_on_no_progressive(memory: MemoryHouse) -> None:
    rules(memory, ProgressiveLimits(longest_odds=649_738))
    assert refusal(lambda: open_here(memory, "C1")) == "odds_too_long"
    open_table(memory, "C1", SHEET, chip=50, min=50)
    rules(memory, ProgressiveLimits(longest_odds=649_739))
    open_here(memory, "C2")


# P12: linked games win a shared level by the same hand, as probably


def test_games_that_win_a_level_alike_share_it(memory: MemoryHouse) -> None:
    publish(memory, "alike", ("stake = 50", "stake = 100"))
    open_here(memory, "C1")
    open_here(memory, "C2", "alike")
    open_here(memory, "C3")
    assert [one.ruleset for one in memory.events(GameLinked)] == [SHEET, "alike"], "a sheet is linked once"


def test_a_game_that_wins_the_level_by_another_hand_is_refused(memory: MemoryHouse) -> None:
    own_line = '"straight flush" = { clause = "C.jackpot", sum = 125_000 }'
    tenth = '"straight flush" = { clause = "C.jackpot", percent = 10 }'
    publish(memory, "tenth", (own_line, tenth))
    open_here(memory, "C1")
    assert refusal(lambda: open_here(memory, "C2", "tenth")) == "other_odds"
    run_progressive(memory, "second")
    open_here(memory, "C2", "tenth", "second")
    assert refusal(lambda: open_here(memory, "C3", SHEET, "second")) == "other_odds"


def test_a_hand_without_a_line_of_its_own_makes_the_share_more_probable(memory: MemoryHouse) -> None:
    """Four of a kind for the meter, and no line above it: straight and royal flush win it as well."""
    publish(
        memory,
        "fours",
        ('"royal flush" = { clause = "C.jackpot-meter", percent = 100 }\n', ""),
        ('"straight flush" = { clause = "C.jackpot", sum = 125_000 }\n', ""),
        (
            '"four of a kind" = { clause = "C.jackpot", sum = 25_000 }',
            '"four of a kind" = { clause = "C.jackpot", percent = 100 }',
        ),
    )
    open_here(memory, "C1", "fours")
    (linked,) = memory.events(GameLinked)
    assert [(one.hand, one.hands) for one in linked.shares] == [("four of a kind", 624 + 36 + 4)]
    assert refusal(lambda: open_here(memory, "C2")) == "other_odds"


# P14: where the players' money is kept


def test_the_account_of_the_players_money_stands_in_the_opening() -> None:
    memory = house(SHEET)
    levels = (LevelTerms(1, 1_000_000, 700_000),)
    proposal = ProposeProgressive(id="main", currency="EUR", levels=levels, account="EE38 2200 2210 2014 5685")
    asked = memory.do(lambda w: progressives.propose(w, proposal), "ada", "admin")
    memory.do(lambda w: approvals.decide(w, asked["approval"], DecideApproval(decision="approve")), "finn", "finance")
    assert [one.account for one in memory.events(ProgressiveOpened)] == ["EE38 2200 2210 2014 5685"]


# P18: an excess is stored in a stopped progressive and goes into the next


def test_an_excess_waits_in_a_stopped_progressive_for_the_next(memory: MemoryHouse) -> None:
    run_progressive(memory, "store", seed=0, increment_ppm=0, reserve_ppm=0)
    stop(memory, "store")
    open_here(memory, "C1")
    play(memory, "9s 8d 6c 4h 2c")
    stop(memory)
    change(memory, progressive_changes.transfer, TransferFunds(level=1, to="store", reason=WHY))
    assert level(memory, "store").display == 1_000_035
    run_progressive(memory, "next", seed=0)
    move = TransferFunds(level=1, to="next", reason=WHY)
    change(memory, progressive_changes.transfer, move, "store")
    assert (level(memory, "store").held_u, level(memory, "next").display) == (0, 1_000_035)


# P19: a voluntary stop after its time and its notice; the rest is an orphan until it is recovered


def test_a_stop_waits_for_three_months_of_play_and_eight_days_of_notice(memory: MemoryHouse) -> None:
    rules(memory, FRENCH)
    assert refusal(lambda: announce(memory, "2026-06-13")) == "notice_too_short"
    announce(memory, "2026-06-14")
    memory.now += dt.timedelta(days=100)
    assert refusal(lambda: announce(memory, "2026-06-29")) == "notice_too_short"
    assert announce(memory, "2026-06-30")["stops_on"] == "2026-06-30"


def test_orphans_are_registered_when_the_announced_day_has_come(memory: MemoryHouse) -> None:
    rules(memory, FRENCH)
    open_here(memory, "C1")
    play(memory, "9s 8d 6c 4h 2c")
    assert refusal(lambda: register(memory)) == "progressive_running"
    stop(memory)
    assert refusal(lambda: register(memory)) == "notice_too_short"
    announce(memory, "2026-06-14")
    assert refusal(lambda: register(memory)) == "notice_too_short"
    assert refusal(lambda: change(memory, progressive_changes.retire, RetireProgressive(reason=WHY))) == (
        "notice_too_short"
    )
    memory.now += dt.timedelta(days=92)
    register(memory)
    (entry,) = memory.events(ProgressiveOrphaned)
    assert [(one.level, one.increment_u, one.base_u) for one in entry.levels] == [(1, 37_500_000, 1_000_000_000_000)]
    assert entry.recoverable_until == "2026-10-31"
    assert level(memory).display == 1_000_035, "an entry moves nothing"


def test_an_orphan_is_recovered_until_its_last_day_and_not_after(memory: MemoryHouse) -> None:
    run_progressive(memory, "next", seed=0)
    rules(memory, FRENCH)
    stop(memory)
    announce(memory, "2026-06-14")
    memory.now += dt.timedelta(days=92)
    register(memory)
    move = TransferFunds(level=1, to="next", reason=WHY)
    memory.now = memory.now.replace(month=11, day=1)
    assert refusal(lambda: change(memory, progressive_changes.transfer, move)) == "orphans_lapsed"
    memory.now = memory.now.replace(month=10, day=31)
    change(memory, progressive_changes.transfer, move)
    change(memory, progressive_changes.retire, RetireProgressive(reason=WHY))


def test_a_progressive_that_starts_again_has_no_orphans(memory: MemoryHouse) -> None:
    stop(memory)
    register(memory)
    memory.do(lambda w: progressive_changes.start(w, "main", StartProgressive()), "sue")
    stop(memory)
    memory.now = memory.now.replace(year=2028)
    run_progressive(memory, "next", seed=0)
    change(memory, progressive_changes.transfer, TransferFunds(level=1, to="next", reason=WHY))


def test_where_the_rules_ask_for_no_notice_none_is_needed(memory: MemoryHouse) -> None:
    assert announce(memory, TODAY)["stops_on"] == TODAY
    assert refusal(lambda: announce(memory, "2026-13-40")) == "bad_terms"


# P21: most levels, and most of a seed


@pytest.mark.parametrize(
    ("limits", "levels", "code"),
    [
        (ProgressiveLimits(most_levels=1), 2, "bad_terms"),
        (ProgressiveLimits(seed_caps=(SeedCap("EUR", 2, 499),)), 2, "bad_terms"),
        (ProgressiveLimits(most_levels=2, seed_caps=(SeedCap("EUR", 2, 500), SeedCap("USD", 1, 1))), 2, None),
    ],
)
def test_levels_and_seeds_stay_within_the_rules(
    memory: MemoryHouse, limits: ProgressiveLimits, levels: int, code: str | None
) -> None:
    rules(memory, limits)
    terms = tuple(LevelTerms(n, 500, 1_000) for n in range(1, levels + 1))
    proposal = ProposeProgressive(id="new", currency="EUR", levels=terms)
    stop(memory)
    changed = ChangeTerms(levels=terms, reason=WHY)
    for act in (
        lambda w: progressives.propose(w, proposal),
        partial(progressive_changes.change_terms, progressive_id="main", command=changed),
    ):
        if code is None:
            memory.do(act, "ada", "admin")
        else:
            assert refusal(lambda a=act: memory.do(a, "ada", "admin")) == code  # type: ignore[misc]


@pytest.mark.parametrize(
    "limits",
    [
        ProgressiveLimits(longest_odds=0),
        ProgressiveLimits(most_levels=0),
        ProgressiveLimits(stop_notice_days=-1),
        ProgressiveLimits(stop_after_months=5_000),
        ProgressiveLimits(orphans_until="02-30"),
        ProgressiveLimits(seed_caps=(SeedCap("XXX", 1, 1),)),
    ],
)
def test_limits_that_contradict_themselves_are_refused(memory: MemoryHouse, limits: ProgressiveLimits) -> None:
    assert refusal(lambda: rules(memory, limits)) == "bad_rules"
