"""A hit's paper: who showed it, who verified it, the slip of its payment, every print of a slip."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest

from domain.acts import hits, prints, slips
from domain.acts.hits import AlreadyShownError
from domain.commands import MoveChips, PayHit, PrintSlip, RejectHit, TakeHitStep
from domain.events.base import Chips
from domain.events.progressive import HitShown, HitStepTaken
from domain.events.slips import HandPaySlipIssued, SlipPrinted
from domain.prints import label
from tests.given.scenes import house, open_table, run_progressive
from tests.given.test_progressive_life import ROYALS, SHEET, do_hit, play, refusal, waiting
from tests.memory_house import MemoryHouse

AT = datetime(2026, 3, 14, 18, 30, tzinfo=UTC)
LATER = datetime(2026, 3, 14, 18, 31, tzinfo=UTC)
PRINT = PrintSlip()


@pytest.fixture
def memory() -> MemoryHouse:
    given = house(SHEET)
    run_progressive(given)
    open_table(given, "C1", SHEET, progressive="main", chip=50, min=50)
    return given


def show(memory: MemoryHouse, hit: str, **displays: datetime) -> Any:
    return memory.do(partial(hits.show, progressive_id="main", hit=hit, displays=displays), "sign", "display")


def step(memory: MemoryHouse, hit: str, name: str, actor: str = "sue", **said: str) -> Any:
    return do_hit(memory, hits.step, hit, TakeHitStep(step=name, **said), actor)  # type: ignore[arg-type]


def print_hit(memory: MemoryHouse, hit: str, actor: str) -> Any:
    return memory.do(lambda w: prints.print_hit(w, "main", hit, PRINT), actor, "cashier")


def test_the_first_word_of_a_display_stands(memory: MemoryHouse) -> None:
    hit = waiting(memory)
    show(memory, hit, north=AT, south=AT)
    assert show(memory, hit, north=LATER, west=LATER)["shown"] == {"north": AT, "west": LATER}
    with pytest.raises(AlreadyShownError) as again:
        show(memory, hit, north=LATER)
    assert again.value.shown == {"north": AT}
    said = [[one.display for one in event.displays] for event in memory.events(HitShown)]
    assert said == [["north", "south"], ["west"]]


def test_a_display_shows_only_a_hit_that_was(memory: MemoryHouse) -> None:
    hit = waiting(memory)
    assert refusal(lambda: show(memory, hit[:-3] + "2.1", north=AT)) == "unknown_hit"
    assert refusal(lambda: show(memory, "nothing", north=AT)) == "unknown_hit"


def test_a_display_may_show_a_prize_paid_at_once(memory: MemoryHouse) -> None:
    straight = play(memory, "9s 8d 7c 6h 5d")["round"]
    assert show(memory, f"{straight}.1.1", north=AT)["shown"] == {"north": AT}


def test_showing_a_hit_leaves_the_progressive_where_it_is(memory: MemoryHouse) -> None:
    hit = waiting(memory)
    before = memory.look()
    before.progressive("main")
    show(memory, hit, **{f"d{n}": AT for n in range(500)})
    after = memory.look()
    after.progressive("main")
    assert before.reads == after.reads, "no table's save can meet it"


def test_a_step_says_in_which_duty_it_was_taken(memory: MemoryHouse) -> None:
    step(memory, waiting(memory), "hand_verified")
    (taken,) = memory.events(HitStepTaken)
    assert (taken.role, taken.result) == ("supervisor", "passed")


def test_who_verified_the_hand_does_not_pay_it(memory: MemoryHouse) -> None:
    hit = waiting(memory)
    step(memory, hit, "hand_verified")
    assert refusal(lambda: do_hit(memory, hits.pay, hit, PayHit(), "sue")) == "same_person"


def test_a_failed_check_stops_payment_until_it_is_taken_again(memory: MemoryHouse) -> None:
    hit = waiting(memory)
    step(memory, hit, "deck_checked", result="failed", note="a card of another deck")
    assert refusal(lambda: do_hit(memory, hits.pay, hit, PayHit(), "carl")) == "check_failed"
    step(memory, hit, "deck_checked", "sam")
    assert do_hit(memory, hits.pay, hit, PayHit(), "carl")["amount"] == 1_000_035


def test_a_disputed_hit_is_not_paid_before_another_person_settles_it(memory: MemoryHouse) -> None:
    hit = waiting(memory)
    assert refusal(lambda: step(memory, hit, "dispute_settled", note="nothing to settle")) == "not_disputed"
    assert refusal(lambda: step(memory, hit, "disputed")) == "reason_required"
    step(memory, hit, "disputed", note="two players claim the box")
    assert refusal(lambda: step(memory, hit, "disputed", note="once more")) == "hit_disputed"
    assert refusal(lambda: do_hit(memory, hits.pay, hit, PayHit(), "carl")) == "hit_disputed"
    assert refusal(lambda: step(memory, hit, "dispute_settled", note="box 1 it is")) == "same_person"
    step(memory, hit, "dispute_settled", "mia", note="box 1, by the recording")
    do_hit(memory, hits.pay, hit, PayHit(), "carl")


def test_a_payment_has_a_slip_with_the_next_number_of_its_day(memory: MemoryHouse) -> None:
    first, second = waiting(memory), waiting(memory)
    paid = do_hit(memory, hits.pay, second, PayHit(instrument="cheque"), "carl")
    assert paid["slip"] == "hand_pay-2026-03-14-0001"
    do_hit(memory, hits.pay, first, PayHit(paid_by="tray"), "carl")
    issued = [(one.number, one.hit, one.instrument, one.amount) for one in memory.events(HandPaySlipIssued)]
    assert issued == [(1, second, "cheque", 1_000_035), (2, first, "chips", 1_000_035)]


def test_a_tray_pays_in_chips_only(memory: MemoryHouse) -> None:
    by_cheque = PayHit(paid_by="tray", instrument="cheque")
    assert refusal(lambda: do_hit(memory, hits.pay, waiting(memory), by_cheque, "carl")) == "bad_terms"


def test_the_first_print_is_the_original_and_every_later_one_a_numbered_reprint(memory: MemoryHouse) -> None:
    hit = waiting(memory)
    printed = [print_hit(memory, hit, who)["label"] for who in ("carl", "sue", "carl")]
    assert printed == ["ORIGINAL", "REPRINT 1", "REPRINT 2"]
    do_hit(memory, hits.reject, hit, RejectHit(reason="two cards were marked"), "mia")
    assert print_hit(memory, hit, "carl")["number"] == 4, "whatever has become of the hit"


def test_fills_credits_and_hand_pays_are_printed_by_their_own_number(memory: MemoryHouse) -> None:
    hit = waiting(memory)
    paid = do_hit(memory, hits.pay, hit, PayHit(), "carl")["slip"]
    fill = memory.do(partial(slips.request_fill, table="C1", command=MoveChips(chips=(Chips(100, 5),))))["slip"]
    for slip, kind in ((paid, "hand_pay"), (fill, "fill")):
        for number in (1, 2):
            answer = memory.do(lambda w, s=slip: prints.print_slip(w, s, PRINT), "carl", "cashier")  # type: ignore[misc]
            assert (answer["kind"], answer["number"], answer["label"]) == (kind, number, label(number))
    assert [(one.slip, one.number) for one in memory.events(SlipPrinted)] == [
        (paid, 1),
        (paid, 2),
        (fill, 1),
        (fill, 2),
    ]


@pytest.mark.parametrize("slip", ["fill-2026-03-14-0009", "hand_pay-2026-03-14-0001", "jackpot-1", "x/../y"])
def test_what_is_no_slip_is_not_printed(memory: MemoryHouse, slip: str) -> None:
    assert refusal(lambda: memory.do(lambda w: prints.print_slip(w, slip, PRINT), "carl", "cashier")) == "unknown_slip"


def test_what_was_no_hit_has_no_slip(memory: MemoryHouse) -> None:
    play(memory, *ROYALS)
    assert refusal(lambda: print_hit(memory, "C1-2026-03-14-1-9.1.1", "carl")) == "unknown_hit"
