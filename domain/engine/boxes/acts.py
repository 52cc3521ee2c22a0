"""What a box may do with its hand, a rule a function: each says what the act comes to, or refuses; it changes nothing.

The live table and the finished record ask the same functions. Insurance and dealer's card have modules of their own.
"""

from fractions import Fraction

from domain.cards import NAME_BY_PACKED
from domain.engine.boxes.cards import Cards, cards_of, check_new
from domain.engine.boxes.prepare import BoxTables
from domain.engine.boxes.state import Box, Round
from domain.refusals import (
    CARD_NOT_HELD,
    DUPLICATE_CARD,
    MISSING_DECISION,
    NOT_ALLOWED_NOW,
    NOT_OFFERED,
    WRONG_CARD_COUNT,
    Refusal,
)
from domain.ruleset.boxes import Act


def amount_of(price: Fraction, ante: int) -> int:
    """A price in antes as money; whole, because the chip is a multiple of the sheet's chip step."""
    return ante * price.numerator // price.denominator


def refused_now(box: Box, detail: str) -> Refusal:
    """The refusal of an act that the sheet has, but not at this moment or not for this box."""
    return Refusal(NOT_ALLOWED_NOW, detail, box.number)


def check_sighted(play: BoxTables, box: Box, do: Act, words: str) -> None:
    """Refuse an act of a blind box that the sheet does not leave it."""
    if box.blind and (play.blind is None or do not in play.blind.may):
        raise refused_now(box, f"a blind box does not act; it cannot {words}")


def _check_open_hand(play: BoxTables, box: Box, do: Act) -> None:
    """Refuse an act before the bet from a box that may not act, or no more."""
    check_sighted(play, box, do, do)
    if box.void:
        raise refused_now(box, "the box is void")
    if box.folded:
        raise refused_now(box, f"the hand is folded; it cannot {do} any more")
    if box.bet and not box.blind:
        raise refused_now(box, f"the bet is placed; it cannot {do} any more")
    if box.insurance:
        raise refused_now(box, f"the hand is insured; it cannot {do} any more, only bet")


def swap(rnd: Round, box: Box, out_text: str, in_text: str) -> tuple[Cards, Cards, int]:
    """Cards out, cards in and the fee of a swap."""
    play = rnd.play
    if play.swap is None:
        raise Refusal(NOT_OFFERED, "this sheet has no swap of cards", box.number)
    _check_open_hand(play, box, "swap")
    if box.bought and not play.swap_and_buy:
        raise refused_now(box, "a sixth card was bought; swap or buy, not both")
    out = cards_of(out_text, box.number)
    fee = swap_fee(rnd, box, len(out))
    _check_held(box, out)
    cards_in = cards_of(in_text, box.number)
    if len(cards_in) != len(out):
        detail = f"{len(out)} card(s) swapped for {len(cards_in)}; it must be as many in as out"
        raise Refusal(WRONG_CARD_COUNT, detail, box.number)
    check_new(rnd, cards_in, box.number)
    return out, cards_in, fee


def swap_fee(rnd: Round, box: Box, count: int) -> int:
    """The price of swapping `count` cards as the box's next swap."""
    assert rnd.play.swap is not None
    turns = rnd.play.swap.turns.get(box.open_boxes, ())
    if turns and box.swaps >= len(turns):
        raise refused_now(box, f"the box has swapped {box.swaps} time(s); it may {len(turns)}")
    price = turns[box.swaps].get(count) if turns else None
    if price is None:
        counts = ", ".join(map(str, turns[box.swaps])) if turns else "no"
        raise Refusal(NOT_OFFERED, f"a swap of {count} card(s) is not offered here; offered: {counts}", box.number)
    if rnd.deck_left < count:
        raise Refusal(NOT_OFFERED, f"the deck has {rnd.deck_left} card(s) left, too few to swap {count}", box.number)
    return amount_of(price, box.ante)


def _check_held(box: Box, out: Cards) -> None:
    for card in out:
        if card not in box.cards:
            raise Refusal(CARD_NOT_HELD, f"{NAME_BY_PACKED[card]} is not in the hand", box.number)
    if len(set(out)) != len(out):
        raise Refusal(DUPLICATE_CARD, "a card is named twice among those swapped out", box.number)


def buy(rnd: Round, box: Box, in_text: str) -> tuple[int, int]:
    """The sixth card and its fee."""
    fee = buy_fee(rnd, box)
    cards = cards_of(in_text, box.number)
    if len(cards) != 1:
        raise Refusal(WRONG_CARD_COUNT, f"{len(cards)} card(s) bought; it must be one", box.number)
    check_new(rnd, cards, box.number)
    return cards[0], fee


def buy_fee(rnd: Round, box: Box) -> int:
    """The price of a sixth card."""
    play = rnd.play
    if play.buy is None:
        raise Refusal(NOT_OFFERED, "this sheet has no sixth card", box.number)
    _check_open_hand(play, box, "buy")
    if box.bought:
        raise refused_now(box, "a sixth card was bought already; only one may be")
    if box.swaps and not play.swap_and_buy:
        raise refused_now(box, "cards were swapped; swap or buy, not both")
    if rnd.deck_left < 1:
        raise Refusal(NOT_OFFERED, "the deck has no card left to buy", box.number)
    return amount_of(play.buy_price, box.ante)


def bet(rnd: Round, box: Box) -> int:
    """The amount of the bet."""
    if box.blind:
        raise refused_now(box, "a blind box has posted its bet; it does not act")
    _check_undecided(box, "bet")
    return amount_of(rnd.play.bet_antes, box.ante)


def fold(box: Box) -> None:
    """Refuse a fold that may not be."""
    if box.blind:
        raise refused_now(box, "a blind box does not act; it cannot fold")
    _check_undecided(box, "fold")
    if box.insurance:
        raise refused_now(box, "the hand is insured; it cannot fold any more, only bet")


def _check_undecided(box: Box, do: str) -> None:
    if box.void:
        raise refused_now(box, "the box is void")
    if box.folded:
        raise refused_now(box, f"the hand is folded; it cannot {do} any more")
    if box.bet:
        raise refused_now(box, f"the bet is placed; it cannot {do} any more")


def time_out(rnd: Round, box: Box) -> bool:
    """Whether the bet is placed for a player who did not act in time; else the hand is folded."""
    if rnd.play.time_out is None:
        raise Refusal(
            MISSING_DECISION, "the box must end its turn with bet or fold; this sheet has no time-out", box.number
        )
    if box.blind or box.decided:
        raise refused_now(box, "the box has nothing left to decide")
    return box.insurance > 0 or rnd.strength_of(box.total) >= rnd.play.time_out_from
