"""Cards of a round: read from text, counted, and taken from a deck that has each once."""

from domain.cards import DECK_MASK, NAME_BY_PACKED, BadCardError, read
from domain.engine.boxes.state import Round
from domain.refusals import BAD_CARD, DUPLICATE_CARD, WRONG_CARD_COUNT, Refusal

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
    if rnd.seen & mask or mask.bit_count() != len(cards):  # see domain.cards.are_distinct
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
