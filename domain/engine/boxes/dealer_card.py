"""The dealer's card: what it costs to have the dealer's highest card replaced on no game, and what may be drawn."""

from domain.cards import DECK_MASK, NAME_BY_PACKED
from domain.engine.boxes.acts import amount_of, check_sighted, refused_now
from domain.engine.boxes.cards import Cards, cards_of, check_new
from domain.engine.boxes.state import Box, Round, highest
from domain.refusals import NOT_OFFERED, WRONG_CARD_COUNT, Refusal


def price(rnd: Round, box: Box) -> int:
    """The price of the dealer's card; whether the dealer has a game is not asked yet."""
    play = rnd.play
    if play.dealer_card is None:
        raise Refusal(NOT_OFFERED, "this sheet does not sell the dealer's card", box.number)
    check_sighted(play, box, "dealer_card", "buy the dealer's card")
    if not box.in_play:
        raise refused_now(box, "only a box with a bet in play may buy the dealer's card, after the bet")
    if box.buys_dealer_card:
        raise refused_now(box, "the dealer's card is bought already")
    if box.asked:
        raise refused_now(box, "the box has declined the dealer's card")
    return amount_of(play.dealer_card.price, box.ante)


def check_offered(rnd: Round, box: Box) -> None:
    """Refuse buying the dealer's card when there is nothing to buy: the dealer has a game, or the deck has no card."""
    if dealer_has_game(rnd):
        raise refused_now(box, "the dealer has a game; the dealer's card is sold on no game only")
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


def read_drawn(rnd: Round, text: str) -> Cards:
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
