"""The table's highest payout for a box: which kinds it counts, and what gives way."""

import pytest

from tests.rules.rounds import NO_GAME, one

FLUSH = "Kd Td 6d 4d 2d"


@pytest.mark.parametrize("ruleset", ["vesuvius-ro", "caribbean-gr", "oasis-ua", "russian-ua", "exchange-ru"])
def test_the_bet_is_capped_and_the_ante_is_not(ruleset: str) -> None:
    settled = one(ruleset, FLUSH, "bet", table={"max_payout_per_box": 7000})
    assert settled["paid"]["bet"] == 7000
    assert settled["capped"] == 3000
    assert settled["paid"].get("ante", 0) in (0, 1000)


def test_bonus_and_jackpot_stand_outside_the_cap() -> None:
    table = {"max_payout_per_box": 1000}
    assert one("vesuvius-ro", FLUSH, "bet", bonus=500, table=table)["paid"] == {"bet": 1000, "bonus": 2500}
    settled = one("caribbean-ee", FLUSH, "bet", jackpot=50, table=table)
    assert settled["paid"] == {"ante": 1000, "bet": 1000, "jackpot": 1500}


def test_C_no_game_bet_is_capped_too() -> None:
    settled = one("caribbean-ee", "9d 9s 9c 6h 6c", "bet", dealer=NO_GAME, table={"max_payout_per_box": 5000})
    assert (settled["paid"], settled["capped"]) == ({"ante": 1000, "bet": 5000}, 1000)


def test_the_bet_gives_way_before_the_insurance() -> None:
    more = {"dealer": NO_GAME, "drawn": "8h"}
    words = ("bet", "insure 5000", "dealer_card")
    some = one("vesuvius-ro", FLUSH, *words, table={"max_payout_per_box": 6000}, **more)
    assert (some["paid"], some["capped"]) == ({"bet": 1000, "insurance": 5000}, 9000)
    none = one("vesuvius-ro", FLUSH, *words, table={"max_payout_per_box": 4000}, **more)
    assert (none["paid"], none["capped"]) == ({"insurance": 4000}, 11000)


def test_a_cap_that_is_just_reached_withholds_nothing() -> None:
    assert one("oasis-ua", FLUSH, "bet", table={"max_payout_per_box": 10000})["capped"] == 0


def test_T_cap_counts_ante_and_bet_and_the_ante_gives_way_first() -> None:
    more = {"dealer": "4h 4c", "board": "Ks Qs Js 3d 2d"}
    full = one("texas-ua", "As Ts", "bet", **more)
    assert full["paid"] == {"ante": 100_000, "bet": 2000}
    some = one("texas-ua", "As Ts", "bet", table={"max_payout_per_box": 5000}, **more)
    assert (some["paid"], some["capped"]) == ({"ante": 3000, "bet": 2000}, 97_000)
    less = one("texas-ua", "As Ts", "bet", table={"max_payout_per_box": 1500}, **more)
    assert (less["paid"], less["capped"]) == ({"bet": 1500}, 100_500)
