"""What a box may do, one rule a function: each says what the act comes to, or refuses, and changes nothing.

The live table and the finished record ask the same functions.
"""

from fractions import Fraction

from domain.cards import DECK_MASK, NAME_BY_PACKED, BadCardError, are_distinct, read
from domain.engine.boxes.prepare import BoxTables, InsuranceTable
from domain.engine.boxes.state import Box, Round, highest
from domain.hands import HANDS
from domain.refusals import (
    BAD_CARD,
    CARD_NOT_HELD,
    CHIP_MULTIPLE,
    DUPLICATE_CARD,
    INSURANCE_LIMITS,
    MISSING_DECISION,
    NOT_ALLOWED_NOW,
    NOT_OFFERED,
    WRONG_CARD_COUNT,
    Refusal,
)

Cards = list[int]


def cards_of(text: str, box: int | None) -> Cards:
    """The cards of a text. Refuses bad_card."""
    try:
        return read(text) if text else []
    except BadCardError as error:
        raise Refusal(BAD_CARD, str(error), box) from error


def check_new(rnd: Round, cards: Cards, box: int | None) -> int:
    """The sum of cards that come from the deck. Refuses duplicate_card where one is there twice or already out."""
    total = sum(cards)
    mask = total & DECK_MASK
    if rnd.seen & mask or not are_distinct(total, len(cards)):
        seen = rnd.seen
        for card in cards:
            if seen & card & DECK_MASK:
                raise Refusal(DUPLICATE_CARD, f"{NAME_BY_PACKED[card]} is already dealt; a deck has it once", box)
            seen |= card & DECK_MASK
    return total


def first_cards(rnd: Round, text: str, count: int, whose: str, box: int | None) -> Cards:
    """First cards of a hand, the dealer or the board: `count` of them, new ones."""
    cards = cards_of(text, box)
    if len(cards) != count:
        raise Refusal(WRONG_CARD_COUNT, f"{whose} has {len(cards)} card(s); it must have {count}", box)
    check_new(rnd, cards, box)
    return cards


def amount_of(price: Fraction, ante: int) -> int:
    """A price in antes as money; whole, because the chip is a multiple of the sheet's chip step."""
    return ante * price.numerator // price.denominator


def _refuse(box: Box, detail: str) -> Refusal:
    return Refusal(NOT_ALLOWED_NOW, detail, box.number)


def _check_open_hand(play: BoxTables, box: Box, do: str) -> None:
    """Refuse an act before the bet from a box that may not act, or no more."""
    if box.blind and (play.blind is None or do not in play.blind.may):
        raise _refuse(box, f"a blind box does not act; it cannot {do}")
    if box.void:
        raise _refuse(box, "the box is void")
    if box.folded:
        raise _refuse(box, f"the hand is folded; it cannot {do} any more")
    if box.bet and not box.blind:
        raise _refuse(box, f"the bet is placed; it cannot {do} any more")
    if box.insurance:
        raise _refuse(box, f"the hand is insured; it cannot {do} any more, only bet")


def swap(rnd: Round, box: Box, out_text: str, in_text: str) -> tuple[Cards, Cards, int]:
    """Cards out, cards in and the fee of a swap."""
    play = rnd.play
    if play.swap is None:
        raise Refusal(NOT_OFFERED, "this sheet has no swap of cards", box.number)
    _check_open_hand(play, box, "swap")
    if box.bought and not play.swap_and_buy:
        raise _refuse(box, "a sixth card was bought; swap or buy, not both")
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
        raise _refuse(box, f"the box has swapped {box.swaps} time(s); it may {len(turns)}")
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
        raise _refuse(box, "a sixth card was bought already; only one may be")
    if box.swaps and not play.swap_and_buy:
        raise _refuse(box, "cards were swapped; swap or buy, not both")
    if rnd.deck_left < 1:
        raise Refusal(NOT_OFFERED, "the deck has no card left to buy", box.number)
    return amount_of(play.buy_price, box.ante)


def insure(rnd: Round, box: Box, amount: int) -> int:
    """The insurance stake."""
    terms = check_insurable(rnd, box)
    low, high = insurance_range(rnd, box)
    if high == 0:
        detail = f"the hand is {HANDS[_category(rnd, box)]}; insurance needs {terms.terms.hand} or better"
        raise Refusal(INSURANCE_LIMITS, detail, box.number)
    if not low <= amount <= high:
        detail = f"the insurance is {amount}; it must be at least {low} and at most {high}"
        raise Refusal(INSURANCE_LIMITS, detail, box.number)
    if amount % rnd.limits.chip:
        detail = f"the insurance is {amount}, which is no multiple of the chip of {rnd.limits.chip}"
        raise Refusal(CHIP_MULTIPLE, detail, box.number)
    return amount


def check_insurable(rnd: Round, box: Box) -> InsuranceTable:
    """The terms of insurance. Refuses a box that may not insure, or no more; the hand is not looked at."""
    play = rnd.play
    insurance = play.insurance
    if insurance is None:
        raise Refusal(NOT_OFFERED, "this sheet has no insurance", box.number)
    if box.blind and (play.blind is None or "insure" not in play.blind.may):
        raise _refuse(box, "a blind box does not act; it cannot insure")
    if box.void or box.folded:
        raise _refuse(box, "the hand is not in play; it cannot insure")
    if box.insurance:
        raise _refuse(box, "the hand is insured already")
    if rnd.dealer or box.buys_dealer_card:
        raise _refuse(box, "the dealer's cards are turned; insurance comes before")
    if box.bet and not box.blind:
        if insurance.terms.until == "bet":
            raise _refuse(box, "the bet is placed; insurance comes before it")
        if insurance.terms.several_boxes == "next-box" and _next_box_looked_at(rnd, box):
            raise _refuse(box, "the player has gone on to the next box; insurance comes before")
    return insurance


def _next_box_looked_at(rnd: Round, box: Box) -> bool:
    """Whether the player of several open boxes has acted on a later one."""
    if box.open_boxes == 1:
        return False
    return any(
        other.player == box.player
        and other.number > box.number
        and not other.blind
        and (other.swaps or other.bought or other.insurance or other.decided)
        for other in rnd.boxes
    )


def insurance_range(rnd: Round, box: Box) -> tuple[int, int]:
    """The least and the most that the hand as it is may be insured for; (0, 0) where it is too low for any."""
    insurance = rnd.play.insurance
    assert insurance is not None
    held = rnd.strength_of(box.total)
    if held < insurance.from_strength:
        return 0, 0
    bet = amount_of(rnd.play.bet_antes, box.ante)
    share = insurance.share
    high = bet_win(rnd.play, box.total, held, bet)[0] * share.numerator // share.denominator
    if insurance.terms.most_within_cap and rnd.limits.max_payout_per_box is not None:
        high = min(high, rnd.limits.max_payout_per_box)
    return (bet if insurance.terms.least == "bet" else rnd.limits.chip), high


def bet_win(play: BoxTables, total: int, held: int, bet: int) -> tuple[int, int]:
    """What a winning bet is due on this hand, and the category of its additional combination (0: none)."""
    pay = play.win_bet[held]
    due = pay.due(bet) if pay else 0
    if play.additional is None:
        return due, 0
    second = play.additional.of(total, held)
    extra = play.bet_by_category[second] if second else None
    return (due + extra.due(bet), second) if extra else (due, 0)


def _category(rnd: Round, box: Box) -> int:
    from domain.hands import CATEGORY

    return CATEGORY[rnd.strength_of(box.total)]


def bet(rnd: Round, box: Box) -> int:
    """The amount of the bet."""
    if box.blind:
        raise _refuse(box, "a blind box has posted its bet; it does not act")
    _check_undecided(box, "bet")
    return amount_of(rnd.play.bet_antes, box.ante)


def fold(box: Box) -> None:
    """Refuse a fold that may not be."""
    if box.blind:
        raise _refuse(box, "a blind box does not act; it cannot fold")
    _check_undecided(box, "fold")
    if box.insurance:
        raise _refuse(box, "the hand is insured; it cannot fold any more, only bet")


def _check_undecided(box: Box, do: str) -> None:
    if box.void:
        raise _refuse(box, "the box is void")
    if box.folded:
        raise _refuse(box, f"the hand is folded; it cannot {do} any more")
    if box.bet:
        raise _refuse(box, f"the bet is placed; it cannot {do} any more")


def time_out(rnd: Round, box: Box) -> bool:
    """Whether the bet is placed for a player who did not act in time; else the hand is folded."""
    if rnd.play.time_out is None:
        raise Refusal(
            MISSING_DECISION, "the box must end its turn with bet or fold; this sheet has no time-out", box.number
        )
    if box.blind or box.decided:
        raise _refuse(box, "the box has nothing left to decide")
    return box.insurance > 0 or rnd.strength_of(box.total) >= rnd.play.time_out_from


def dealer_card(rnd: Round, box: Box) -> int:
    """The price of the dealer's card; whether the dealer has a game is not asked yet."""
    play = rnd.play
    if play.dealer_card is None:
        raise Refusal(NOT_OFFERED, "this sheet does not sell the dealer's card", box.number)
    if box.blind and (play.blind is None or "dealer_card" not in play.blind.may):
        raise _refuse(box, "a blind box does not act; it cannot buy the dealer's card")
    if not box.in_play:
        raise _refuse(box, "only a box with a bet in play may buy the dealer's card, after the bet")
    if box.buys_dealer_card:
        raise _refuse(box, "the dealer's card is bought already")
    if box.asked:
        raise _refuse(box, "the box has declined the dealer's card")
    return amount_of(play.dealer_card.price, box.ante)


def check_dealer_card_offered(rnd: Round, box: Box) -> None:
    """Refuse buying the dealer's card when there is nothing to buy: the dealer has a game, or the deck has no card."""
    if dealer_has_game(rnd):
        raise _refuse(box, "the dealer has a game; the dealer's card is sold on no game only")
    if not replaceable(rnd):
        raise Refusal(NOT_OFFERED, "the deck has no card left to draw for the dealer", box.number)


def dealer_has_game(rnd: Round) -> bool:
    """Whether the dealer qualifies with the first cards."""
    return rnd.strength_of(rnd.dealer_total) >= rnd.play.qualifies_from


def replaceable(rnd: Round) -> bool:
    """Whether a card is left that the dealer could keep in place of the highest."""
    assert rnd.play.dealer_card is not None
    unseen = ~(rnd.seen | rnd.dealer_total) & DECK_MASK
    if rnd.play.dealer_card.redraw:
        rank = highest(rnd.dealer) >> 68
        unseen &= ~sum(card & DECK_MASK for card in NAME_BY_PACKED if card >> 68 == rank)
    return bool(unseen)


def drawn(rnd: Round, text: str) -> Cards:
    """Cards drawn in place of the dealer's highest: new ones, all but the last thrown away again."""
    cards = cards_of(text, None)
    check_new(rnd, cards, None)
    terms = rnd.play.dealer_card
    assert terms is not None
    rank = highest(rnd.dealer) >> 68
    keeps = [card for card in cards if not (terms.redraw and card >> 68 == rank)]
    if len(keeps) > 1 or (keeps and keeps[0] != cards[-1]):
        raise Refusal(WRONG_CARD_COUNT, f"{len(cards)} cards drawn; the first that stays ends the drawing")
    return cards


def draw_is_over(rnd: Round, cards: Cards) -> bool:
    """Whether the last card drawn stays."""
    terms = rnd.play.dealer_card
    assert terms is not None
    return bool(cards) and not (terms.redraw and cards[-1] >> 68 == highest(rnd.dealer) >> 68)
