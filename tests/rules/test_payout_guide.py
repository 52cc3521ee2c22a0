"""Clause L's cutting rules and the breakdown of payouts into chips."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.events.base import Chips, chips_total
from domain.payout_guide import Stacks, break_down, colour_guide, guide, stacks
from domain.ruleset.roulette import Cutting

L = Cutting(clause="L.cutting", stack=20, rides_on_one=5, rides_on_more=12, cut_from=14)


def test_75_chips_are_three_full_stacks_and_a_fourth_with_five_cut():
    assert stacks(75, L) == Stacks(chips=75, full=3, own=15, cut=5)
    assert stacks(75, L).stacks == 4


def test_52_chips_are_two_stacks_with_twelve_on_top():
    assert stacks(52, L) == Stacks(chips=52, full=2, rides=12)


@pytest.mark.parametrize("rest", range(1, 20))
def test_the_remainder_on_one_stack(rest):
    made = stacks(20 + rest, L)
    if rest <= 5:
        assert (made.full, made.rides, made.own) == (1, rest, 0)
    else:
        assert (made.full, made.rides, made.own) == (1, 0, rest)


@pytest.mark.parametrize("full", [2, 3, 10])
@pytest.mark.parametrize("rest", range(1, 20))
def test_the_remainder_from_two_stacks_up(full, rest):
    made = stacks(20 * full + rest, L)
    if rest <= 12:
        assert (made.full, made.rides, made.own, made.cut) == (full, rest, 0, 0)
    elif rest == 13:
        assert (made.full, made.rides, made.own, made.cut) == (full, 0, 13, 0)
    else:
        assert (made.full, made.rides, made.own, made.cut) == (full, 0, rest, 20 - rest)


def test_less_than_a_stack_stands_alone():
    assert stacks(0, L) == Stacks(0, 0)
    assert stacks(4, L) == Stacks(4, 0, own=4)
    assert stacks(19, L) == Stacks(19, 0, own=19, cut=1)


@given(st.integers(0, 2000))
def test_every_chip_is_in_exactly_one_place(chips):
    made = stacks(chips, L)
    assert 20 * made.full + made.rides + made.own == chips
    assert made.cut in (0, 20 - made.own)
    assert not (made.rides and made.own)


@given(st.integers(0, 2000))
def test_cash_is_never_cut_from_a_stack(chips):
    made = stacks(chips, L, "cash")
    assert made.cut == 0
    assert (made.full, made.rides, made.own) == (stacks(chips, L).full, stacks(chips, L).rides, stacks(chips, L).own)


def test_a_payout_goes_in_the_highest_chips_first():
    assert break_down(3_890, [5, 25, 100, 500, 1000]) == (
        Chips(1000, 3),
        Chips(500, 1),
        Chips(100, 3),
        Chips(25, 3),
        Chips(5, 3),
    )


def test_a_high_chip_is_given_up_where_greed_leads_nowhere():
    assert break_down(30, [25, 10]) == (Chips(10, 3),)
    assert break_down(130, [100, 25, 10]) == (Chips(100, 1), Chips(10, 3))


@pytest.mark.parametrize(("amount", "values"), [(7, [5]), (-5, [5]), (5, [0, 5]), (5, []), (1_000_000_007, [10, 5])])
def test_what_cannot_be_made_is_refused(amount, values):
    with pytest.raises(ValueError, match=r"denominations|cannot be made"):
        break_down(amount, values)


def test_nothing_takes_no_chips():
    assert break_down(0, [5]) == ()
    assert break_down(0, []) == ()


@given(st.integers(0, 100_000), st.sets(st.sampled_from([1, 5, 25, 100, 500, 2500]), min_size=1))
def test_a_breakdown_is_worth_the_amount(amount, values):
    if amount % min(values):
        with pytest.raises(ValueError, match="cannot be made"):
            break_down(amount, values)
        return
    made = break_down(amount, values)
    assert chips_total(made) == amount
    # These values divide each other, so no denomination could be exchanged for a higher one that is at hand.
    higher = sorted(values, reverse=True)
    for chips in made:
        above = [v for v in higher if v > chips.denomination]
        assert not above or chips.denomination * chips.count < min(above)


def test_the_guide_gives_each_value_its_stacks():
    lines = guide(17_500, [500, 100], L)
    assert [(line.denomination, line.chips) for line in lines] == [(500, 35)]
    assert lines[0].stacks == Stacks(35, 1, own=15)


def test_a_colour_player_is_paid_in_colour_and_the_rest_in_cash():
    colour, cash = colour_guide(37_550, 500, [50, 100], L)
    assert colour == Stacks(75, 3, own=15, cut=5)
    assert [(line.denomination, line.chips) for line in cash] == [(50, 1)]
    with pytest.raises(ValueError, match="colour chip"):
        colour_guide(100, 0, [50], L)


def test_the_guide_speaks_like_a_dealer():
    assert stacks(75, L).text() == "3 full stacks, 15 in a stack of their own: cut 5 off a full one"
    assert stacks(52, L).text() == "2 full stacks, 12 on top"
    assert stacks(33, L).text() == "1 full stack, 13 in a stack of their own: counted out"
    assert stacks(0, L).text() == "nothing"
