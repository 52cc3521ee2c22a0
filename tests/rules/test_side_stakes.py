"""The bonus and the jackpot: stakes of their own on a box."""

import pytest

from tests.rules.rounds import NO_GAME, box, ends, error, one, record, settle

ROYAL, STRAIGHT_FLUSH = "As Ks Qs Js Ts", "6d 5d 4d 3d 2d"
FOUR, FULL_HOUSE = "9d 9s 9c 9h 6c", "9d 9s 9c 6h 6c"
FLUSH, STRAIGHT = "Kd Td 6d 4d 2d", "6d 5s 4c 3d 2c"
THREE, PAIR, LOW = "9d 9s 9c 6h 2c", "9d 9s 6c 4h 2c", "Td 8d 6c 3s 2h"


@pytest.mark.parametrize(
    ("cards", "odds"),
    [(STRAIGHT, 4), (FLUSH, 5), (FULL_HOUSE, 7), (FOUR, 20), (STRAIGHT_FLUSH, 50), (ROYAL, 100)],
)
@pytest.mark.parametrize("dealer", [NO_GAME, "Ah Kc 8c 7s 3h", "Ad Ac Ah 7s 7h"])
def test_V_bonus_pays_whoever_wins(cards: str, odds: int, dealer: str) -> None:
    settled = one("vesuvius-ro", cards, "bet", bonus=500, dealer=dealer)
    assert settled["paid"]["bonus"] == 500 * odds
    assert settled["returned"]["bonus"] == 500


def test_V_bonus_is_on_the_first_five_cards_only() -> None:
    won = one("vesuvius-ro", FLUSH, "swap Kd Ks", "bet", bonus=500)
    assert won["paid"]["bonus"] == 2500
    lost = one("vesuvius-ro", "Kd Td 6d 4d 2s", "swap 2s 2d", "bet", bonus=500)
    assert lost["taken"] == {"bonus": 500, "swap": 1000}
    bought = one("vesuvius-ro", "Kd Td 6d 4d 2s", "buy 2d", "bet", bonus=500)
    assert bought["taken"] == {"bonus": 500, "buy": 1000}


@pytest.mark.parametrize(("ruleset", "bonus"), [("vesuvius-ro", 500), ("caribbean-gr", 100), ("oasis-ua", 1000)])
def test_the_bonus_is_lost_at_the_fold_whatever_the_hand(ruleset: str, bonus: int) -> None:
    assert ends(one(ruleset, FLUSH, "fold", bonus=bonus)) == ({}, {"ante": 1000, "bonus": bonus}, {})


@pytest.mark.parametrize(("ruleset", "bonus"), [("vesuvius-ro", 500), ("caribbean-gr", 100), ("oasis-ua", 1000)])
def test_a_hand_below_the_lowest_line_loses_the_bonus(ruleset: str, bonus: int) -> None:
    assert one(ruleset, THREE, "bet", bonus=bonus)["taken"] == {"bonus": bonus}


@pytest.mark.parametrize(
    ("ruleset", "cards", "prize"),
    [
        ("caribbean-gr", ROYAL, 600_000),
        ("caribbean-gr", STRAIGHT_FLUSH, 60_000),
        ("caribbean-gr", FOUR, 35_000),
        ("caribbean-gr", FULL_HOUSE, 20_000),
        ("caribbean-gr", FLUSH, 7_500),
        ("caribbean-gr", STRAIGHT, None),
        ("oasis-ua", ROYAL, 1_000_000),
        ("oasis-ua", STRAIGHT_FLUSH, 500_000),
        ("oasis-ua", FOUR, 100_000),
        ("oasis-ua", FULL_HOUSE, 50_000),
        ("oasis-ua", FLUSH, 25_000),
        ("oasis-ua", STRAIGHT, None),
    ],
)
def test_G_bonus_and_O_bonus_are_fixed_sums_and_the_stake_is_taken_either_way(
    ruleset: str, cards: str, prize: int | None
) -> None:
    stake = 100 if ruleset == "caribbean-gr" else 1000
    settled = one(ruleset, cards, "bet", bonus=stake, dealer=NO_GAME)
    assert settled["taken"] == {"bonus": stake}
    assert settled["paid"].get("bonus") == prize


def test_O_swap_takes_the_bonus() -> None:
    settled = one("oasis-ua", FLUSH, "swap Kd Ad", "bet", bonus=1000)
    assert settled["taken"] == {"bonus": 1000, "swap": 1000}
    assert "bonus" not in settled["paid"]


@pytest.mark.parametrize("ruleset", ["caribbean-ee", "russian-ua", "exchange-ru"])
def test_C_R_and_F_have_no_bonus(ruleset: str) -> None:
    assert error(record(ruleset, box(PAIR, "bet", bonus=100))) == ("not_offered", 1)


@pytest.mark.parametrize(
    ("ruleset", "bonus", "code"),
    [
        ("vesuvius-ro", 400, "stake_limits"),
        ("vesuvius-ro", 20100, "stake_limits"),
        ("vesuvius-ro", 550, "chip_multiple"),
        ("vesuvius-ro", -500, "stake_limits"),
        ("caribbean-gr", 200, "stake_limits"),
        ("caribbean-gr", 50, "stake_limits"),
        ("oasis-ua", 100, "stake_limits"),
    ],
)
def test_a_bonus_of_the_wrong_size(ruleset: str, bonus: int, code: str) -> None:
    table = {"chip": 100, "min": 500, "max": 20000}
    assert error(record(ruleset, box(PAIR, "bet", bonus=bonus), table=table)) == (code, 1)


def test_a_stake_of_a_fixed_sum_need_not_be_a_multiple_of_the_chip() -> None:
    table = {"chip": 500, "min": 500}
    assert one("caribbean-gr", PAIR, "bet", bonus=100, table=table)["taken"] == {"bonus": 100}
    assert one("caribbean-ee", PAIR, "bet", jackpot=50, table=table)["taken"] == {"jackpot": 50}


@pytest.mark.parametrize(
    ("cards", "prize"),
    [(STRAIGHT_FLUSH, 125_000), (FOUR, 25_000), (FULL_HOUSE, 2_500), (FLUSH, 1_500), (STRAIGHT, 300), (THREE, 200)],
)
@pytest.mark.parametrize("word", ["bet", "fold"])
@pytest.mark.parametrize("dealer", [NO_GAME, "Ad Ac Ah 7s 7h"])
def test_C_jackpot_pays_fixed_sums_whatever_follows(cards: str, prize: int, word: str, dealer: str) -> None:
    settled = one("caribbean-ee", cards, word, jackpot=50, dealer=dealer)
    assert settled["paid"]["jackpot"] == prize
    assert settled["taken"]["jackpot"] == 50


def test_C_jackpot_stake_is_taken_where_nothing_is_won() -> None:
    assert one("caribbean-ee", PAIR, "bet", jackpot=50, dealer=NO_GAME)["taken"] == {"jackpot": 50}


def test_C_jackpot_meter_goes_to_boxes_in_the_order_of_their_numbers() -> None:
    second = "Ah Kh Qh Jh Th"
    told = record(
        "caribbean-ee",
        box(ROYAL, "fold", number=3, jackpot=50),
        box(second, "bet", number=1, jackpot=50),
        dealer="Qd Jc 8c 7s 3h",
        progressive={"meter": 4_321_987, "seed": 1_000_000},
    )
    assert [(b["box"], b["paid"]["jackpot"]) for b in settle(told)["boxes"]] == [(3, 1_000_000), (1, 4_321_987)]
    del told["progressive"]["seed"]
    assert "jackpot" not in settle(told)["boxes"][0]["paid"]


@pytest.mark.parametrize("progressive", [None, {}, {"seed": 1_000_000}])
def test_a_share_of_the_meter_needs_the_meter(progressive: dict[str, int] | None) -> None:
    more = {} if progressive is None else {"progressive": progressive}
    told = record("caribbean-ee", box(PAIR, "bet", number=1), box(ROYAL, "fold", number=2, jackpot=50), **more)
    assert error(told) == ("missing_meter", 2)
    one("caribbean-ee", ROYAL, "bet")
    one("caribbean-ee", FOUR, "bet", jackpot=50)


@pytest.mark.parametrize("stake", [49, 51, 100, -50])
def test_a_jackpot_stake_of_the_wrong_size(stake: int) -> None:
    assert error(record("caribbean-ee", box(PAIR, "bet", jackpot=stake))) == ("stake_limits", 1)


@pytest.mark.parametrize("ruleset", ["vesuvius-ro", "caribbean-gr", "oasis-ua", "russian-ua", "exchange-ru"])
def test_a_jackpot_where_the_sheet_has_none(ruleset: str) -> None:
    assert error(record(ruleset, box(PAIR, "bet", jackpot=50))) == ("not_offered", 1)
    assert error(record(ruleset, box(PAIR, "bet"), progressive={"meter": 1})) == ("not_offered", None)


def test_nought_means_not_placed() -> None:
    assert one("russian-ua", LOW, "fold", bonus=0, jackpot=0)["stakes"] == {"ante": 1000}
