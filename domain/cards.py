"""Cards: text such as "As Kd" in, packed integers inside.

A packed card is one integer that can be added: the sum of a hand's cards says which cards it holds (a bit each), how
many it holds of each suit (a hexadecimal digit each) and of each rank (an octal digit each). Distinct cards never carry
from one field into the next as long as there are no more than seven, which is all that any hand has.
"""

from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
NAMES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The deck in order: card number = 13 x suit + rank, both from 0."""

SUIT_SHIFT: Final = 52
RANK_SHIFT: Final = 68
DECK_MASK: Final = (1 << 52) - 1
SUITS_MASK: Final = 0xFFFF

PACKED: Final = tuple(
    1 << number | 1 << (SUIT_SHIFT + 4 * (number // 13)) | 1 << (RANK_SHIFT + 3 * (number % 13)) for number in range(52)
)
PACKED_BY_NAME: Final = dict(zip(NAMES, PACKED, strict=True))
NAME_BY_PACKED: Final = dict(zip(PACKED, NAMES, strict=True))
RANK_BY_PACKED: Final = {packed: number % 13 for number, packed in enumerate(PACKED)}


class BadCardError(ValueError):
    """Text that is no row of cards; the message names the part that is none."""


def read(text: str) -> list[int]:
    """The packed cards of "As Kd" or "AsKd", in the order written. Raises BadCardError."""
    try:
        return [PACKED_BY_NAME[name] for name in text.split(" ")]
    except KeyError:
        return _read_unspaced(text)


def _read_unspaced(text: str) -> list[int]:
    joined = text.replace(" ", "")
    cards = []
    for start in range(0, len(joined), 2):
        name = joined[start : start + 2]
        packed = PACKED_BY_NAME.get(name)
        if packed is None:
            raise BadCardError(f"{name!r} is no card; a card is one of {RANKS} followed by one of {SUITS}")
        cards.append(packed)
    return cards


def text_of(cards: list[int]) -> str:
    """The cards as they are written: "As Kd"."""
    return " ".join([NAME_BY_PACKED[card] for card in cards])


def are_distinct(total: int, count: int) -> bool:
    """Whether a sum of `count` cards holds each card once: carries can only lose bits, never make any."""
    return (total & DECK_MASK).bit_count() == count


def rank_key(total: int) -> int:
    """How many cards of each rank a sum holds: an octal digit a rank, twos lowest."""
    return total >> RANK_SHIFT
