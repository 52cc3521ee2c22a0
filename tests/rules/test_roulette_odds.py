"""Clause L, odds and zero: every bet of the layout on every number of the wheel."""

from fractions import Fraction

import pytest

from domain.engine.limits import Limits
from domain.engine.roulette.stakes import outcome, place, sign
from domain.ruleset import shipped

BOOK = shipped("roulette-ua").play
SIGN = sign(Limits(chip=2, min=2))
PLAIN = {name: wager for name, wager in ((w.on, w) for w in BOOK.wagers()) if not wager.announced}
ODDS = {
    "straight": (1, 35), "split": (2, 17), "street": (3, 11), "corner": (4, 8), "line": (6, 5),
    "dozen": (12, 2), "column": (12, 2),
    "low": (18, 1), "high": (18, 1), "odd": (18, 1), "even": (18, 1), "red": (18, 1), "black": (18, 1),
}  # fmt: skip


def over_the_wheel(on, stake=2):
    """What a stake on each number in turn costs the player, by kind of end: (taken, returned, paid) for each number."""
    plain = {"amount": stake, "unit": None} if not BOOK.find(on).announced else {"amount": None, "unit": stake}
    placed = place(BOOK, SIGN, 1, on, late=False, **plain)
    return [outcome(placed, SIGN, number) for number in range(37)]


def test_the_layout_has_the_bets_of_a_single_zero_table():
    counts = {kind: sum(w.kind == kind for w in PLAIN.values()) for kind in ODDS}
    assert counts == {
        "straight": 37, "split": 60, "street": 14, "corner": 23, "line": 11, "dozen": 3, "column": 3,
        "low": 1, "high": 1, "odd": 1, "even": 1, "red": 1, "black": 1,
    }  # fmt: skip


@pytest.mark.parametrize("on", PLAIN)
def test_every_bet_wins_on_its_numbers_at_its_odds_and_loses_on_the_others(on):
    covers, odds = ODDS[PLAIN[on].kind]
    ((spot, units, _),) = PLAIN[on].spots
    assert (len(spot.numbers), units) == (covers, 1)
    for number, result in enumerate(over_the_wheel(on)):
        if number in spot.numbers:
            assert result == (0, 2, 0, 2 * odds)
        elif number == 0 and covers == 18:
            assert result == (0, 1, 1, 0), "half taken, half returned"
        else:
            assert result == (0, 0, 2, 0)


@pytest.mark.parametrize("on", PLAIN)
def test_the_expectation_of_every_bet_is_exact(on):
    results = over_the_wheel(on)
    edge = Fraction(sum(r.lost - r.paid for r in results), 2 * 37)
    assert edge == (
        Fraction(1, 74) if PLAIN[on].kind in ("low", "high", "odd", "even", "red", "black") else Fraction(1, 37)
    )


@pytest.mark.parametrize("on", ["voisins", "tiers", "orphelins", "neighbours 17 2", "neighbours 0 18"])
def test_announced_bets_have_the_expectation_of_their_chips(on):
    results = over_the_wheel(on, stake=10)
    staked = 10 * BOOK.find(on).units
    assert Fraction(sum(r.lost - r.paid for r in results), 37 * staked) == Fraction(1, 37)
    assert all(r.back + r.lost == staked for r in results)


def numbers(on):
    return {n for spot, _, _ in BOOK.find(on).spots for n in spot.numbers}


def test_what_the_words_cover():
    assert numbers("street 0-1-2") == {0, 1, 2}
    assert numbers("street 0-2-3") == {0, 2, 3}
    assert numbers("corner 0-1-2-3") == {0, 1, 2, 3}
    assert numbers("corner 25-26-28-29") == {25, 26, 28, 29}
    assert numbers("line 31-36") == set(range(31, 37))
    assert numbers("dozen 3") == set(range(25, 37))
    assert numbers("column 1") == {1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34}
    assert numbers("low") == set(range(1, 19))
    assert numbers("odd") == set(range(1, 37, 2))
    assert numbers("red") | numbers("black") == set(range(1, 37))
    assert {17, 15, 13, 11, 10, 8, 6, 4, 2} <= numbers("black")


@pytest.mark.parametrize(
    ("one", "same"),
    [
        ("split 8-11", "split 11-8"), ("split 0-2", "split 2-0"), ("street 7-8-9", "street 9-7-8"),
        ("corner 25-26-28-29", "corner 29-28-26-25"), ("corner 0-1-2-3", "corner 3-2-1-0"),
        ("line 31-36", "line 36-31"), ("line 31-36", "line 31-32-33-34-35-36"),
    ],
)  # fmt: skip
def test_the_order_of_the_numbers_does_not_matter(one, same):
    assert numbers(one) == numbers(same)
    assert BOOK.find(same).on == same, "the settlement repeats the player's own words"


def test_the_three_sectors_cover_the_wheel_exactly_once():
    by_name = {bet.name: set(bet.sector) for bet in BOOK.rules.announced}
    assert by_name["voisins"] == {22, 18, 29, 7, 28, 12, 35, 3, 26, 0, 32, 15, 19, 4, 21, 2, 25}
    assert by_name["tiers"] == {27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33}
    assert by_name["orphelins"] == {17, 34, 6, 1, 20, 14, 31, 9}
    assert sorted(n for sector in by_name.values() for n in sector) == list(range(37))
    for name, sector in by_name.items():
        assert numbers(name) == sector
    assert {name: BOOK.find(name).units for name in by_name} == {"voisins": 9, "tiers": 6, "orphelins": 5}


def test_only_seventeen_is_covered_twice():
    for name in ("voisins", "tiers", "orphelins"):
        chips = [n for spot, _, _ in BOOK.find(name).spots for n in spot.numbers]
        assert {n for n in chips if chips.count(n) > 1} == ({17} if name == "orphelins" else set())
