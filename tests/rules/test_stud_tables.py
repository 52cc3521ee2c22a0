"""What a hand is paid, line by line, on each sheet of the stud family."""

import pytest

from tests.rules.rounds import GAME, NO_GAME, ends, one

HANDS = {
    "royal flush": "As Ks Qs Js Ts",
    "straight flush": "6d 5d 4d 3d 2d",
    "four of a kind": "9d 9s 9c 9h 6c",
    "full house": "9d 9s 9c 6h 6c",
    "flush": "Kd Td 6d 4d 2d",
    "straight": "6d 5s 4c 3d 2c",
    "three of a kind": "9d 9s 9c 6h 2c",
    "two pairs": "9d 9s 6c 6h 2c",
    "pair": "9d 9s 6c 4h 2c",
    "ace-king": "As Kd Qh 9c 2d",
}
PLAIN = dict(zip(HANDS, (100, 50, 20, 7, 5, 4, 3, 2, 1, 1), strict=True))
ESTONIAN = dict(zip(HANDS, (200, 50, 20, 10, 6, 4, 3, 2, 1, 1), strict=True))
TABLES = {
    "vesuvius-ro": PLAIN,
    "caribbean-ee": ESTONIAN,
    "caribbean-ee-ak": ESTONIAN,
    "caribbean-gr": PLAIN,
    "oasis-ua": PLAIN,
    "russian-ua": PLAIN,
    "exchange-ru": PLAIN,
}
ANTE_RETURNED_ON_A_WIN = ("vesuvius-ro", "russian-ua")


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("ruleset", TABLES)
def test_a_win_pays_the_bet_by_the_table_and_the_ante_as_the_sheet_says(ruleset: str, hand: str) -> None:
    settled = one(ruleset, HANDS[hand], "bet")
    assert settled["hand"] == hand
    ante = {} if ruleset in ANTE_RETURNED_ON_A_WIN else {"ante": 1000}
    assert ends(settled) == ({"ante": 1000, "bet": 2000}, {}, ante | {"bet": 2000 * TABLES[ruleset][hand]})


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("ruleset", [r for r in TABLES if not r.startswith("caribbean-ee")])
def test_no_game_pays_the_ante_even_and_returns_the_bet(ruleset: str, hand: str) -> None:
    assert ends(one(ruleset, HANDS[hand], "bet", dealer=NO_GAME)) == (
        {"ante": 1000, "bet": 2000},
        {},
        {"ante": 1000},
    )


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("ruleset", ["caribbean-ee", "caribbean-ee-ak"])
def test_C_no_game_table_pays_the_bet_too_from_a_full_house(ruleset: str, hand: str) -> None:
    odds = {"royal flush": 100, "straight flush": 25, "four of a kind": 5, "full house": 3}.get(hand)
    bet = {"bet": 2000 * odds} if odds else {}
    assert one(ruleset, HANDS[hand], "bet", dealer=NO_GAME)["paid"] == {"ante": 1000} | bet


@pytest.mark.parametrize("ruleset", TABLES)
def test_a_lower_hand_loses_ante_and_bet(ruleset: str) -> None:
    assert ends(one(ruleset, "Td 8d 6c 3s 2h", "bet", dealer=GAME)) == ({}, {"ante": 1000, "bet": 2000}, {})


@pytest.mark.parametrize("ruleset", TABLES)
def test_an_equal_hand_is_a_push(ruleset: str) -> None:
    assert ends(one(ruleset, "As Kd 8d 7c 3d", "bet")) == ({"ante": 1000, "bet": 2000}, {}, {})


@pytest.mark.parametrize("ruleset", TABLES)
def test_a_fold_loses_the_ante_and_the_final_hand_is_named_all_the_same(ruleset: str) -> None:
    settled = one(ruleset, HANDS["flush"], "fold")
    assert settled["hand"] == "flush"
    assert ends(settled) == ({}, {"ante": 1000}, {})


@pytest.mark.parametrize("ruleset", [r for r in TABLES if r != "caribbean-ee"])
@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [("As Kh 4c 3d 2s", True), ("2s 2h 5c 4d 3s", True), ("Ah Qc Js Td 9h", False), ("Kh Qc Js Td 8h", False)],
)
def test_the_dealer_has_a_game_from_ace_king(ruleset: str, dealer: str, qualifies: bool) -> None:
    settled = one(ruleset, "Ad Ac Qd Jd Tc", "bet", dealer=dealer)
    assert ("bet" in settled["paid"]) == qualifies


@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [("Kh 5c 4s 3d 2h", True), ("Ah Qc Js Td 9h", True), ("2s 2h 5c 4d 3s", True), ("Qh Jc Ts 9d 7h", False)],
)
def test_C_qualify_takes_an_ace_or_a_king_to_the_letter(dealer: str, qualifies: bool) -> None:
    settled = one("caribbean-ee", "Ad Ac Qd Jd Tc", "bet", dealer=dealer)
    assert ("bet" in settled["paid"]) == qualifies
