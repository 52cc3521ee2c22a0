"""The additional combination and the ace-king bonus: what a winning bet is paid for beside its main hand."""

import pytest

from tests.rules.rounds import GAME, NO_GAME, box, ends, one, record, settle


@pytest.mark.parametrize(
    ("cards", "bought", "hand", "second", "pays"),
    [
        ("7d 7h As Kd 2c", None, "pair", "ace-king", 2),
        ("Ad Ac As Kd 2c", None, "three of a kind", "ace-king", 4),
        ("Qd Qc Qs Qh As", "Kd", "four of a kind", "ace-king", 21),
        ("Td 9h 8s 7c 6d", "5h", "straight", "straight", 8),
        ("9d 8h 7h 6c 5d", "9h", "straight", "straight", 8),
        ("Kd Jd 9d 7d 5d", "3d", "flush", "flush", 10),
        ("Qd Qc Qs Jh Jd", "Js", "full house", "full house", 14),
        ("Qd Qc Qs Qh Jd", "Js", "four of a kind", "full house", 27),
        ("9d 9h 8s 8d 7d", "7h", "two pairs", "two pairs", 4),
        ("9d 9h 9s 6c 6d", None, "full house", None, 7),
        ("9d 8h 7h 6c 5d", None, "straight", None, 4),
        ("9d 9h 9s 6c 5d", None, "three of a kind", None, 3),
        ("9d 9h 9s 6c 5d", "4d", "three of a kind", None, 3),
    ],
)
def test_R_combinations_pay_the_main_and_the_highest_paying_other(
    cards: str, bought: str | None, hand: str, second: str | None, pays: int
) -> None:
    words = ("bet",) if bought is None else (f"buy {bought}", "bet")
    settled = one("russian-ua", cards, *words)
    assert (settled["hand"], settled.get("second")) == (hand, second)
    assert settled["paid"] == {"bet": 2000 * pays}


def test_R_combinations_need_the_main_hand_to_win() -> None:
    settled = one("russian-ua", "7d 7h As Kd 2c", "bet", dealer="9h 9c 8c 7s 3h")
    assert "second" not in settled
    assert settled["taken"] == {"ante": 1000, "bet": 2000}


def test_R_combinations_push_against_an_equal_hand() -> None:
    settled = one("russian-ua", "7d 7h As Kd 2c", "bet", dealer="7c 7s Ah Kc 2h")
    assert "second" not in settled
    assert ends(settled) == ({"ante": 1000, "bet": 2000}, {}, {})


def test_R_combinations_are_not_paid_on_no_game_nor_when_folded() -> None:
    for word in ("bet", "fold"):
        settled = one("russian-ua", "7d 7h As Kd 2c", word, dealer=NO_GAME)
        assert "second" not in settled
        assert "bet" not in settled["paid"]


def test_R_combinations_count_for_a_blind_box() -> None:
    told = record(
        "russian-ua",
        box("9d 9s 6c 4h 2c", "fold", number=1, player="A"),
        box("5c 5h 7h 8d Qh", "fold", number=2, player="A"),
        box("7d 7c As Kd 2d", number=3, player="A", blind=True),
    )
    settled = settle(told)["boxes"][2]
    assert (settled["second"], settled["paid"]) == ("ace-king", {"bet": 4000})


def test_R_combinations_are_named_whatever_the_cap_leaves_of_them() -> None:
    settled = one("russian-ua", "7d 7h As Kd 2c", "bet", table={"max_payout_per_box": 1500})
    assert (settled["second"], settled["paid"], settled["capped"]) == ("ace-king", {"bet": 1500}, 2500)


def test_R_combinations_are_insured_together() -> None:
    settled = one("russian-ua", "Ad Ac As Kd 2c", "insure 8000", "bet", dealer=NO_GAME)
    assert settled["paid"] == {"insurance": 8000}


def test_elsewhere_one_combination_is_paid() -> None:
    for ruleset in ("oasis-ua", "exchange-ru", "caribbean-gr"):
        settled = one(ruleset, "Ad Ac As Kd 2c", "bet")
        assert settled["paid"] == {"ante": 1000, "bet": 6000}
        assert "second" not in settled


@pytest.mark.parametrize("cards", ["7d 7h As Kd 2c", "Ad Ac Kd 3s 2c", "Kd Ks As 3d 2c"])
def test_V_ace_king_bonus_pays_a_winning_pair_twice(cards: str) -> None:
    settled = one("vesuvius-ro", cards, "bet", dealer=GAME)
    assert settled["paid"] == {"bet": 4000}
    assert "second" not in settled


@pytest.mark.parametrize(
    ("cards", "odds"), [("7d 7h As Qd 2c", 1), ("As Kd Qh 9c 2d", 1), ("Ad Ac Kd Ks 2c", 2), ("9d 9c 9s As Kd", 3)]
)
def test_V_ace_king_bonus_is_for_one_pair_only(cards: str, odds: int) -> None:
    assert one("vesuvius-ro", cards, "bet")["paid"] == {"bet": 2000 * odds}


def test_V_ace_king_bonus_looks_at_the_best_five_of_six() -> None:
    assert one("vesuvius-ro", "2d 2s As Qd Jc", "buy Kd", "bet", dealer=GAME)["paid"] == {"bet": 4000}
