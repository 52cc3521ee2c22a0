"""What follows from a command at a live table: the same rules as for a finished record, asked one step at a time."""

from collections.abc import Callable
from typing import Any, Final

from domain.cards import DECK_MASK, text_of
from domain.engine import commands
from domain.engine.boxes import acts, dealer_card, insurance, phases
from domain.engine.boxes.cards import first_cards
from domain.engine.boxes.fold import evolve
from domain.engine.boxes.outputs import conclude
from domain.engine.boxes.script import SAY, opening
from domain.engine.boxes.seats import Company, check_stakes, outside_limits
from domain.engine.boxes.state import ActLog, Box, Round
from domain.engine.boxes.void import call_misdeal
from domain.engine.jackpot import JackpotPort
from domain.events import play
from domain.events.base import Event
from domain.refusals import (
    BAD_RECORD,
    NO_OPEN_ROUND,
    NOT_ALLOWED_NOW,
    ROUND_CLOSED,
    WRONG_DEALER_CARD,
    Refusal,
)


def decide(rnd: Round, command: commands.Command, jackpot: JackpotPort | None) -> list[Event]:
    """The events of `command`, with the outputs where it is the round's last input. Raises Refusal."""
    take = _TAKE.get(type(command))
    if take is None:
        raise Refusal(NOT_ALLOWED_NOW, "this is a round of boxes; it takes no wagers and no numbers")
    if rnd.closed:
        raise Refusal(ROUND_CLOSED, f"round {rnd.number} is settled")
    if rnd.opened == isinstance(command, commands.OpenRound):
        if rnd.opened:
            raise Refusal(NOT_ALLOWED_NOW, f"round {rnd.number} is open already")
        raise Refusal(NO_OPEN_ROUND, "no round is open; open one first")
    events = take(rnd, command)
    after = rnd.copy()
    for event in events:
        evolve(after, event)
    return events + conclude(after, jackpot) if phases.complete(after) else events


def _open(rnd: Round, command: commands.OpenRound) -> list[Event]:
    boxes = [_seated(seat) for seat in command.boxes]
    if not boxes:
        raise Refusal(BAD_RECORD, "a round has at least one box")
    ordered = sorted(boxes, key=lambda box: box.number)
    company = Company(rnd.play, ordered)
    before = None
    for box in ordered:
        if box.number == before:
            raise Refusal(BAD_RECORD, f"box {box.number} is there twice; each box plays once", box.number)
        before = box.number
        check_stakes(rnd.play, rnd.limits, box)
        company.check(box)
        box.outside = outside_limits(rnd.limits, box.ante)
        free = box.bonus and rnd.play.bonus is not None and rnd.play.bonus.fixed is None
        box.bonus_outside = bool(free) and outside_limits(rnd.limits, box.bonus)
        if box.blind:
            box.bet = acts.amount_of(rnd.play.bet_antes, box.ante)
    opened = play.RoundOpened(round=rnd.round_id, number=rnd.number, source=command.source, shoe=command.shoe)
    return [opened, *[event for box in boxes for event in opening(rnd, box)]]


def _seated(seat: commands.Seat) -> Box:
    box = Box(seat.box, seat.ante, seat.player, seat.bonus, seat.jackpot, seat.blind)
    box.outside = seat.accepted
    return box


def _named(rnd: Round, number: int) -> Box:
    box = rnd.box(number)
    if box is None:
        playing = ", ".join(str(other.number) for other in rnd.by_number)
        raise Refusal(NOT_ALLOWED_NOW, f"box {number} does not play; boxes in the round: {playing}", number)
    return box


def _deal(rnd: Round, command: commands.DealCards) -> list[Event]:
    box = _named(rnd, command.box)
    if box.cards or box.void:
        raise Refusal(NOT_ALLOWED_NOW, "the box has its cards" if box.cards else "the box is void", box.number)
    cards = first_cards(rnd, command.cards, rnd.play.hand_cards, "the box", box.number)
    return [play.CardsDealt(round=rnd.round_id, box=box.number, cards=text_of(cards))]


def _deal_upcard(rnd: Round, command: commands.DealUpcard) -> list[Event]:
    if not phases.upcard_due(rnd):
        raise Refusal(NOT_ALLOWED_NOW, "the dealer has no face-up card to come")
    card = first_cards(rnd, command.card, 1, "the dealer's face-up place", None)
    return [play.DealerUpcardDealt(round=rnd.round_id, card=text_of(card))]


def _deal_board(rnd: Round, command: commands.DealBoard) -> list[Event]:
    count = phases.board_due(rnd)
    if not count:
        raise Refusal(NOT_ALLOWED_NOW, "no community cards are due now")
    cards = first_cards(rnd, command.cards, count, "the board", None)
    return [play.BoardDealt(round=rnd.round_id, cards=text_of(cards))]


def _act(rnd: Round, command: commands.Act) -> list[Event]:
    box = _named(rnd, command.box)
    _check_fields(command)
    if command.do == "dealer_card":
        fee = dealer_card.price(rnd, box)
        if not rnd.dealer:
            raise Refusal(NOT_ALLOWED_NOW, "the dealer's cards are not turned yet", box.number)
        dealer_card.check_offered(rnd, box)
        return SAY["dealer_card"](rnd.round_id, box.number, ("dealer_card", [], [], fee))
    if phases.dealing(rnd):
        raise Refusal(NOT_ALLOWED_NOW, "the cards are not all dealt yet", box.number)
    done = _BEFORE_REVEAL[command.do](rnd, box, command)
    _check_turn(rnd, box, command)
    return SAY[command.do](rnd.round_id, box.number, done)


def _check_fields(command: commands.Act) -> None:
    needs = {"swap": ("out", "cards_in"), "buy": ("cards_in",), "insure": ("amount",)}.get(command.do, ())
    given = {"out": bool(command.out), "cards_in": bool(command.cards_in), "amount": command.amount is not None}
    for field, is_there in given.items():
        if is_there and field not in needs:
            raise Refusal(BAD_RECORD, f"{command.do} takes no {field}", command.box)
    if "amount" in needs and not given["amount"]:
        raise Refusal(BAD_RECORD, f"{command.do} needs an amount", command.box)


def _check_turn(rnd: Round, box: Box, command: commands.Act) -> None:
    """Boxes decide one after the other from the dealer's left; only insurance after the bet has no turn."""
    current = phases.turn(rnd)
    if box is current or (command.do == "insure" and box.bet):
        return
    whose = f"it is box {current.number}'s turn" if current else "all boxes have decided"
    raise Refusal(NOT_ALLOWED_NOW, whose, box.number)


def _swap(rnd: Round, box: Box, command: commands.Act) -> ActLog:
    out, cards_in, fee = acts.swap(rnd, box, command.out, command.cards_in)
    return "swap", out, cards_in, fee


def _buy(rnd: Round, box: Box, command: commands.Act) -> ActLog:
    card, fee = acts.buy(rnd, box, command.cards_in)
    return "buy", [], [card], fee


def _insure(rnd: Round, box: Box, command: commands.Act) -> ActLog:
    return "insure", [], [], insurance.insure(rnd, box, command.amount or 0)


def _bet(rnd: Round, box: Box, command: commands.Act) -> ActLog:  # noqa: ARG001
    return "bet", [], [], acts.bet(rnd, box)


def _fold(rnd: Round, box: Box, command: commands.Act) -> ActLog:  # noqa: ARG001
    acts.fold(box)
    return "fold", [], [], 0


_BEFORE_REVEAL: Final[dict[str, Callable[[Round, Box, commands.Act], ActLog]]] = {
    "swap": _swap,
    "buy": _buy,
    "insure": _insure,
    "bet": _bet,
    "fold": _fold,
}


def _time_out(rnd: Round, command: commands.TimeOut) -> list[Event]:
    box = _named(rnd, command.box)
    if phases.dealing(rnd):
        raise Refusal(NOT_ALLOWED_NOW, "the cards are not all dealt yet", box.number)
    bets = acts.time_out(rnd, box)
    if box is not phases.turn(rnd):
        raise Refusal(NOT_ALLOWED_NOW, "it is another box's turn", box.number)
    if bets:
        amount = acts.amount_of(rnd.play.bet_antes, box.ante)
        return [play.BetPlaced(round=rnd.round_id, box=box.number, amount=amount, timed_out=True)]
    return [play.HandFolded(round=rnd.round_id, box=box.number, timed_out=True)]


def _reveal(rnd: Round, command: commands.RevealDealer) -> list[Event]:
    if not phases.reveal_due(rnd):
        waiting = "the dealer's cards are turned already" if rnd.dealer else "not all cards are dealt and boxes decided"
        raise Refusal(NOT_ALLOWED_NOW, waiting)
    hidden = rnd.copy()
    hidden.seen &= ~(rnd.upcard & DECK_MASK)
    cards = first_cards(hidden, command.cards, rnd.play.dealer_cards, "the dealer", None)
    if rnd.play.upcard and cards[-1] != rnd.upcard:
        detail = f"the dealer's last card must be the face-up one, {text_of([rnd.upcard])}"
        raise Refusal(WRONG_DEALER_CARD, detail)
    return [play.DealerRevealed(round=rnd.round_id, cards=text_of(cards))]


def _decline(rnd: Round, command: commands.DeclineDealerCard) -> list[Event]:
    box = _named(rnd, command.box)
    if box not in phases.to_be_asked(rnd):
        raise Refusal(NOT_ALLOWED_NOW, "the box is not asked about the dealer's card", box.number)
    return [play.DealerCardDeclined(round=rnd.round_id, box=box.number)]


def _draw(rnd: Round, command: commands.DrawDealer) -> list[Event]:
    if not phases.draw_due(rnd):
        raise Refusal(NOT_ALLOWED_NOW, "no card is to be drawn for the dealer now")
    cards = dealer_card.read_drawn(rnd, command.cards)
    return [play.DealerCardsDrawn(round=rnd.round_id, cards=text_of(cards))]


def _misdeal(rnd: Round, command: commands.CallMisdeal) -> list[Event]:
    box = call_misdeal(rnd, command.kind, command.box)
    if rnd.misdeal is not None or (box is not None and box.void):
        raise Refusal(NOT_ALLOWED_NOW, "a misdeal is called already", command.box)
    return [play.MisdealCalled(round=rnd.round_id, kind=command.kind, box=command.box)]


def _stop(rnd: Round, command: commands.StopRound) -> list[Event]:
    return [play.RoundStopped(round=rnd.round_id, reason=command.reason)]


_TAKE: Final[dict[type[commands.Command], Callable[[Round, Any], list[Event]]]] = {
    commands.OpenRound: _open,
    commands.DealCards: _deal,
    commands.DealUpcard: _deal_upcard,
    commands.DealBoard: _deal_board,
    commands.Act: _act,
    commands.TimeOut: _time_out,
    commands.RevealDealer: _reveal,
    commands.DeclineDealerCard: _decline,
    commands.DrawDealer: _draw,
    commands.CallMisdeal: _misdeal,
    commands.StopRound: _stop,
}
