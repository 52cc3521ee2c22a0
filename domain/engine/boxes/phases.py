"""How far a live round has come: what is to be dealt, whose turn it is, who is asked, when the last input is in."""

from domain.engine.boxes import dealer_card
from domain.engine.boxes.state import Box, Round


def undealt(rnd: Round) -> list[Box]:
    """The boxes that wait for their first cards."""
    return [box for box in rnd.by_number if not box.cards and not box.void]


def upcard_due(rnd: Round) -> bool:
    """Whether the dealer's face-up card is still to come."""
    return rnd.play.upcard and not rnd.upcard


def board_due(rnd: Round) -> int:
    """How many community cards come next: the first ones at once, the rest when all have decided; 0 for none."""
    play = rnd.play
    if len(rnd.board) < play.board_before:
        return play.board_before
    if len(rnd.board) < play.board_cards and not deciding(rnd):
        return play.board_after
    return 0


def dealing(rnd: Round) -> bool:
    """Whether cards are still to be dealt before the first decision."""
    return bool(undealt(rnd)) or upcard_due(rnd) or len(rnd.board) < rnd.play.board_before


def deciding(rnd: Round) -> bool:
    """Whether the deal is not done or some box has still to decide."""
    return dealing(rnd) or turn(rnd) is not None


def turn(rnd: Round) -> Box | None:
    """The box whose turn it is: the first from the dealer's left that has not decided."""
    return next((box for box in rnd.by_number if not box.decided), None)


def reveal_due(rnd: Round) -> bool:
    """Whether the dealer's cards are to be turned now."""
    return not rnd.dealer and not deciding(rnd) and len(rnd.board) == rnd.play.board_cards


def may_buy_dealer_card(rnd: Round, box: Box) -> bool:
    """Whether the box is one of those who are asked about the dealer's card on no game."""
    blind = rnd.play.blind
    return box.in_play and (not box.blind or (blind is not None and "dealer_card" in blind.may))


def to_be_asked(rnd: Round) -> list[Box]:
    """The boxes that have still to say whether they buy the dealer's card."""
    if not rnd.dealer or rnd.drawn or rnd.play.dealer_card is None:
        return []
    waiting = [box for box in rnd.by_number if not box.asked and may_buy_dealer_card(rnd, box)]
    if not waiting or dealer_card.dealer_has_game(rnd) or not dealer_card.replaceable(rnd):
        return []
    return waiting


def draw_due(rnd: Round) -> bool:
    """Whether a card is to be drawn for the dealer now."""
    if not any(box.buys_dealer_card for box in rnd.boxes) or to_be_asked(rnd):
        return False
    return not dealer_card.draw_is_over(rnd, rnd.drawn)


def complete(rnd: Round) -> bool:
    """Whether the last input is in, so that the outputs follow."""
    if not rnd.boxes or rnd.closed:
        return False
    if rnd.void or all(box.void for box in rnd.boxes):
        return True
    return bool(rnd.dealer) and not to_be_asked(rnd) and not draw_due(rnd)
