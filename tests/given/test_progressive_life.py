"""A progressive from proposal to retirement, and a hit from claim to payment or rejection (requirements P1-P30)."""

from functools import partial
from typing import Any

import pytest

from domain.acts import approvals, hits, progressive_changes, progressives, rounds
from domain.commands import (
    AdjustMeter,
    ChangeTerms,
    DecideApproval,
    ImposeLimit,
    PayHit,
    ProposeProgressive,
    RejectHit,
    RetireProgressive,
    StartProgressive,
    StopProgressive,
    TakeHitStep,
    TransferFunds,
)
from domain.events.jackpot import JackpotHit
from domain.events.progressive import LevelTerms
from domain.postings import JACKPOT_LIABILITY, legs
from domain.refusals import Refusal
from tests.given.scenes import house, open_table, record, run_progressive
from tests.memory_house import MemoryHouse

SHEET = "caribbean-ee-ak"
DEALER = {"cards": "2h 4c 8c 7s 3h"}
ROYALS = ("As Ks Qs Js Ts", "Ad Kd Qd Jd Td")
WHY = "as the law allows"
YES = DecideApproval(decision="approve")


@pytest.fixture
def memory() -> MemoryHouse:
    given = house(SHEET)
    run_progressive(given)
    open_table(given, "C1", SHEET, progressive="main", chip=50, min=50)
    return given


def play(memory: MemoryHouse, *hands: str, table: str = "C1") -> Any:
    boxes = [
        {"box": n, "ante": 100, "jackpot": 50, "cards": cards, "play": [{"do": "bet"}]}
        for n, cards in enumerate(hands, 1)
    ]
    finished = record(ruleset=SHEET, boxes=boxes, dealer=DEALER)
    return memory.do(partial(rounds.play_record, table=table, record=finished), "term")


def change(memory: MemoryHouse, act: Any, command: Any, progressive: str = "main") -> Any:
    asked = memory.do(partial(act, progressive_id=progressive, command=command), "ada", "admin")
    return memory.do(lambda w: approvals.decide(w, asked["approval"], YES), "finn", "finance")


def stop(memory: MemoryHouse, progressive: str = "main") -> None:
    halt = StopProgressive(reason="before a change")
    memory.do(partial(progressive_changes.stop, progressive_id=progressive, command=halt), "sue")


def level(memory: MemoryHouse, progressive: str = "main") -> Any:
    found = memory.meters()[progressive].levels[1]
    assert found.imbalance_u() == 0
    return found


def refusal(do: Any) -> str:
    with pytest.raises(Refusal) as refused:
        do()
    return refused.value.code


def liability_u(memory: MemoryHouse) -> int:
    return -sum(amount for _, event in memory.log for account, amount in legs(event) if account == JACKPOT_LIABILITY)


def test_liability_is_700_after_1000_stakes_of_1_at_70_percent_over_a_seed_of_10000() -> None:
    given = house(SHEET)
    run_progressive(given, reserve_ppm=0)
    open_table(given, "C1", SHEET, progressive="main", chip=50, min=50)
    for _ in range(500):  # four boxes at 0.50 a round: 1,000.00 in all
        play(given, "9s 8d 6c 4h 2c", "9d 8h 6s 5c 2d", "Th 9c 6d 5s 3c", "Jh Tc 7d 5h 3d")
    assert level(given).display == 1_000_000 + 70_000
    assert liability_u(given) == 70_000 * 1_000_000


def test_a_hit_uses_700_of_liability_and_10000_of_base_expense() -> None:
    given = house(SHEET)
    run_progressive(given, reserve_ppm=0)
    open_table(given, "C1", SHEET, progressive="main", chip=50, min=50)
    play(given, ROYALS[0])
    hit = given.events(JackpotHit)[0]
    assert (hit.award, hit.base_u) == (1_000_035, 1_000_000 * 1_000_000)
    assert liability_u(given) == 0


def test_increments_of_14_5_percent_on_half_a_euro_lose_no_cent() -> None:
    given = house(SHEET)
    run_progressive(given, seed=0, increment_ppm=145_000, reserve_ppm=0)
    open_table(given, "C1", SHEET, progressive="main", chip=50, min=50)
    for _ in range(4):
        play(given, "9s 8d 6c 4h 2c")
    assert level(given).display_u == 29_000_000  # 0.2900 where rounding each bet would show 0.28


def test_the_seed_comes_from_the_reserve_first_and_the_house_second(memory: MemoryHouse) -> None:
    play(memory, "9s 8d 6c 4h 2c")
    play(memory, ROYALS[0])
    hit = memory.events(JackpotHit)[0]
    assert hit.reset_from_reserve_u == 2 * 50 * 50_000
    assert hit.reset_from_reserve_u + hit.reset_from_house_u == 1_000_000 * 1_000_000
    assert level(memory).reserve_u == 0


def test_winners_of_one_deal_take_the_meter_in_box_order(memory: MemoryHouse) -> None:
    play(memory, *ROYALS)
    assert [hit.award for hit in memory.events(JackpotHit)] == [1_000_070, 1_000_000]


def test_winners_of_one_deal_share_equally_where_the_progressive_says_so() -> None:
    given = house(SHEET)
    proposal = ProposeProgressive(id="main", currency="EUR", levels=(LevelTerms(1, 1_000_001, 0),), same_deal="shared")
    asked = given.do(lambda w: progressives.propose(w, proposal), "ada")
    given.do(lambda w: approvals.decide(w, asked["approval"], YES), "finn", "finance")
    open_table(given, "C1", SHEET, progressive="main", chip=50, min=50)
    play(given, *ROYALS)
    won = given.events(JackpotHit)
    assert [(hit.award, hit.winner, hit.winners) for hit in won] == [(500_000, 1, 2), (500_000, 2, 2)]
    assert level(given).display == 1_000_001 + 1  # the new seed, and the unit that two cannot share


def test_what_would_pass_the_limit_goes_to_the_overflow(memory: MemoryHouse) -> None:
    change(memory, progressive_changes.impose_limit, ImposeLimit(level=1, limit=1_000_050, reason=WHY))
    play(memory, "9s 8d 6c 4h 2c")
    play(memory, "9s 8d 6c 4h 2c")
    assert (level(memory).display, level(memory).overflow_u) == (1_000_050, 20 * 1_000_000)


def test_a_limit_lies_at_or_above_the_meter(memory: MemoryHouse) -> None:
    low = ImposeLimit(level=1, limit=999_999, reason=WHY)
    act = partial(progressive_changes.impose_limit, progressive_id="main", command=low)
    assert refusal(lambda: memory.do(act, "ada")) == "limit_below_meter"


def test_parameters_change_only_while_it_is_stopped(memory: MemoryHouse) -> None:
    terms = ChangeTerms(levels=(LevelTerms(1, 2_000_000, 500_000),), reason=WHY)
    assert refusal(lambda: change(memory, progressive_changes.change_terms, terms)) == "progressive_running"
    stop(memory)
    change(memory, progressive_changes.change_terms, terms)
    assert refusal(lambda: play(memory, "9s 8d 6c 4h 2c")) == "progressive_stopped"
    memory.do(lambda w: progressive_changes.start(w, "main", StartProgressive()), "sue")
    play(memory, "9s 8d 6c 4h 2c")
    assert level(memory).display == 1_000_025


@pytest.mark.parametrize(
    ("balance", "amount_u", "cause", "code"),
    [
        ("display", "1000000", "seed_recovery", "direction_not_allowed"),
        ("display", "-1000000", "house_gift", "direction_not_allowed"),
        ("display", "-1000000", "above_limit", "direction_not_allowed"),
        ("reserve", "-1000000", "malfunction", "balance_short"),
    ],
)
def test_a_meter_moves_by_hand_only_as_the_law_allows(
    memory: MemoryHouse, balance: Any, amount_u: str, cause: Any, code: str
) -> None:
    command = AdjustMeter(level=1, balance=balance, amount_u=amount_u, cause=cause, reason=WHY)
    act = partial(progressive_changes.adjust, progressive_id="main", command=command)
    assert refusal(lambda: memory.do(act, "ada")) == code


def test_an_adjustment_is_kept_with_its_balance_before_and_after(memory: MemoryHouse) -> None:
    command = AdjustMeter(level=1, balance="display", amount_u="-2500000", cause="malfunction", reason=WHY)
    change(memory, progressive_changes.adjust, command)
    assert (level(memory).display, level(memory).adjusted_u) == (999_997, -2_500_000)


def test_nobody_approves_their_own_change(memory: MemoryHouse) -> None:
    command = ImposeLimit(level=1, limit=2_000_000, reason=WHY)
    act = partial(progressive_changes.impose_limit, progressive_id="main", command=command)
    asked = memory.do(act, "ada")
    decide = partial(approvals.decide, approval=asked["approval"], command=YES)
    assert refusal(lambda: memory.do(decide, "ada", "finance")) == "same_person"
    assert refusal(lambda: memory.do(decide, "finn", "supervisor")) == "role_required"


def test_funds_move_to_another_progressive_and_the_empty_one_retires(memory: MemoryHouse) -> None:
    run_progressive(memory, "next", seed=0)
    play(memory, "9s 8d 6c 4h 2c")
    retire = RetireProgressive(reason=WHY)
    stop(memory)
    assert refusal(lambda: change(memory, progressive_changes.retire, retire)) == "funds_left"
    before = liability_u(memory)
    change(memory, progressive_changes.transfer, TransferFunds(level=1, to="next", reason=WHY))
    assert level(memory, "next").display == 1_000_035
    assert liability_u(memory) == before
    assert level(memory).held_u == 0
    change(memory, progressive_changes.retire, retire)
    assert refusal(lambda: stop(memory)) == "unknown_progressive"


def waiting(memory: MemoryHouse) -> str:
    return f"{play(memory, ROYALS[0])['round']}.1.1"


def do_hit(memory: MemoryHouse, act: Any, hit: str, command: Any, actor: str) -> Any:
    return memory.do(partial(act, progressive_id="main", hit=hit, command=command), actor)


def test_a_hit_is_verified_step_by_step_and_paid_once(memory: MemoryHouse) -> None:
    hit = waiting(memory)
    for step, actor in (("hand_verified", "sue"), ("deck_checked", "sam"), ("surveillance_confirmed", "ida")):
        do_hit(memory, hits.step, hit, TakeHitStep(step=step), actor)  # type: ignore[arg-type]
    again = TakeHitStep(step="deck_checked")
    assert refusal(lambda: do_hit(memory, hits.step, hit, again, "sam")) == "step_taken"
    assert do_hit(memory, hits.pay, hit, PayHit(), "carl")["amount"] == 1_000_035
    assert refusal(lambda: do_hit(memory, hits.pay, hit, PayHit(), "carl")) == "already_paid"
    assert refusal(lambda: do_hit(memory, hits.reject, hit, RejectHit(reason=WHY), "mia")) == "already_paid"


def test_the_other_tables_keep_playing_for_the_new_meter(memory: MemoryHouse) -> None:
    open_table(memory, "C2", SHEET, progressive="main", chip=50, min=50)
    waiting(memory)
    play(memory, "9s 8d 6c 4h 2c", table="C2")
    assert level(memory).display == 1_000_000 + 35


def test_a_rejected_hit_puts_its_meter_back(memory: MemoryHouse) -> None:
    play(memory, "9s 8d 6c 4h 2c")
    hit = waiting(memory)
    play(memory, "9s 8d 6c 4h 2c")
    do_hit(memory, hits.reject, hit, RejectHit(reason="two cards were marked"), "mia")
    back = level(memory)
    assert (back.display, back.reserve_u, back.hits, back.wins) == (1_000_105, 3 * 50 * 50_000, 0, 0)
    assert back.base_u == 1_000_000 * 1_000_000
    assert liability_u(memory) == 3 * 50 * 750_000
    assert refusal(lambda: do_hit(memory, hits.pay, hit, PayHit(), "carl")) == "hit_rejected"


def test_who_verified_a_hit_may_not_reject_it(memory: MemoryHouse) -> None:
    hit = waiting(memory)
    do_hit(memory, hits.step, hit, TakeHitStep(step="hand_verified"), "sue")
    assert refusal(lambda: do_hit(memory, hits.reject, hit, RejectHit(reason=WHY), "sue")) == "same_person"
