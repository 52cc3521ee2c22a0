"""What the house shoe owes the felt next: one move, its cards drawn from those that remain.

The dealer's hidden cards are drawn at the reveal, not at the deal: until then they lie in no memory and no log.
"""

from typing import Any

from domain import engine, shoe
from domain.cards import NAME_BY_PACKED
from domain.engine import commands as moves
from domain.shoe import Draw

_DEALS = ("cards", "upcard", "board")


def next_deal(state: engine.RoundState, pick: Draw) -> moves.Command | None:
    """The next move of the deal; None where no card is due before somebody has a choice."""
    due = next((option for option in engine.next_actions(state) if option["do"] in _DEALS), None)
    if due is None:
        return None
    cards = shoe.draw(engine.remaining(state), due.get("count", 1), pick)
    if due["do"] == "cards":
        return moves.DealCards(box=due["box"], cards=cards)
    return moves.DealUpcard(card=cards) if due["do"] == "upcard" else moves.DealBoard(cards=cards)


def next_dealer(state: engine.RoundState, pick: Draw) -> moves.Command | None:
    """The dealer's turn: the reveal, or one card drawn in place of the highest; None where it is not his turn."""
    due: dict[str, Any] | None = next(
        (option for option in engine.next_actions(state) if option["do"] in ("dealer", "draw")), None
    )
    if due is None:
        return None
    if due["do"] == "draw":
        return moves.DrawDealer(cards=shoe.draw(engine.remaining(state), 1, pick))
    if not state.upcard:
        return moves.RevealDealer(cards=shoe.draw(engine.remaining(state), due["count"], pick))
    hidden = shoe.draw(engine.remaining(state), due["count"] - 1, pick)
    return moves.RevealDealer(cards=f"{hidden} {NAME_BY_PACKED[state.upcard]}")
