"""A sheet of boxes made ready to play: every rule that depends on a hand becomes a row of 7,462 entries."""

from fractions import Fraction
from math import lcm
from typing import Final, NamedTuple

from domain.hands import CATEGORY, CLASSES, HANDS, HOLDS_ACE_KING, LOWEST, strength_of_ranks
from domain.ruleset.boxes import OddsTable

KINDS: Final = ("ante", "bet", "bonus", "jackpot", "swap", "buy", "insurance", "dealer_card")
"""The kinds of stake, in the order in which a settlement lists them."""

_RANK_OF: Final = {
    name: rank
    for rank, name in enumerate(("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace"))
}


_LOWEST_RANKS: Final = (0, 1, 2, 3, 4)
_GROUPS: Final = {"pair": (2, 1), "three of a kind": (3, 1), "full house": (3, 2), "four of a kind": (4, 1)}
"""Hands whose qualifier may name a rank: the size of the group that it means, and of the groups beside it."""


class Why(NamedTuple):
    """The reason of an output: the sheet's clause and a word for people (for a payout: the odds as printed)."""

    clause: str
    reason: str


class Pay:
    """What a stake earns: `per` (num, den) times the stake, or a fixed `prize`."""

    __slots__ = ("den", "num", "prize", "why")

    def __init__(self, num: int, den: int, why: Why, prize: int = 0) -> None:
        self.num = num
        self.den = den
        self.prize = prize
        self.why = why

    def due(self, stake: int) -> int:
        """Winnings in minor units; whole, since the chip is a multiple of the sheet's chip step."""
        return self.prize or stake * self.num // self.den


def pay_of(clause: str, odds: str) -> Pay:
    """ "3:1" under a clause."""
    num, den = map(int, odds.split(":"))
    return Pay(num, den, Why(clause, odds))


def prize_of(clause: str, amount: int) -> Pay:
    """A fixed sum of minor units under a clause."""
    return Pay(0, 1, Why(clause, f"prize {amount // 100}.{amount % 100:02d}"), amount)


PayRow = list[Pay | None]
"""A pay (or nothing) for each of the eleven categories."""


def row_of(by_hand: dict[str, Pay], *, lowest_for_all: bool) -> PayRow:
    """Each category's pay: its own line, else the next lower one; below the lowest line that one, or nothing."""
    row: PayRow = []
    current = min(by_hand.items(), key=lambda line: HANDS.index(line[0]))[1] if lowest_for_all else None
    for hand in HANDS:
        current = by_hand.get(hand, current)
        row.append(current)
    return row


def odds_row(table: OddsTable, *, lowest_for_all: bool) -> PayRow:
    """The row of a printed table of odds."""
    return row_of(
        {hand: pay_of(table.clause, odds) for hand, odds in table.odds.items()}, lowest_for_all=lowest_for_all
    )


def by_strength(row: PayRow) -> PayRow:
    """The row of a category stretched over all hands."""
    return [row[CATEGORY[strength]] for strength in range(CLASSES)]


def with_held_bonus(stretched: PayRow, clause: str, hand: str, times: int) -> PayRow:
    """Hands of this category that hold an ace and a king, paid `times` over under the bonus's own clause."""
    category = HANDS.index(hand)
    return [
        Pay(pay.num * times, pay.den, Why(clause, " + ".join([pay.why.reason] * times)))
        if pay is not None and HOLDS_ACE_KING[strength] and CATEGORY[strength] == category
        else pay
        for strength, pay in enumerate(stretched)
    ]


def qualifier_of(text: str) -> int:
    """The strength from which the dealer has a game; the words are those that the shape of the rules lets through."""
    if text == "any":
        return 0
    if text == "ace-or-king":
        return strength_of_ranks((*_LOWEST_RANKS[:4], _RANK_OF["king"]))
    if text in HANDS:
        return LOWEST[HANDS.index(text)]
    hand, _, rank = text.rpartition(" of ")
    return _lowest_group(_GROUPS[hand], _RANK_OF[rank])


def _lowest_group(sizes: tuple[int, int], rank: int) -> int:
    """The lowest hand whose (larger) group is of this rank: the other cards are the lowest there can be."""
    others = [other for other in _LOWEST_RANKS if other != rank]
    size, rest = sizes
    filler = others[: 5 - size] if rest == 1 else others[:1] * rest
    return strength_of_ranks((*[rank] * size, *filler))


def antes_of(text: str) -> Fraction:
    """A price in antes."""
    return Fraction(text)


def chip_step_of(antes: list[Fraction], odds: list[tuple[Fraction, Pay]]) -> int:
    """The least chip for which no amount is ever a part of a minor unit.

    antes: prices in antes. odds: stakes in antes, each with what may be paid on it.
    """
    parts = [price.denominator for price in antes]
    parts += [(stake * Fraction(pay.num, pay.den)).denominator for stake, pay in odds]
    return lcm(*parts)
