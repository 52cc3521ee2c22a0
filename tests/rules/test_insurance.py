"""Insurance against "no game", on the three sheets that have it."""

import pytest

from tests.rules.rounds import GAME, NO_GAME, box, ends, error, one, record, settle

FLUSH = "Kd Td 6d 4d 2d"
STRAIGHT = "6d 5s 4c 3d 2c"
THREE = "9d 9s 9c 6h 2c"
FULL_HOUSE_OF_DEALER = "8h 8c 8s As Ac"


@pytest.mark.parametrize("ruleset", ["vesuvius-ro", "exchange-ru"])
def test_insurance_is_paid_even_on_no_game_and_so_is_the_ante(ruleset: str) -> None:
    settled = one(ruleset, FLUSH, "insure 5000", "bet", dealer=NO_GAME)
    assert ends(settled) == (
        {"ante": 1000, "bet": 2000, "insurance": 5000},
        {},
        {"ante": 1000, "insurance": 5000},
    )


def test_R_insurance_pays_on_no_game_and_the_ante_is_returned_unpaid() -> None:
    settled = one("russian-ua", FLUSH, "insure 5000", "bet", dealer=NO_GAME)
    assert ends(settled) == ({"ante": 1000, "bet": 2000, "insurance": 5000}, {}, {"insurance": 5000})


@pytest.mark.parametrize("ruleset", ["vesuvius-ro", "exchange-ru", "russian-ua"])
def test_insurance_is_taken_when_the_dealer_has_a_game_that_loses(ruleset: str) -> None:
    assert one(ruleset, FLUSH, "insure 5000", "bet")["taken"] == {"insurance": 5000}


@pytest.mark.parametrize("ruleset", ["vesuvius-ro", "exchange-ru", "russian-ua"])
def test_R_insurance_is_returned_when_the_dealer_beats_the_hand(ruleset: str) -> None:
    settled = one(ruleset, FLUSH, "insure 5000", "bet", dealer=FULL_HOUSE_OF_DEALER)
    assert ends(settled) == ({"insurance": 5000}, {"ante": 1000, "bet": 2000}, {})


@pytest.mark.parametrize("ruleset", ["vesuvius-ro", "exchange-ru", "russian-ua"])
def test_R_insurance_is_taken_on_a_push(ruleset: str) -> None:
    settled = one(ruleset, STRAIGHT, "insure 4000", "bet", dealer="6h 5c 4s 3h 2s")
    assert ends(settled) == ({"ante": 1000, "bet": 2000}, {"insurance": 4000}, {})


@pytest.mark.parametrize(
    ("ruleset", "cards", "low", "high"),
    [
        ("vesuvius-ro", FLUSH, 1, 5000),
        ("vesuvius-ro", STRAIGHT, 1, 4000),
        ("exchange-ru", FLUSH, 2, 10000),
        ("russian-ua", FLUSH, 2000, 10000),
        ("russian-ua", THREE, 2000, 6000),
        ("russian-ua", "9d 9s 9c Ah Kc", 2000, 8000),
    ],
)
def test_insurance_has_a_least_and_a_most(ruleset: str, cards: str, low: int, high: int) -> None:
    step = 2 if ruleset == "exchange-ru" else 1
    for amount in (low, high):
        one(ruleset, cards, f"insure {amount}", "bet", dealer="Qd Jc 8c 7s 3h")
    for amount in (low - step, high + step, 0, -low):
        told = record(ruleset, box(cards, f"insure {amount}", "bet"), dealer=NO_GAME)
        assert error(told) == ("insurance_limits", 1)


@pytest.mark.parametrize(
    ("ruleset", "cards"),
    [("vesuvius-ro", THREE), ("exchange-ru", THREE), ("russian-ua", "9d 9s 6c 6h 2c")],
)
def test_a_hand_too_low_to_insure_is_outside_the_limits(ruleset: str, cards: str) -> None:
    assert error(record(ruleset, box(cards, "insure 2000", "bet"))) == ("insurance_limits", 1)


def test_R_insurance_is_held_within_the_cap() -> None:
    table = {"max_payout_per_box": 3000}
    one("russian-ua", THREE, "insure 3000", "bet", table=table)
    assert error(record("russian-ua", box(THREE, "insure 3001", "bet"), table=table)) == ("insurance_limits", 1)


@pytest.mark.parametrize("ruleset", ["vesuvius-ro", "exchange-ru"])
def test_elsewhere_the_cap_does_not_lower_the_highest_insurance(ruleset: str) -> None:
    settled = one(ruleset, FLUSH, "insure 5000", "bet", dealer=NO_GAME, table={"max_payout_per_box": 3000})
    assert settled["paid"]["insurance"] == 3000
    assert settled["capped"] == 2000


def test_R_insurance_with_a_cap_under_the_bet_leaves_no_room() -> None:
    told = record("russian-ua", box(THREE, "insure 2000", "bet"), table={"max_payout_per_box": 1000})
    assert error(told) == ("insurance_limits", 1)


@pytest.mark.parametrize("ruleset", ["vesuvius-ro", "exchange-ru"])
def test_V_insurance_may_follow_the_bet(ruleset: str) -> None:
    assert one(ruleset, FLUSH, "bet", "insure 5000", dealer=NO_GAME)["paid"] == {"ante": 1000, "insurance": 5000}


def test_R_insurance_comes_before_the_bet() -> None:
    assert error(record("russian-ua", box(FLUSH, "bet", "insure 5000"))) == ("not_allowed_now", 1)


def test_F_insurance_of_several_boxes_may_follow_each_boxs_bet() -> None:
    told = record(
        "exchange-ru",
        box(FLUSH, "bet", "insure 5000", number=1, player="A"),
        box("6h 5s 4c 3d 2c", "bet", "insure 4000", number=2, player="A"),
        dealer=NO_GAME,
    )
    assert [b["paid"] for b in settle(told)["boxes"]] == [
        {"ante": 1000, "insurance": 5000},
        {"ante": 1000, "insurance": 4000},
    ]


def test_insurance_is_a_multiple_of_the_chip() -> None:
    told = record("vesuvius-ro", box(FLUSH, "insure 4999", "bet"), table={"chip": 100})
    assert error(told) == ("chip_multiple", 1)


def test_insurance_speaks_of_the_hand_after_the_swap() -> None:
    told = box("Kd Td 6d 4d 2s", "swap 2s 2d", "insure 5000", "bet")
    assert error(record("oasis-ua", told)) == ("not_offered", 1)
    assert one("vesuvius-ro", "Kd Td 6d 4d 2s", "swap 2s 2d", "insure 5000", "bet")["taken"] == {
        "swap": 1000,
        "insurance": 5000,
    }


@pytest.mark.parametrize("after", ["insure 2000", "fold", "swap Kd Ad", "buy 3d"])
def test_after_insurance_only_bet_and_dealer_card_may_come(after: str) -> None:
    told = record("russian-ua", box(FLUSH, "insure 5000", after, "bet"), dealer=GAME)
    assert error(told) == ("not_allowed_now", 1)
