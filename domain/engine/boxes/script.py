"""The inputs of a round that was read from a record, as the events a live table would have recorded."""

from collections.abc import Callable
from typing import Final

from domain.cards import NAME_BY_PACKED, text_of
from domain.engine.boxes.phases import to_be_asked
from domain.engine.boxes.state import ActLog, Box, Round
from domain.events import play
from domain.events.base import Event


def opening(rnd: Round, box: Box) -> list[Event]:
    """What a box puts up before the deal."""
    round_id, number = rnd.round_id, box.number
    events: list[Event] = [
        play.AntePlaced(
            round=round_id,
            box=number,
            amount=box.ante,
            player=box.player,
            blind=box.blind,
            outside_limits=box.outside,
        )
    ]
    if box.bonus:
        events.append(play.BonusPlaced(round=round_id, box=number, amount=box.bonus, outside_limits=box.bonus_outside))
    if box.jackpot:
        events.append(play.JackpotStaked(round=round_id, box=number, amount=box.jackpot))
    if box.blind:
        events.append(play.BetPlaced(round=round_id, box=number, amount=box.bet, blind=True))
    return events


def script(rnd: Round) -> list[Event]:
    """Every input, RoundOpened first."""
    round_id = rnd.round_id
    events: list[Event] = [
        play.RoundOpened(round=round_id, number=rnd.number, source=rnd.source, shoe=rnd.shoe),
        *[event for box in rnd.boxes for event in opening(rnd, box)],
        *[
            play.CardsDealt(round=round_id, box=box.number, cards=text_of(box.dealt))
            for box in rnd.by_number
            if box.dealt
        ],
    ]
    if rnd.void:
        return events + [e for box in rnd.by_number for e in _acts(rnd, box)] + _misdeal(rnd)
    return events + _played(rnd)


def _played(rnd: Round) -> list[Event]:
    """Of a round that was not void as a whole: the table's cards, the acts, the dealer."""
    round_id, before = rnd.round_id, rnd.play.board_before
    events: list[Event] = []
    if rnd.upcard:
        events.append(play.DealerUpcardDealt(round=round_id, card=NAME_BY_PACKED[rnd.upcard]))
    if rnd.board:
        events.append(play.BoardDealt(round=round_id, cards=text_of(rnd.board[:before])))
    all_void = all(box.void for box in rnd.boxes)
    events += [event for box in rnd.by_number if box.void for event in _acts(rnd, box)]
    # With a box left in play the misdeal is called in the deal; with none it must have come after the reveal.
    events += [] if all_void else _misdeal(rnd)
    events += [event for box in rnd.by_number if not box.void for event in _acts(rnd, box)]
    if rnd.board[before:]:
        events.append(play.BoardDealt(round=round_id, cards=text_of(rnd.board[before:])))
    if rnd.dealer:
        events.append(play.DealerRevealed(round=round_id, cards=text_of(rnd.dealer)))
        events += _dealer_card(rnd)
    return events + (_misdeal(rnd) if all_void else [])


def _misdeal(rnd: Round) -> list[Event]:
    if rnd.misdeal is None:
        return []
    kind, box = rnd.misdeal
    return [play.MisdealCalled(round=rnd.round_id, kind=kind, box=box)]


def _dealer_card(rnd: Round) -> list[Event]:
    """Who bought the dealer's card and who, being asked, did not; then what was drawn."""
    round_id = rnd.round_id
    drawn, rnd.drawn = rnd.drawn, []
    asked = to_be_asked(rnd)
    rnd.drawn = drawn
    events: list[Event] = []
    for box in asked:
        if box.buys_dealer_card:
            events.append(play.DealerCardFeePlaced(round=round_id, box=box.number, amount=box.dealer_fee))
        else:
            events.append(play.DealerCardDeclined(round=round_id, box=box.number))
    if drawn:
        events.append(play.DealerCardsDrawn(round=round_id, cards=text_of(drawn)))
    return events


def _acts(rnd: Round, box: Box) -> list[Event]:
    """The acts of a box; the dealer's card is told with the dealer, unless the box never comes that far."""
    acts = [act for act in box.acts if box.void or act[0] != "dealer_card"]
    events = [event for act in acts for event in SAY[act[0]](rnd.round_id, box.number, act)]
    if box.timed_out and not box.void:
        if box.folded:
            events.append(play.HandFolded(round=rnd.round_id, box=box.number, timed_out=True))
        else:
            events.append(play.BetPlaced(round=rnd.round_id, box=box.number, amount=box.bet, timed_out=True))
    return events


def say_swap(round_id: str, box: int, act: ActLog) -> list[Event]:
    """The fee, then the cards."""
    return [
        play.SwapFeePlaced(round=round_id, box=box, amount=act[3]),
        play.CardsSwapped(round=round_id, box=box, out=text_of(act[1]), cards_in=text_of(act[2])),
    ]


def say_buy(round_id: str, box: int, act: ActLog) -> list[Event]:
    """The fee, then the card."""
    return [
        play.BuyFeePlaced(round=round_id, box=box, amount=act[3]),
        play.SixthCardBought(round=round_id, box=box, card=text_of(act[2])),
    ]


def say_insure(round_id: str, box: int, act: ActLog) -> list[Event]:
    """The insurance stake."""
    return [play.InsurancePlaced(round=round_id, box=box, amount=act[3])]


def say_bet(round_id: str, box: int, act: ActLog) -> list[Event]:
    """The bet."""
    return [play.BetPlaced(round=round_id, box=box, amount=act[3])]


def say_fold(round_id: str, box: int, act: ActLog) -> list[Event]:  # noqa: ARG001
    """The fold."""
    return [play.HandFolded(round=round_id, box=box)]


def say_dealer_card(round_id: str, box: int, act: ActLog) -> list[Event]:
    """The price of the dealer's card."""
    return [play.DealerCardFeePlaced(round=round_id, box=box, amount=act[3])]


SAY: Final[dict[str, Callable[[str, int, ActLog], list[Event]]]] = {
    "swap": say_swap,
    "buy": say_buy,
    "insure": say_insure,
    "bet": say_bet,
    "fold": say_fold,
    "dealer_card": say_dealer_card,
}
