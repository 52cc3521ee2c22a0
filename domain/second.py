"""The additional combination: what else a hand of five or six cards holds beside its main one.

A combination is just its own cards: ace-king two, a pair two, two pairs four, three of a kind three, four of a kind
four, the others five. It counts when it uses at least one card that the main combination does not use. Cards of one
rank stand in for each other, so that is the same as using a rank of which the hand holds more cards than the main one
uses; only where a suit has five or six cards does it matter which card it is, and there the one card outside the main
hand decides.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from domain.cards import RANK_SHIFT, SUIT_SHIFT, SUITS_MASK
from domain.hands import (
    ACE_KING,
    CATEGORY,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIRS,
)

_ACE: Final = 1 << 12
_KING: Final = 1 << 11
_STRAIGHTS: Final = (*(0b11111 << low for low in range(8, -1, -1)), _ACE | 0b1111)
"""The ranks of each straight, highest first."""

Ranks = tuple[int, int, int, int]
"""Masks of 13 ranks: those held at least once, twice, three times, four times."""

_OCTAL_ONES: Final = int("1" * 13, 8)


def _ranks(key: int) -> Ranks:
    held = [0, 0, 0, 0]
    for rank in range(13):
        count = key >> 3 * rank & 7
        for times in range(min(count, 4)):
            held[times] |= 1 << rank
    return held[0], held[1], held[2], held[3]


def _top(mask: int) -> int:
    """The highest rank of a mask, as a mask."""
    return 1 << mask.bit_length() >> 1


def _straight(mask: int) -> int:
    """The ranks of the highest straight in a mask; 0 where there is none."""
    return next((straight for straight in _STRAIGHTS if straight & mask == straight), 0)


def _beside_groups(category: int, ranks: Ranks) -> int:
    """The ranks with a card that a main combination made by ranks alone does not use."""
    once, twice, thrice, four = ranks
    if category == ACE_KING:
        return once & ~(_ACE | _KING) | twice
    if category == PAIR:
        return once & ~_top(twice)
    if category == TWO_PAIRS:
        high = _top(twice)
        return once & ~(high | _top(twice & ~high))
    if category == THREE:
        return once & ~_top(thrice)
    if category == FOUR:
        return once & ~_top(four)
    if category == STRAIGHT:
        return once & ~_straight(once) | twice
    if category == FULL_HOUSE:
        threes = _top(thrice)
        pair = _top(twice & ~threes)
        return once & ~(threes | pair) | thrice & pair
    return 0  # a high card pays no second time, and nothing that it holds makes a combination


def _has_pair(ranks: Ranks, beside: int) -> bool:
    return bool(ranks[1] & beside)


def _has_two_pairs(ranks: Ranks, beside: int) -> bool:
    twice = ranks[1]
    return twice.bit_count() >= 2 and bool(twice & beside)


def _has_full_house(ranks: Ranks, beside: int) -> bool:
    _, twice, thrice, _ = ranks
    return any(
        twice & ~three and (three & beside or twice & ~three & beside)
        for three in (1 << rank for rank in range(13) if thrice >> rank & 1)
    )


def _has_straight(ranks: Ranks, beside: int) -> bool:
    return any(straight & ranks[0] == straight and straight & beside for straight in _STRAIGHTS)


def _has_ace_king(ranks: Ranks, beside: int) -> bool:
    both = _ACE | _KING
    return ranks[0] & both == both and bool(beside & both)


_BY_RANKS: Final[dict[int, Callable[[Ranks, int], bool]]] = {
    ACE_KING: _has_ace_king,
    PAIR: _has_pair,
    TWO_PAIRS: _has_two_pairs,
    THREE: lambda ranks, beside: bool(ranks[2] & beside),
    STRAIGHT: _has_straight,
    FULL_HOUSE: _has_full_house,
    FOUR: lambda ranks, beside: bool(ranks[3] & beside),
}


def _suited_beside(total: int, suit: int) -> tuple[int, int]:
    """Of a hand with a flush: the suit's ranks, and the rank outside the main five (0: only five cards)."""
    suited = total >> 13 * suit & 8191
    if suited.bit_count() == 5:
        everything = total >> RANK_SHIFT
        outside = everything - sum(1 << 3 * rank for rank in range(13) if suited >> rank & 1)
        return suited, 1 << (outside.bit_length() - 1) // 3 if outside else 0
    main = _straight(suited) or suited & ~(suited & -suited)
    return suited, suited & ~main


class Additional:
    """The additional combinations of one sheet: which pay most is the sheet's own to say.

    pays: winnings per unit for each of the eleven categories.
    """

    def __init__(self, pays: Sequence[Fraction]) -> None:
        order = sorted(range(ACE_KING, ROYAL_FLUSH + 1), key=lambda category: (pays[category], category), reverse=True)
        self._order = tuple(order)
        self._known: dict[int, int] = {}

    def of(self, total: int, strength: int) -> int:
        """The category of the highest-paying additional combination, of two alike the higher; 0 where there is none.

        total: the sum of five or six packed cards; strength: that of their best five.
        """
        category = CATEGORY[strength]
        if category == HIGH_CARD:
            return 0
        suits = (total >> SUIT_SHIFT & SUITS_MASK) + 0x3333 & 0x8888
        if suits:
            return self._of_suited(total, (suits.bit_length() - 1) // 4)
        key = total >> RANK_SHIFT
        found = self._known.get(key)
        if found is None:
            ranks = _ranks(key)
            found = self._known[key] = self._first(ranks, _beside_groups(category, ranks))
        return found

    def _first(self, ranks: Ranks, beside: int) -> int:
        if not beside:
            return 0
        return next((c for c in self._order if c in _BY_RANKS and _BY_RANKS[c](ranks, beside)), 0)

    def _of_suited(self, total: int, suit: int) -> int:
        suited, beside = _suited_beside(total, suit)
        if not beside:
            return 0
        ranks = _ranks(total >> RANK_SHIFT)
        return next((c for c in self._order if _in_suited(c, ranks, suited, beside)), 0)


def _in_suited(category: int, ranks: Ranks, suited: int, beside: int) -> bool:
    """Whether a hand with a flush also holds `category` with its one card outside the main five."""
    six_of_suit = suited.bit_count() == 6
    if category == FLUSH:
        return six_of_suit
    if category == STRAIGHT_FLUSH:
        return six_of_suit and any(s & suited == s and s & beside for s in _STRAIGHTS[1:])
    if category == ROYAL_FLUSH or (category == STRAIGHT and six_of_suit):
        return False
    return _BY_RANKS[category](ranks, beside)
