"""What a box put up and what it came to hold, read from its part of a round record."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from domain.shadow.hands import STRENGTH, Cards, best, cards_of
from domain.shadow.scales import antes, whole
from domain.shadow.unsure import ShadowUnsure

Box = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Story:
    """A box up to the moment the dealer's cards are turned.

    stakes: everything put up, by kind. first: the cards as dealt (with the first board); last: those it ends with.
    """

    box: int
    stakes: dict[str, int]
    first: Cards
    last: Cards
    folded: bool
    swapped: bool
    buys_dealer_card: bool


def stakes_of(rules: Any, box: Box, open_boxes: int) -> dict[str, int]:
    """All that a box has put up by its plays, added up by kind; the bet is one, however often it is named."""
    ante: int = box["ante"]
    put: Counter[str] = Counter()
    put.update(ante=ante, bonus=box.get("bonus") or 0, jackpot=box.get("jackpot") or 0)
    bet = whole(ante * antes(rules.bet.antes))
    if box.get("blind"):
        put["bet"] = bet
    swaps = 0
    for act in box.get("play") or ():
        match act["do"]:
            case "swap":
                put["swap"] += whole(ante * swap_price(rules, open_boxes, swaps, len(cards_of(act["out"]))))
                swaps += 1
            case "buy":
                put["buy"] += whole(ante * antes(rules.buy.antes))
            case "dealer_card":
                put["dealer_card"] += whole(ante * antes(rules.dealer_card.antes))
            case "insure":
                put["insurance"] += act["amount"]
            case "bet":
                put["bet"] = bet
    return {kind: amount for kind, amount in put.items() if amount}


def swap_price(rules: Any, open_boxes: int, turn: int, cards: int) -> Fraction:
    """In antes, what the box's swap number `turn` (from 0) costs (R.swap, F.swap-one-box, F.swap-several-boxes)."""
    for plan in rules.swap.plans:
        if open_boxes in plan.open_boxes and turn < len(plan.turns):
            for fee in plan.turns[turn].fees:
                if fee.cards == cards:
                    return antes(fee.antes)
    raise ShadowUnsure(f"no price for swap {turn + 1} of {cards} cards with {open_boxes} open boxes")


def story_of(rules: Any, box: Box, open_boxes: int, board: Cards) -> Story:
    """The story of a box that is not void. A player who ran out of time acts as the sheet's time-out says."""
    dealt = cards_of(box["cards"])
    hand = dealt
    words = [act["do"] for act in box.get("play") or ()]
    for act in box.get("play") or ():
        if act["do"] in ("swap", "buy"):
            away = cards_of(act.get("out", ""))
            hand = tuple(card for card in hand if card not in away) + cards_of(act["in"])
    stakes = stakes_of(rules, box, open_boxes)
    early = board[: rules.board.before] if board else ()
    folded = "fold" in words
    if not folded and "bet" not in stakes:
        folded = _out_of_time(rules, hand + early)
        if not folded:
            stakes["bet"] = whole(box["ante"] * antes(rules.bet.antes))
    if folded and "insurance" in stakes:
        raise ShadowUnsure("an insured hand was given up")
    return Story(
        box=box["box"],
        stakes=stakes,
        first=dealt + early,
        last=hand + board,
        folded=folded,
        swapped="swap" in words,
        buys_dealer_card="dealer_card" in words,
    )


def _out_of_time(rules: Any, cards: Cards) -> bool:
    """Whether the hand of a player who did not act is given up (C.time-out)."""
    rule = getattr(rules, "time_out", None)
    if rule is None:
        raise ShadowUnsure("a box without a decision")
    return not at_least(cards, rule.bet_from)


def at_least(cards: Cards, name: str) -> bool:
    """Whether the best hand in the cards is of this name or a better one."""
    return best(cards).strength >= STRENGTH[name]
