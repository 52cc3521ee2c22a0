"""Buying another card for the dealer on no game."""

import pytest

from tests.rules.rounds import GAME, NO_GAME, box, ends, error, one, record, settle

PAIR = "9d 9s 6c 4h 2c"
SOLD_BY = ["vesuvius-ro", "russian-ua"]


@pytest.mark.parametrize("ruleset", SOLD_BY)
def test_a_game_now_is_compared_as_usual_and_the_ante_returned_on_a_win(ruleset: str) -> None:
    settled = one(ruleset, PAIR, "bet", "dealer_card", dealer=NO_GAME, drawn="8h")
    assert ends(settled) == ({"ante": 1000, "bet": 2000}, {"dealer_card": 1000}, {"bet": 2000})


@pytest.mark.parametrize("ruleset", SOLD_BY)
def test_a_game_now_may_beat_the_buyer(ruleset: str) -> None:
    settled = one(ruleset, PAIR, "bet", "dealer_card", dealer="Qd Jc 8c 7s 3h", drawn="Jh")
    assert ends(settled) == ({}, {"ante": 1000, "bet": 2000, "dealer_card": 1000}, {})


@pytest.mark.parametrize("ruleset", SOLD_BY)
def test_still_no_game_returns_ante_and_bet_and_keeps_the_fee(ruleset: str) -> None:
    settled = one(ruleset, PAIR, "bet", "dealer_card", dealer=NO_GAME, drawn="Kd")
    assert ends(settled) == ({"ante": 1000, "bet": 2000}, {"dealer_card": 1000}, {})


@pytest.mark.parametrize("ruleset", SOLD_BY)
def test_who_declines_is_settled_as_no_game(ruleset: str) -> None:
    told = record(
        ruleset,
        box(PAIR, "bet", "dealer_card", number=1),
        box("Td Ts 6h 4c 2h", "bet", number=2),
        dealer=NO_GAME,
        drawn="8h",
    )
    answer = settle(told)
    assert answer["dealer"] == {"hand": "high card", "qualifies": False, "final": "pair"}
    assert [b["paid"] for b in answer["boxes"]] == [{"bet": 2000}, {"ante": 1000}]


def test_V_redraw_throws_the_same_rank_away_again() -> None:
    assert one("vesuvius-ro", PAIR, "bet", "dealer_card", dealer=NO_GAME, drawn="Qh Qs Qc 8h")["paid"] == {"bet": 2000}


def test_R_dealer_card_has_no_redraw() -> None:
    settled = one("russian-ua", PAIR, "bet", "dealer_card", dealer=NO_GAME, drawn="Qh")
    assert settled["returned"] == {"ante": 1000, "bet": 2000}


def test_the_highest_card_goes_wherever_it_lies() -> None:
    settled = one("russian-ua", PAIR, "bet", "dealer_card", dealer="3h 7s 8c Jc Qd", drawn="8h")
    assert settled["paid"] == {"bet": 2000}


def test_insurance_is_settled_on_the_dealers_first_cards() -> None:
    flush = "Kd Td 6d 4d 2d"
    settled = one("russian-ua", flush, "insure 5000", "bet", "dealer_card", dealer=NO_GAME, drawn="8h")
    assert ends(settled) == (
        {"ante": 1000, "bet": 2000, "insurance": 5000},
        {"dealer_card": 1000},
        {"bet": 10000, "insurance": 5000},
    )


def test_R_insured_and_declining_the_ante_is_returned() -> None:
    settled = one("russian-ua", "Kd Td 6d 4d 2d", "insure 5000", "bet", dealer=NO_GAME)
    assert settled["paid"] == {"insurance": 5000}


def test_V_insured_buyer_whose_dealer_still_has_no_game_keeps_the_insurance() -> None:
    settled = one("vesuvius-ro", "Kd Td 6d 4d 2d", "bet", "insure 5000", "dealer_card", dealer=NO_GAME, drawn="Ah")
    assert ends(settled) == (
        {"ante": 1000, "bet": 2000, "insurance": 5000},
        {"dealer_card": 1000},
        {"insurance": 5000},
    )


def test_paid_bet_and_insurance_share_the_cap_and_the_bet_gives_way() -> None:
    settled = one(
        "russian-ua",
        "Kd Td 6d 4d 2d",
        "insure 5000",
        "bet",
        "dealer_card",
        dealer=NO_GAME,
        drawn="8h",
        table={"max_payout_per_box": 7000},
    )
    assert settled["paid"] == {"bet": 2000, "insurance": 5000}
    assert settled["capped"] == 8000


@pytest.mark.parametrize("ruleset", SOLD_BY)
def test_it_is_not_sold_when_the_dealer_has_a_game(ruleset: str) -> None:
    told = record(ruleset, box(PAIR, "bet", "dealer_card"), dealer=GAME, drawn="8h")
    assert error(told) == ("not_allowed_now", 1)


@pytest.mark.parametrize("ruleset", ["caribbean-ee", "caribbean-gr", "oasis-ua", "exchange-ru"])
def test_F_and_others_do_not_sell_it(ruleset: str) -> None:
    assert error(record(ruleset, box(PAIR, "bet", "dealer_card"), dealer=NO_GAME)) == ("not_offered", 1)


@pytest.mark.parametrize(
    ("ruleset", "drawn"),
    [
        ("vesuvius-ro", None),
        ("vesuvius-ro", ""),
        ("vesuvius-ro", "Qh"),
        ("vesuvius-ro", "8h 2s"),
        ("vesuvius-ro", "8h Qh"),
        ("vesuvius-ro", "Qh 8h 8s"),
        ("russian-ua", None),
        ("russian-ua", "Qh 8h"),
        ("russian-ua", "8h 5s"),
    ],
)
def test_drawn_missing_too_short_or_too_long(ruleset: str, drawn: str | None) -> None:
    more = {} if drawn is None else {"drawn": drawn}
    told = record(ruleset, box(PAIR, "bet", "dealer_card"), dealer=NO_GAME, **more)
    assert error(told) == ("wrong_card_count", None)


@pytest.mark.parametrize("ruleset", ["vesuvius-ro", "russian-ua", "caribbean-ee"])
def test_drawn_for_nobody(ruleset: str) -> None:
    assert error(record(ruleset, box(PAIR, "bet"), dealer=NO_GAME, drawn="8h")) == ("wrong_card_count", None)
    assert error(record(ruleset, box(PAIR, "fold"), dealer=GAME, drawn="8h")) == ("wrong_card_count", None)
