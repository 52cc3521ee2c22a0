"""Hands by counting: a hand is ranked by how often each rank is in it, and the best of more cards by trying them all.

Slow and plain on purpose: two ways of ranking that agree on a hand are worth more than one way that is fast.
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from domain.cards import RANKS, SUITS
from domain.shadow.unsure import ShadowUnsure

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
"""The hand order of all sheets, low to high."""

STRENGTH: Final = {name: place for place, name in enumerate(HANDS)}
ACE: Final = 14
KING: Final = 13
_RANK: Final = {name: number for number, name in enumerate(RANKS, start=2)}
_WHEEL: Final = (14, 5, 4, 3, 2)
_BY_SHAPE: Final = {
    (1, 1, 1, 1, 1): "high card",
    (2, 1, 1, 1): "pair",
    (2, 2, 1): "two pairs",
    (3, 1, 1): "three of a kind",
    (3, 2): "full house",
    (4, 1): "four of a kind",
}


class Card(NamedTuple):
    """rank 2 to 14, an ace high; suit as it is written."""

    rank: int
    suit: str


Cards: TypeAlias = tuple[Card, ...]


class Hand(NamedTuple):
    """A ranked five-card hand. Two hands compare as their strength and then their ranks, groups before kickers."""

    strength: int
    ranks: tuple[int, ...]

    @property
    def name(self) -> str:
        return HANDS[self.strength]


def cards_of(text: str) -> Cards:
    """The cards of "As Kd" or "AsKd"."""
    names = text.replace(" ", "")
    pairs = zip(names[::2], names[1::2], strict=True)
    cards = tuple(Card(_RANK[rank], suit) for rank, suit in pairs)
    if any(card.suit not in SUITS for card in cards):
        raise ShadowUnsure(f"{text!r} are no cards")
    return cards


@lru_cache(maxsize=1024)
def five(cards: Cards) -> Hand:
    """The rank of exactly five cards. Remembered, since a round asks several times of the same ones."""
    counted = Counter(card.rank for card in cards)
    groups = sorted(((count, rank) for rank, count in counted.items()), reverse=True)
    ranks = tuple(rank for _, rank in groups)
    name = _BY_SHAPE[tuple(count for count, _ in groups)]
    if name != "high card":
        return Hand(STRENGTH[name], ranks)
    one_suit = len({card.suit for card in cards}) == 1
    in_row = ranks == _WHEEL or ranks[0] - ranks[4] == 4
    if in_row:
        ranks = (5, 4, 3, 2, 1) if ranks == _WHEEL else ranks
        flush = "royal flush" if ranks[0] == ACE else "straight flush"
        return Hand(STRENGTH[flush if one_suit else "straight"], ranks)
    if one_suit:
        return Hand(STRENGTH["flush"], ranks)
    return Hand(STRENGTH["ace-king" if ranks[:2] == (ACE, KING) else "high card"], ranks)


@lru_cache(maxsize=1024)
def best(cards: Cards) -> Hand:
    """The best five-card hand in five or more cards: all of them tried."""
    if len(cards) == 5:
        return five(cards)
    return max(five(chosen) for chosen in combinations(cards, 5))
