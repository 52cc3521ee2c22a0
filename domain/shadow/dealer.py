"""The dealer's cards: whether they are a game, and what a bought card makes of them."""

from dataclasses import dataclass
from typing import Any, Final

from domain.shadow.hands import ACE, HANDS, KING, STRENGTH, Card, Cards, Hand, best
from domain.shadow.unsure import ShadowUnsure

_RANK_WORDS: Final = {"jack": 11, "queen": 12, "king": 13, "ace": 14}


@dataclass(frozen=True, slots=True)
class Dealer:
    """The hand as dealt and as it ended, and whether each is a game. drew: a card of it was replaced."""

    first: Hand
    first_game: bool
    final: Hand
    final_game: bool
    drew: bool


def dealer_of(rules: Any, cards: Cards, drawn: Cards) -> Dealer:
    """The dealer of a round. drawn: the cards turned in place of the highest, the last of which stays (V.redraw)."""
    first = best(cards)
    game = has_game(rules.dealer.qualifier, first)
    if not drawn:
        return Dealer(first, game, first, game, drew=False)
    ends = {best(_replaced(cards, gone, drawn[-1])) for gone in _highest(cards)}
    if len(ends) > 1:
        raise ShadowUnsure("the dealer has two highest cards, and which of them goes changes the hand")
    final = ends.pop()
    return Dealer(first, game, final, has_game(rules.dealer.qualifier, final), drew=True)


def _highest(cards: Cards) -> list[Card]:
    top = max(card.rank for card in cards)
    return [card for card in cards if card.rank == top]


def _replaced(cards: Cards, gone: Card, new: Card) -> Cards:
    return (*(card for card in cards if card != gone), new)


def has_game(qualifier: str, hand: Hand) -> bool:
    """Whether a hand reaches the sheet's minimum (R.qualify, C.qualify, T.qualify)."""
    if qualifier == "any":
        return True
    if qualifier == "ace-or-king":
        return hand.strength >= STRENGTH["pair"] or not {ACE, KING}.isdisjoint(hand.ranks)
    if qualifier in HANDS:
        return hand.strength >= STRENGTH[qualifier]
    name, _, rank = qualifier.rpartition(" of ")
    least = _RANK_WORDS.get(rank) or int(rank)
    return hand.strength > STRENGTH[name] or (hand.strength == STRENGTH[name] and hand.ranks[0] >= least)
