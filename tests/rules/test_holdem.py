"""The hold'em family: two cards each, five shared, the table of odds on the ante."""

import pytest

from tests.rules.rounds import box, ends, error, one, record, settle

LOW_BOARD = "Kd 9c 7h 5s 2c"


def holdem(cards: str, *words: str, dealer: str = "4h 4d", board: str = LOW_BOARD):  # type: ignore[no-untyped-def]
    return one("texas-ua", cards, *words, dealer=dealer, board=board)


def test_T_qualify_a_pair_of_fours_plays() -> None:
    assert ends(holdem("Qs 3h", "bet")) == ({}, {"ante": 1000, "bet": 2000}, {})


@pytest.mark.parametrize("dealer", ["3h 3d", "As Qd", "3h 4d"])
def test_T_no_game_pays_the_ante_by_the_table_and_returns_the_bet(dealer: str) -> None:
    assert ends(holdem("Qs Jh", "bet", dealer=dealer)) == ({"ante": 1000, "bet": 2000}, {}, {"ante": 1000})
    settled = one("texas-ua", "Ac Jc", "bet", dealer="3h 3d", board="Kd 9c 7c 5s 2c")
    assert ends(settled) == ({"ante": 1000, "bet": 2000}, {}, {"ante": 2000})


@pytest.mark.parametrize(
    ("cards", "board", "hand", "odds"),
    [
        ("As Ts", "Ks Qs Js 3d 2d", "royal flush", 100),
        ("9s Ts", "Ks Qs Js 3d 2d", "straight flush", 20),
        ("9s 9h", "9d 9c Js 3d 2d", "four of a kind", 10),
        ("9s 9h", "9d Jc Js 3d 2d", "full house", 3),
        ("9s 2s", "Ks Qs Js 3d 2d", "flush", 2),
        ("9s 8h", "7d 6c 5s Kd 2d", "straight", 1),
        ("9s 9h", "9d Kc Js 3d 2d", "three of a kind", 1),
        ("9s Kh", "9d Kc Js 3d 2d", "two pairs", 1),
        ("Ks 9h", LOW_BOARD, "two pairs", 1),
        ("Ah 7s", LOW_BOARD, "pair", 1),
    ],
)
def test_T_table_pays_the_ante_and_the_bet_even(cards: str, board: str, hand: str, odds: int) -> None:
    settled = holdem(cards, "bet", board=board, dealer="4h 4d")
    assert settled["hand"] == hand
    assert ends(settled) == ({"ante": 1000, "bet": 2000}, {}, {"ante": 1000 * odds, "bet": 2000})


def test_T_push_returns_both() -> None:
    board = "Ks Qs Jd Th 9c"
    assert ends(holdem("2c 3d", "bet", board=board)) == ({"ante": 1000, "bet": 2000}, {}, {})


def test_T_fold_takes_the_ante_and_names_the_best_five_of_seven() -> None:
    settled = holdem("9s 9h", "fold", board="9d 9c Js 3d 2d")
    assert settled["hand"] == "four of a kind"
    assert ends(settled) == ({}, {"ante": 1000}, {})


def test_T_dealer_is_named_by_the_best_five_of_seven() -> None:
    told = record("texas-ua", box("Qs 3h", "bet"), dealer="4h 4d", board=LOW_BOARD)
    assert settle(told)["dealer"] == {"hand": "pair", "qualifies": True, "final": "pair"}


@pytest.mark.parametrize("word", ["swap Qs As", "buy As", "insure 2000", "dealer_card"])
def test_T_has_nothing_but_bet_and_fold(word: str) -> None:
    assert error(record("texas-ua", box("Qs 3h", word, "bet"), dealer="4h 4d", board=LOW_BOARD)) == ("not_offered", 1)


@pytest.mark.parametrize("stake", [{"bonus": 100}, {"jackpot": 50}, {"blind": True}])
def test_T_has_no_side_stakes_and_no_blind_boxes(stake: dict[str, int]) -> None:
    told = record("texas-ua", box("Qs 3h", "bet", **stake), dealer="4h 4d", board=LOW_BOARD)
    assert error(told) == ("not_offered", 1)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"board": "Kd 9c 7h 5s"}, ("wrong_card_count", None)),
        ({"board": "Kd 9c 7h 5s 2c 2d"}, ("wrong_card_count", None)),
        ({"board": "Kd 9c 7h 5s 4h"}, ("duplicate_card", None)),
        ({"board": "Kd 9c 7h 5s Qs"}, ("duplicate_card", None)),
        ({"board": "Kd 9c 7h 5s 2x"}, ("bad_card", None)),
        ({"dealer": {"cards": "4h"}}, ("wrong_card_count", None)),
        ({"dealer": {"cards": "4h 4d 4c 4s 3d"}}, ("wrong_card_count", None)),
        ({"dealer": {"cards": "4h 4d", "drawn": "As"}}, ("wrong_card_count", None)),
    ],
)
def test_T_board_and_dealer_must_be_whole(change: dict[str, object], expected: tuple[str, None]) -> None:
    told = record("texas-ua", box("Qs 3h", "bet"), dealer="4h 4d", board=LOW_BOARD) | change
    assert error(told) == expected


def test_T_board_missing_or_out_of_place_is_a_bad_record() -> None:
    told = record("texas-ua", box("Qs 3h", "bet"), dealer="4h 4d")
    assert error(told) == ("bad_record", None)
    stud = record("oasis-ua", box("9d 9s 6c 4h 2c", "bet"), board=LOW_BOARD)
    assert error(stud) == ("bad_record", None)


def test_T_box_has_two_cards() -> None:
    for cards in ("Qs", "Qs 3h 3d"):
        told = record("texas-ua", box(cards, "bet"), dealer="4h 4d", board=LOW_BOARD)
        assert error(told) == ("wrong_card_count", 1)


def test_T_undecided_is_a_missing_decision() -> None:
    told = record("texas-ua", box("Qs 3h"), dealer="4h 4d", board=LOW_BOARD)
    assert error(told) == ("missing_decision", 1)
