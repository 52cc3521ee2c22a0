"""Poker hands of five to seven cards as one number: the higher number is the better hand, equal numbers push.

There are 7,462 different five-card hands when suits do not rank. Their numbers, 0 to 7,461, are given out here in the
order of the sheets: by category, then card by card, groups first. Every table that depends on a hand (its category,
what a sheet pays for it, whether the dealer qualifies with it) is then a row of 7,462 entries. The ace-king hand, a
category of its own on the sheets, is the upper end of the high cards, so it needs no exception.
"""

from collections.abc import Iterable
from itertools import combinations
from typing import Final

from domain.cards import RANK_SHIFT, SUIT_SHIFT, SUITS_MASK

HANDS: Final = (
    "high card",
    "ace-king",
    "pair",
    "two pairs",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
)
"""The categories, low to high; a category's number is its place here."""

FIVE_CARD_HANDS: Final = (
    1_135_260, 167_280, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4,
)  # fmt: skip
"""How many of the 2,598,960 hands of five cards are of each category."""

(
    HIGH_CARD,
    ACE_KING,
    PAIR,
    TWO_PAIRS,
    THREE,
    STRAIGHT,
    FLUSH,
    FULL_HOUSE,
    FOUR,
    STRAIGHT_FLUSH,
    ROYAL_FLUSH,
) = range(11)

_ACE, _KING = 12, 11
_WHEEL: Final = (12, 3, 2, 1, 0)
"""The ranks of the lowest straight as they sort: the ace first, although it counts as one there."""


def straight_top(ranks: tuple[int, ...]) -> int | None:
    """The highest rank of a straight made of five distinct ranks, highest first; None where they make none."""
    if ranks == _WHEEL:
        return 3
    return ranks[0] if ranks[0] - ranks[4] == 4 else None


def _key(counts: Iterable[tuple[int, int]]) -> int:
    return sum(count << 3 * rank for rank, count in counts)


def _grouped_classes() -> Iterable[tuple[tuple[int, ...], int, bool]]:
    """Every hand with a group of equal ranks: (category and ranks as they compare, rank key, ace and king held)."""
    shapes = (
        (PAIR, (2, 1, 1, 1)),
        (TWO_PAIRS, (2, 2, 1)),
        (THREE, (3, 1, 1)),
        (FULL_HOUSE, (3, 2)),
        (FOUR, (4, 1)),
    )
    for category, shape in shapes:
        for ranks in _ranks_in_shape(shape):
            held = _ACE in ranks and _KING in ranks
            yield (category, *ranks), _key(zip(ranks, shape, strict=True)), held


def _ranks_in_shape(shape: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
    """Distinct ranks for the groups of `shape`; groups of one size come highest first."""
    groups = [size for size in shape if size > 1]
    singles = len(shape) - len(groups)
    for tops in combinations(range(12, -1, -1), len(groups)):
        orders = (tops,) if len(set(groups)) <= 1 else (tops, tops[::-1])
        for order in orders:
            rest = [rank for rank in range(12, -1, -1) if rank not in order]
            for kickers in combinations(rest, singles):
                yield (*order, *kickers)


def _distinct_classes() -> Iterable[tuple[tuple[int, ...], int, bool, tuple[int, ...]]]:
    """Every hand of five distinct ranks, unsuited and suited: as above, and the ranks of the suited ones."""
    for ranks in combinations(range(12, -1, -1), 5):
        key = _key((rank, 1) for rank in ranks)
        held = ranks[:2] == (_ACE, _KING)
        top = straight_top(ranks)
        if top is None:
            yield (ACE_KING if held else HIGH_CARD, *ranks), key, held, ()
            yield (FLUSH, *ranks), -1, held, ranks
        else:
            yield (STRAIGHT, top), key, held, ()
            yield (ROYAL_FLUSH if top == _ACE else STRAIGHT_FLUSH, top), -1, held, ranks


def _build() -> tuple[dict[int, int], list[int], bytes, bytes]:
    rows: list[tuple[tuple[int, ...], int, bool, tuple[int, ...]]]
    rows = [(order, key, held, ()) for order, key, held in _grouped_classes()]
    rows += _distinct_classes()
    rows.sort(key=lambda row: row[0])
    by_ranks: dict[int, int] = {}
    suited = [-1] * 8192
    for strength, (_, key, _, ranks) in enumerate(rows):
        if key >= 0:
            by_ranks[key] = strength
        else:
            suited[sum(1 << rank for rank in ranks)] = strength
    for mask in range(8192):
        if mask.bit_count() > 5:
            # Dropping the lowest or any other rank of a longer suit was looked at before: such masks are smaller.
            suited[mask] = max(suited[mask & ~(1 << rank)] for rank in range(13) if mask >> rank & 1)
    return by_ranks, suited, bytes(row[0][0] for row in rows), bytes(int(row[2]) for row in rows)


_BY_RANKS, _SUITED, CATEGORY, HOLDS_ACE_KING = _build()
"""CATEGORY[strength]: the category's number. HOLDS_ACE_KING[strength]: 1 where its cards hold an ace and a king."""

CLASSES: Final = len(CATEGORY)
NAME: Final = tuple(HANDS[category] for category in CATEGORY)
"""NAME[strength]: the category's name."""

LOWEST: Final = tuple(CATEGORY.index(category) for category in range(len(HANDS)))
"""LOWEST[category]: the strength from which a hand is of this category or better."""


def strength(total: int) -> int:
    """The strength of the best five of five to seven distinct cards, given as the sum of their packed cards."""
    ranks = total >> RANK_SHIFT
    found = _BY_RANKS.get(ranks)
    if found is None:
        found = _BY_RANKS[ranks] = _best_by_ranks(ranks)
    suits = total >> SUIT_SHIFT & SUITS_MASK
    if suits + 0x3333 & 0x8888:  # some suit has five cards or more: its digit passes 7
        found = max(found, _best_suited(total, suits))
    return found


def _best_suited(total: int, suits: int) -> int:
    suit = next(suit for suit in range(4) if suits >> 4 * suit & 15 >= 5)
    return _SUITED[total >> 13 * suit & 8191]


def _best_by_ranks(ranks: int) -> int:
    """Best five of six or seven by ranks alone: leave out one card at a time. Remembered by the caller."""
    left_out = [ranks - (1 << 3 * rank) for rank in range(13) if ranks >> 3 * rank & 7]
    return max(_BY_RANKS[key] if key in _BY_RANKS else _best_by_ranks(key) for key in left_out)


def strength_of_ranks(ranks: Iterable[int]) -> int:
    """The strength of five cards of these ranks (0 a two, 12 an ace), not all of one suit."""
    return _BY_RANKS[sum(1 << 3 * rank for rank in ranks)]
