"""How simulated players decide: from what the engine says may be done now, and from the cards that lie open to them."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain import hands
from domain.cards import PACKED_BY_NAME, RANKS
from domain.engine import commands as moves

Option = Mapping[str, Any]

_SWAPS: Final = {hands.HIGH_CARD: 0.45, hands.ACE_KING: 0.3, hands.PAIR: 0.35, hands.TWO_PAIRS: 0.25}
"""How likely a hand of a category is thrown in part for other cards; better hands hardly ever are."""

_SWAPS_ELSE, _BUYS, _INSURES, _INSURES_LATE, _DEALER_CARD = 0.03, 0.15, 0.5, 0.15, 0.4
_BLUFFS, _BETS_ACE_KING, _BETS_ANY_BOARD = 0.06, 0.7, 0.75
_DREAMS_ONE_IN: Final = 120


class Hand:
    """The cards of a box as its player sees them, the board among them."""

    def __init__(self, cards: str) -> None:
        self.cards = cards.split()

    def swap(self, out: str, cards_in: str) -> None:
        """Give cards and take others."""
        for card in out.split():
            self.cards.remove(card)
        self.cards += cards_in.split()

    def category(self, board: Sequence[str]) -> int:
        """The category of the best five of the cards held and the board."""
        return hands.CATEGORY[hands.strength(sum(PACKED_BY_NAME[card] for card in (*self.cards, *board)))]

    def loose(self) -> list[str]:
        """The cards that pair with no other, lowest first: what a player would rather swap."""
        ranks = [card[0] for card in self.cards]
        alone = [card for card in self.cards if ranks.count(card[0]) == 1]
        return sorted(alone, key=_rank) or sorted(self.cards, key=_rank)


def _rank(card: str) -> int:
    return RANKS.index(card[0])


def act(rng: random.Random, options: Sequence[Option], hand: Hand, board: Sequence[str]) -> moves.Command:
    """What the player whose turn it is does, out of the options of that box."""
    by_do = {option["do"]: option for option in options}
    box = options[0]["box"]
    category = hand.category(board)
    if "time_out" in by_do and rng.randrange(_DREAMS_ONE_IN) == 0:
        return moves.TimeOut(box=box)
    if "swap" in by_do and rng.random() < _SWAPS.get(category, _SWAPS_ELSE):
        return moves.Act(box=box, do="swap", out=_thrown(by_do["swap"]["counts"], hand))
    if "buy" in by_do and rng.random() < _BUYS:
        return moves.Act(box=box, do="buy")
    if "insure" in by_do and rng.random() < _INSURES:
        return insurance(rng, by_do["insure"])
    if "fold" not in by_do or _likes(rng, category, board):
        return moves.Act(box=box, do="bet")
    return moves.Act(box=box, do="fold")


def _likes(rng: random.Random, category: int, board: Sequence[str]) -> bool:
    if category >= hands.PAIR:
        return True
    if board:  # two cards are still to come
        return rng.random() < _BETS_ANY_BOARD
    return rng.random() < (_BETS_ACE_KING if category == hands.ACE_KING else _BLUFFS)


def _thrown(counts: Sequence[int], hand: Hand) -> str:
    """As many cards as the sheet lets go, near to those that are of no use."""
    loose = hand.loose()
    count = min(counts, key=lambda offered: (abs(offered - len(loose)), offered))
    rest = sorted((card for card in hand.cards if card not in loose), key=_rank)
    return " ".join((loose + rest)[:count])


def insurance(rng: random.Random, option: Option) -> moves.Command:
    """Insurance somewhere between the least and the most."""
    steps = (option["max"] - option["min"]) // option["chip"]
    amount = option["min"] + option["chip"] * rng.randint(0, steps)
    return moves.Act(box=option["box"], do="insure", amount=amount)


def insures_late(rng: random.Random) -> bool:
    """Whether a player whose bet lies already thinks of insurance."""
    return rng.random() < _INSURES_LATE


def buys_dealer_card(rng: random.Random) -> bool:
    """Whether a player pays to have the dealer's highest card replaced."""
    return rng.random() < _DEALER_CARD
