"""The additional combination of a sheet that pays two, found by trying every subset of the cards (R.combinations)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Final, NamedTuple

from domain.shadow.hands import ACE, KING, STRENGTH, Cards, five
from domain.shadow.scales import line_or_lowest, odds

_ALL_FIVE: Final = frozenset({"straight", "flush", "full house", "straight flush", "royal flush"})
_OF_GROUPS: Final = {(2,): "pair", (3,): "three of a kind", (2, 2): "two pairs", (4,): "four of a kind"}


class Additional(NamedTuple):
    """What else is paid. Ordered as the sheet chooses: the better paid, of equals the higher in the hand order."""

    pays: Fraction
    strength: int
    name: str


def additional(cards: Cards, table: Mapping[str, str]) -> Additional | None:
    """The best paid combination with a card that the main combination does not use; None where there is none."""
    found = [
        Additional(odds(line_or_lowest(table, name)), STRENGTH[name], name)
        for main in _mains(cards)
        for size in range(2, 6)
        for chosen in combinations(cards, size)
        if not main.issuperset(chosen) and (name := _exactly(chosen)) is not None
    ]
    return max(found, default=None)


def _mains(cards: Cards) -> Iterator[frozenset[object]]:
    """The cards of the main combination, without kickers; more than one set where equal fives can be chosen."""
    hands = {chosen: five(chosen) for chosen in combinations(cards, 5)}
    top = max(hands.values())
    for chosen, hand in hands.items():
        if hand == top:
            own = [part for size in range(2, 6) for part in combinations(chosen, size) if _exactly(part) == top.name]
            yield from (frozenset(part) for part in own or [()])


def _exactly(cards: Cards) -> str | None:
    """The combination that these cards are, all of them and no kicker beside; None where they are none."""
    if len(cards) == 5 and (name := five(cards).name) in _ALL_FIVE:
        return name
    ranks = Counter(card.rank for card in cards)
    if set(ranks) == {ACE, KING} and len(cards) == 2:
        return "ace-king"
    return _OF_GROUPS.get(tuple(sorted(ranks.values())))
