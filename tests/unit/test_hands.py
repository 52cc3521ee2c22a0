"""Hand ranking against an independent evaluator: all five-card hands, and the best five of six and seven by sample."""

import random
from itertools import combinations

import pytest
from phevaluator.evaluator import evaluate_5cards, evaluate_6cards, evaluate_7cards

from domain.cards import NAMES, PACKED, read
from domain.hands import CATEGORY, CLASSES, HANDS, HOLDS_ACE_KING, LOWEST, NAME, strength

# The other evaluator numbers cards 4 x rank + suit, and hands from 1, the best, to 7462.
THEIRS = [4 * "23456789TJQKA".index(name[0]) + "cdhs".index(name[1]) for name in NAMES]
HANDS_BY_CATEGORY = {
    "high card": 1_302_540 - 167_280,
    "ace-king": 167_280,
    "pair": 1_098_240,
    "two pairs": 123_552,
    "three of a kind": 54_912,
    "straight": 10_200,
    "flush": 5_108,
    "full house": 3_744,
    "four of a kind": 624,
    "straight flush": 36,
    "royal flush": 4,
}


def test_all_2598960_five_card_hands_rank_as_the_independent_evaluator_ranks_them() -> None:
    theirs_of: dict[int, int] = {}
    count = [0] * CLASSES
    for a, b, c, d, e in combinations(range(52), 5):
        ours = strength(PACKED[a] + PACKED[b] + PACKED[c] + PACKED[d] + PACKED[e])
        theirs = evaluate_5cards(THEIRS[a], THEIRS[b], THEIRS[c], THEIRS[d], THEIRS[e])
        if theirs_of.setdefault(ours, theirs) != theirs:
            pytest.fail(f"{NAMES[a]} {NAMES[b]} {NAMES[c]} {NAMES[d]} {NAMES[e]} shares a rank with another hand")
        count[ours] += 1
    assert sum(count) == 2_598_960
    assert [theirs_of[ours] for ours in range(CLASSES)] == list(range(CLASSES, 0, -1))
    by_category = dict.fromkeys(HANDS, 0)
    for ours, hands in enumerate(count):
        by_category[NAME[ours]] += hands
    assert by_category == HANDS_BY_CATEGORY


@pytest.mark.parametrize(("size", "evaluate"), [(6, evaluate_6cards), (7, evaluate_7cards)])
def test_the_best_five_of_more_cards_is_the_independent_evaluators(size: int, evaluate) -> None:  # type: ignore[no-untyped-def]
    rng = random.Random(size)
    for rich in (range(52), range(20, 52), [n for n in range(52) if n % 13 > 6], [*list(range(13)), 20, 33, 46]):
        for _ in range(40_000):
            hand = rng.sample(rich, size)
            ours = strength(sum(PACKED[n] for n in hand))
            assert CLASSES - ours == evaluate(*(THEIRS[n] for n in hand)), [NAMES[n] for n in hand]


def test_the_best_five_is_never_less_than_any_five() -> None:
    rng = random.Random(5)
    for _ in range(3_000):
        hand = [PACKED[n] for n in rng.sample(range(52), 7)]
        assert strength(sum(hand)) == max(strength(sum(five)) for five in combinations(hand, 5))


def hand(text: str) -> int:
    return strength(sum(read(text)))


def test_ace_king_is_a_high_card_hand_above_all_others() -> None:
    lowest_ace_king, best_without = hand("As Kd 4h 3c 2d"), hand("As Qd Jh Tc 9d")
    assert NAME[lowest_ace_king] == "ace-king"
    assert NAME[best_without] == "high card"
    assert lowest_ace_king == best_without + 1 == LOWEST[HANDS.index("ace-king")]
    assert hand("As Kd Qh Jc 9d") < hand("2s 2d 3h 4c 5d")


def test_every_category_starts_where_the_one_below_ends() -> None:
    for category, lowest in enumerate(LOWEST):
        assert CATEGORY[lowest] == category
        assert lowest == 0 or CATEGORY[lowest - 1] == category - 1


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ("As 2d 3h 4c 5s", "2d 3h 4c 5s 6s"),
        ("9s Td Jh Qc Ks", "Td Jh Qc Ks As"),
        ("8h 8c 8d As Ad", "9d 9s 9c 2h 2c"),
        ("Kh Qh Jh 9h 8h", "Ad 6d 4d 3d 2d"),
        ("8c 8s Kh Qd Jh", "8d 8h Ac 5h 2d"),
        ("8d 8h Kc Qh Td", "8c 8s Kh Qd Jh"),
        ("Ks Kd Qs Qd As", "As Ad 2s 2d 3s"),
    ],
)
def test_equal_categories_compare_card_by_card_groups_first(lower: str, higher: str) -> None:
    assert hand(lower) < hand(higher)


def test_suits_never_rank() -> None:
    assert hand("8d 8h Kc Qh Jd") == hand("8c 8s Kh Qd Jh")


def test_ace_and_king_held_is_known_of_every_hand() -> None:
    assert HOLDS_ACE_KING[hand("7d 7h As Kd 2c")]
    assert HOLDS_ACE_KING[hand("Ad Ah Ks 3d 2c")]
    assert not HOLDS_ACE_KING[hand("Ad Ah Qs 3d 2c")]
