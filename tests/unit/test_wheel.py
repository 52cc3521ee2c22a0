"""The wheel: the sheet's order, its colours, and stretches of it."""

import pytest

from domain.engine.roulette.wheel import Wheel, alternates
from domain.ruleset import shipped

RULES = shipped("roulette-ua").rules
WHEEL = Wheel(RULES.wheel.order, frozenset(RULES.wheel.red))

# As the sheet of seed 003 prints its three sectors, each in the order of the wheel.
VOISINS = (22, 18, 29, 7, 28, 12, 35, 3, 26, 0, 32, 15, 19, 4, 21, 2, 25)
TIERS = (27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33)


def test_the_order_holds_every_number_once():
    assert sorted(WHEEL.order) == list(range(37))


def test_the_sheets_sectors_lie_together_in_its_order():
    doubled = WHEEL.order * 2
    for sector in (VOISINS, TIERS, (17, 34, 6), (1, 20, 14, 31, 9)):
        at = doubled.index(sector[0])
        assert doubled[at : at + len(sector)] == sector


def test_the_sheets_colours_right_and_left_of_zero():
    right, left = WHEEL.order[1:19], WHEEL.order[19:]
    assert {right[0], right[-1]} == {32, 10}
    assert {left[0], left[-1]} == {5, 26}
    assert {n for n in right if n not in WHEEL.red} == {17, 15, 13, 11, 10, 8, 6, 4, 2}
    assert {n for n in right if n in WHEEL.red} == {36, 34, 32, 30, 27, 25, 23, 21, 19}
    assert all(n > 18 for n in left if n not in WHEEL.red)
    assert all(n <= 18 for n in left if n in WHEEL.red)


def test_red_and_black_take_turns():
    assert alternates(WHEEL.order, WHEEL.red)
    assert not alternates(WHEEL.order, frozenset(range(1, 19)))
    assert alternates(WHEEL.order[7:] + WHEEL.order[:7], WHEEL.red), "wherever the sheet begins"
    assert len(WHEEL.red) == len(WHEEL.black) == 18
    assert 0 not in WHEEL.red | WHEEL.black


def test_red_on_the_layout():
    assert {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36} == WHEEL.red


def test_neighbours_reach_round_the_wheel():
    assert WHEEL.neighbours(17, 2) == (2, 25, 17, 34, 6)
    assert WHEEL.neighbours(0, 1) == (26, 0, 32)
    assert WHEEL.neighbours(26, 2) == (35, 3, 26, 0, 32)
    assert WHEEL.neighbours(5, 0) == (5,)


@pytest.mark.parametrize("number", range(37))
@pytest.mark.parametrize("each_side", range(19))
def test_neighbours_are_an_odd_stretch_centred_on_the_number(number, each_side):
    stretch = WHEEL.neighbours(number, each_side)
    assert len(stretch) == len(set(stretch)) == 2 * each_side + 1
    assert stretch[each_side] == number


def test_no_stretch_meets_itself():
    with pytest.raises(ValueError, match="more than the wheel holds"):
        WHEEL.neighbours(0, 19)
