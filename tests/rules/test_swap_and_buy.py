"""Swapped cards and the sixth card: what they cost, what they change, when they may be."""

import pytest

from tests.rules.rounds import GAME, NO_GAME, box, ends, error, one, record, settle

CARDS = "9d 9s 6c 4h 2c"
OUT = ["2c", "2c4h", "2c4h6c", "2c4h6c9s", "2c4h6c9s9d"]
IN = ["Ts", "TsTd", "TsTdTh", "TsTdThTc", "TsTdThTcJs"]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("ruleset", ["vesuvius-ro", "russian-ua"])
def test_V_swap_and_R_swap_are_of_one_to_five_cards_for_one_ante(ruleset: str, count: int) -> None:
    settled = one(ruleset, CARDS, f"swap {OUT[count - 1]} {IN[count - 1]}", "fold")
    assert settled["taken"] == {"ante": 1000, "swap": 1000}


@pytest.mark.parametrize(("count", "fee"), [(1, 1000), (2, None), (3, None), (4, None), (5, None)])
def test_O_swap_is_of_one_card(count: int, fee: int | None) -> None:
    words = (f"swap {OUT[count - 1]} {IN[count - 1]}", "fold")
    if fee is None:
        assert error(record("oasis-ua", box(CARDS, *words))) == ("not_offered", 1)
    else:
        assert one("oasis-ua", CARDS, *words)["taken"] == {"ante": 1000, "swap": fee}


@pytest.mark.parametrize(("count", "fee"), [(1, 1000), (2, 1500), (3, None), (4, None), (5, 1000)])
def test_F_swap_one_box(count: int, fee: int | None) -> None:
    words = (f"swap {OUT[count - 1]} {IN[count - 1]}", "fold")
    if fee is None:
        assert error(record("exchange-ru", box(CARDS, *words))) == ("not_offered", 1)
    else:
        assert one("exchange-ru", CARDS, *words)["taken"] == {"ante": 1000, "swap": fee}


@pytest.mark.parametrize("first", [1, 2, 5])
def test_F_swap_one_box_has_a_second_swap_of_one_card(first: int) -> None:
    words = (f"swap {OUT[first - 1]} {IN[first - 1]}", "swap Ts As", "fold")
    fee = {1: 1000, 2: 1500, 5: 1000}[first] + 1000
    assert one("exchange-ru", CARDS, *words)["taken"] == {"ante": 1000, "swap": fee}


def test_F_swap_one_box_has_no_second_swap_of_more_and_no_third() -> None:
    assert error(record("exchange-ru", box(CARDS, "swap 2c Ts", "swap Ts4h AdKd", "bet"))) == ("not_offered", 1)
    assert error(record("exchange-ru", box(CARDS, "swap 2c Ts", "swap Ts Ad", "swap Ad Kd", "bet"))) == (
        "not_allowed_now",
        1,
    )


@pytest.mark.parametrize(("count", "fee"), [(1, 1000), (2, 1000), (3, None), (4, None), (5, 1000)])
def test_F_swap_several_boxes_is_one_swap_a_box_for_one_ante(count: int, fee: int | None) -> None:
    first = box(CARDS, f"swap {OUT[count - 1]} {IN[count - 1]}", "fold", number=1, player="A")
    told = record("exchange-ru", first, box("5c 5h 7d 8d Qh", "fold", number=2, player="A"))
    if fee is None:
        assert error(told) == ("not_offered", 1)
    else:
        assert settle(told)["boxes"][0]["taken"] == {"ante": 1000, "swap": fee}
    again = box(CARDS, "swap 2c Ts", "swap Ts Ad", "fold", number=1, player="A")
    assert error(record("exchange-ru", again, box("5c 5h 7d 8d Qh", "fold", number=2, player="A"))) == (
        "not_allowed_now",
        1,
    )


def test_F_blind_boxes_beside_one_open_box_leave_it_its_two_swaps() -> None:
    told = record(
        "exchange-ru",
        box(CARDS, "swap 2c4h TsTd", "swap Ts Ad", "fold", number=1, player="A"),
        box("5c 5h 7d 8d Qh", number=2, player="A", blind=True),
    )
    assert settle(told)["boxes"][0]["taken"] == {"ante": 1000, "swap": 2500}


def test_the_hand_after_the_swap_is_what_counts() -> None:
    settled = one("exchange-ru", CARDS, "swap 4h2c 9h5d", "swap 5d 6d", "bet")
    assert settled["hand"] == "full house"
    assert settled["paid"] == {"ante": 1000, "bet": 14000}


def test_the_best_five_of_six_count_after_buying() -> None:
    settled = one("vesuvius-ro", "7d 6d 5s 4c 3d", "buy 2c", "bet")
    assert (settled["hand"], settled["paid"]) == ("straight", {"bet": 8000})
    assert one("vesuvius-ro", "Ad 9d 7d 4d 2c", "buy 3d", "bet")["hand"] == "flush"


def test_V_buy_pays_one_combination_only() -> None:
    assert "second" not in one("vesuvius-ro", "Td 9h 8s 7c 6d", "buy 5h", "bet")


@pytest.mark.parametrize("ruleset", ["vesuvius-ro", "russian-ua"])
@pytest.mark.parametrize(
    "words",
    [
        ("swap 2c Ts", "swap Ts Td"),
        ("buy Ts", "buy Td"),
        ("swap 2c Ts", "buy Td"),
        ("buy Ts", "swap 2c Td"),
    ],
)
def test_V_and_R_swap_or_buy_once_and_not_both(ruleset: str, words: tuple[str, ...]) -> None:
    assert error(record(ruleset, box(CARDS, *words, "bet"))) == ("not_allowed_now", 1)


@pytest.mark.parametrize("ruleset", ["caribbean-ee", "caribbean-gr"])
@pytest.mark.parametrize("word", ["swap 2c Ts", "buy Ts", "insure 2000"])
def test_C_and_G_have_nothing_but_bet_and_fold(ruleset: str, word: str) -> None:
    assert error(record(ruleset, box(CARDS, word, "bet"))) == ("not_offered", 1)


@pytest.mark.parametrize("ruleset", ["oasis-ua", "exchange-ru"])
def test_O_and_F_sell_no_sixth_card(ruleset: str) -> None:
    assert error(record(ruleset, box(CARDS, "buy Ts", "bet"))) == ("not_offered", 1)


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("swap As Ts", "card_not_held"),
        ("swap 2c2c TsTd", "duplicate_card"),
        ("swap 2c TsTd", "wrong_card_count"),
        ("swap 2c4h Ts", "wrong_card_count"),
        ("swap 2c 9d", "duplicate_card"),
        ("swap 2c 2c", "duplicate_card"),
        ("swap 2c4h TsTs", "duplicate_card"),
        ("swap 2c 1s", "bad_card"),
        ("swap 2x Ts", "bad_card"),
        ("buy TsTd", "wrong_card_count"),
        ("buy 9d", "duplicate_card"),
        ("buy 1s", "bad_card"),
    ],
)
def test_cards_out_must_be_held_and_cards_in_be_new(word: str, code: str) -> None:
    assert error(record("vesuvius-ro", box(CARDS, word, "bet"))) == (code, 1)


def test_a_card_swapped_out_does_not_come_back() -> None:
    told = record("vesuvius-ro", box(CARDS, "swap 2c Ts", "bet"), box("5c 5h 7d 8d Qh", "swap Qh 2c", "bet", number=2))
    assert error(told) == ("duplicate_card", 2)


def test_a_card_bought_is_not_the_dealers() -> None:
    assert error(record("vesuvius-ro", box(CARDS, "buy Ah", "bet"), dealer=GAME)) == ("duplicate_card", None)


def test_a_swap_is_not_offered_when_the_deck_has_too_few_cards_left() -> None:
    ranks, deck = "23456789TJQKA", []
    deck = [rank + suit for suit in "cdhs" for rank in ranks]
    hands = [deck[5 * n : 5 * n + 5] for n in range(6)]
    left = deck[30:]
    boxes = []
    for number in range(1, 5):
        new, left = left[:5], left[5:]
        boxes.append(
            box(" ".join(hands[number]), f"swap {''.join(hands[number])} {''.join(new)}", "fold", number=number)
        )
    last = hands[5]
    two = box(" ".join(last), f"swap {''.join(last[:2])} {''.join(left)}", "fold", number=5)
    answer = settle(record("vesuvius-ro", *boxes, two, dealer=" ".join(hands[0])))
    assert answer["boxes"][4]["taken"] == {"ante": 1000, "swap": 1000}
    three = box(" ".join(last), f"swap {''.join(last[:3])} {''.join(left)}2c", "fold", number=5)
    assert error(record("vesuvius-ro", *boxes, three, dealer=" ".join(hands[0]))) == ("not_offered", 5)


def test_fees_follow_the_ante_and_need_not_be_chips() -> None:
    settled = one("exchange-ru", CARDS, "swap 4h2c TsTd", "fold", ante=500, table={"chip": 100, "min": 100})
    assert ends(settled) == ({}, {"ante": 500, "swap": 750}, {})


def test_a_swap_after_the_hand_is_decided_is_too_late() -> None:
    for words in (("bet", "swap 2c Ts"), ("fold", "swap 2c Ts"), ("bet", "buy Ts"), ("fold", "buy Ts")):
        assert error(record("vesuvius-ro", box(CARDS, *words), dealer=NO_GAME)) == ("not_allowed_now", 1)
