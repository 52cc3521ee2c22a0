"""The additional combination against a search through every set of cards that the definition allows."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from domain.cards import PACKED, RANK_BY_PACKED, read
from domain.hands import CATEGORY, HANDS, strength
from domain.second import Additional

OASIS = [Fraction(n) for n in (1, 1, 1, 2, 3, 4, 5, 7, 20, 50, 100)]
FLAT = [Fraction(1)] * 11
ODD = [Fraction(n) for n in (1, 9, 2, 1, 30, 4, 8, 3, 1, 5, 6)]


def own_cards(five: tuple[int, ...]) -> frozenset[int]:
    """The cards of the best combination within five cards."""
    category = CATEGORY[strength(sum(five))]
    counts = Counter(RANK_BY_PACKED[card] for card in five)
    if HANDS[category] == "ace-king":
        return frozenset(card for card in five if RANK_BY_PACKED[card] >= 11)
    if HANDS[category] in ("pair", "two pairs", "three of a kind", "four of a kind"):
        return frozenset(card for card in five if counts[RANK_BY_PACKED[card]] > 1)
    return frozenset(five)


def all_combinations(cards: list[int]):  # type: ignore[no-untyped-def]
    """(category, its own cards) of everything that the cards hold, found one set of cards at a time."""
    for size, category in ((2, "pair"), (3, "three of a kind"), (4, "four of a kind")):
        for group in combinations(cards, size):
            if len({RANK_BY_PACKED[card] for card in group}) == 1:
                yield HANDS.index(category), frozenset(group)
    for two in combinations(cards, 2):
        if {RANK_BY_PACKED[card] for card in two} == {11, 12}:
            yield HANDS.index("ace-king"), frozenset(two)
    for four in combinations(cards, 4):
        if sorted(Counter(RANK_BY_PACKED[card] for card in four).values()) == [2, 2]:
            yield HANDS.index("two pairs"), frozenset(four)
    for five in combinations(cards, 5):
        category_number = CATEGORY[strength(sum(five))]
        if HANDS[category_number] in ("straight", "flush", "full house", "straight flush", "royal flush"):
            yield category_number, frozenset(five)


def by_definition(cards: list[int], pays: list[Fraction]) -> int:
    main_five = max(combinations(cards, 5), key=lambda five: strength(sum(five)))
    main = own_cards(main_five)
    if CATEGORY[strength(sum(main_five))] == 0:
        return 0
    found = {category for category, own in all_combinations(cards) if own - main}
    return max(found, key=lambda category: (pays[category], category), default=0)


@pytest.mark.parametrize("pays", [OASIS, FLAT, ODD], ids=["oasis", "flat", "odd"])
@pytest.mark.parametrize("size", [5, 6])
def test_it_is_the_one_that_the_definition_finds(size: int, pays: list[Fraction]) -> None:
    additional, rng = Additional(pays), random.Random(size)
    decks = [
        list(PACKED),
        [card for card in PACKED if RANK_BY_PACKED[card] > 8],
        [card for card in PACKED if RANK_BY_PACKED[card] in (0, 1, 2, 3, 12)],
        [*list(PACKED[:13]), PACKED[20], PACKED[37]],
        list(PACKED[3:9]) + [PACKED[16 + n] for n in range(6)],
        [*list(PACKED[8:13]), PACKED[7], PACKED[25], PACKED[24]],
    ]
    for deck in decks:
        for _ in range(1_500):
            cards = rng.sample(deck, size)
            total = sum(cards)
            assert additional.of(total, strength(total)) == by_definition(cards, pays)


@pytest.mark.parametrize(
    ("cards", "main", "second"),
    [
        ("7d 7h As Kd 2c", "pair", "ace-king"),
        ("Ad Ah Ks 3d 2c", "pair", "ace-king"),
        ("Ad Ah As Kd 2c", "three of a kind", "ace-king"),
        ("Ad Ah As Ac Kd", "four of a kind", "ace-king"),
        ("Td 9h 8s 7c 6d 5h", "straight", "straight"),
        ("9d 8h 7s 6c 5d 9h", "straight", "straight"),
        ("Kd Jd 9d 7d 5d 3d", "flush", "flush"),
        ("Ad Ah As Kd Kc Kh", "full house", "full house"),
        ("Ad Ah As Ac Kd Kh", "four of a kind", "full house"),
        ("9d 9h 8s 8c 7d 7h", "two pairs", "two pairs"),
        ("Ad Ah As Kd Kc", "full house", None),
        ("9d 8h 7s 6c 5d", "straight", None),
        ("9d 9h 9s 6c 5d", "three of a kind", None),
        ("Ad Ah Ks Kc 5d", "two pairs", None),
        ("As Kd Qh 7c 2d", "ace-king", None),
        ("5d 4h 3s 2c Ad Kc", "straight", "ace-king"),
        ("Ks 9s 8s 4s As Kh", "flush", "pair"),
        ("Ts Js Qs Ks As 9s", "royal flush", "straight flush"),
    ],
)
def test_the_combinations_that_the_sheet_names(cards: str, main: str, second: str | None) -> None:
    total = sum(read(cards))
    held = strength(total)
    found = Additional(OASIS).of(total, held)
    assert HANDS[CATEGORY[held]] == main
    assert (HANDS[found] if found else None) == second
