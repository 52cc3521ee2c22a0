"""Taking recorded events into a round. Nothing is judged here: what is recorded has happened."""

from collections.abc import Callable
from typing import Any, Final

from domain.cards import read
from domain.engine.boxes.state import Box, Outcome, Round
from domain.events import jackpot, outcome, play
from domain.events.base import Event


def evolve(rnd: Round, event: Event) -> Round:
    """The round with `event` taken in: the same object, changed."""
    take = _TAKE.get(type(event))
    if take is not None:
        take(rnd, event)
    return rnd


def _box(rnd: Round, number: int | None) -> Box:
    for box in rnd.boxes:
        if box.number == number:
            return box
    raise LookupError(f"round {rnd.round_id} has no box {number}")


def _out(rnd: Round, number: int | None) -> Outcome:
    box = _box(rnd, number)
    if box.out is None:
        box.out = Outcome()
    return box.out


def _opened(rnd: Round, event: play.RoundOpened) -> None:
    rnd.opened = True
    rnd.source = event.source
    rnd.shoe = event.shoe


def _ante(rnd: Round, event: play.AntePlaced) -> None:
    box = Box(event.box, event.amount, event.player, 0, 0, event.blind)
    box.outside = event.outside_limits
    rnd.seat([*rnd.boxes, box])
    if box.player is not None:
        own = [other for other in rnd.boxes if other.player == box.player]
        opens = sum(1 for other in own if not other.blind)
        for other in own:
            other.open_boxes = opens
    elif box.blind:
        box.open_boxes = 0


def _bonus(rnd: Round, event: play.BonusPlaced) -> None:
    _box(rnd, event.box).bonus = event.amount


def _jackpot(rnd: Round, event: play.JackpotStaked) -> None:
    _box(rnd, event.box).jackpot = event.amount


def _dealt(rnd: Round, event: play.CardsDealt) -> None:
    box = _box(rnd, event.box)
    box.deal(read(event.cards))
    rnd.see(box.total)


def _upcard(rnd: Round, event: play.DealerUpcardDealt) -> None:
    rnd.upcard = read(event.card)[0]
    rnd.see(rnd.upcard)


def _board(rnd: Round, event: play.BoardDealt) -> None:
    rnd.turn_board(read(event.cards))


def _swap_fee(rnd: Round, event: play.SwapFeePlaced) -> None:
    _box(rnd, event.box).swap_fee += event.amount


def _swapped(rnd: Round, event: play.CardsSwapped) -> None:
    box = _box(rnd, event.box)
    out, cards_in = read(event.out), read(event.cards_in)
    box.swap(out, cards_in)
    rnd.deal_out(cards_in)


def _buy_fee(rnd: Round, event: play.BuyFeePlaced) -> None:
    _box(rnd, event.box).buy_fee += event.amount


def _bought(rnd: Round, event: play.SixthCardBought) -> None:
    box = _box(rnd, event.box)
    cards = read(event.card)
    box.buy(cards)
    rnd.deal_out(cards)


def _insured(rnd: Round, event: play.InsurancePlaced) -> None:
    box = _box(rnd, event.box)
    box.insurance += event.amount


def _bet(rnd: Round, event: play.BetPlaced) -> None:
    box = _box(rnd, event.box)
    box.bet = event.amount
    box.timed_out = event.timed_out


def _folded(rnd: Round, event: play.HandFolded) -> None:
    box = _box(rnd, event.box)
    box.folded = True
    box.timed_out = event.timed_out


def _revealed(rnd: Round, event: play.DealerRevealed) -> None:
    rnd.reveal(read(event.cards))
    rnd.see(rnd.dealer_total)


def _dealer_fee(rnd: Round, event: play.DealerCardFeePlaced) -> None:
    box = _box(rnd, event.box)
    box.dealer_fee += event.amount
    box.buys_dealer_card = box.asked = True


def _declined(rnd: Round, event: play.DealerCardDeclined) -> None:
    _box(rnd, event.box).asked = True


def _drawn(rnd: Round, event: play.DealerCardsDrawn) -> None:
    cards = read(event.cards)
    rnd.drawn = rnd.drawn + cards
    rnd.deal_out(cards)


def _misdeal(rnd: Round, event: play.MisdealCalled) -> None:
    rnd.misdeal = (event.kind, event.box)
    if rnd.play.misdeals[event.kind].voids == "box":
        _box(rnd, event.box).void = True
    else:
        _void_all(rnd)


def _stopped(rnd: Round, event: play.RoundStopped) -> None:
    rnd.stopped = event.reason
    _void_all(rnd)


def _void_all(rnd: Round) -> None:
    rnd.void = True
    for box in rnd.boxes:
        box.void = True


def _taken(rnd: Round, event: outcome.StakeTaken) -> None:
    taken = _out(rnd, event.box).taken
    taken[event.kind] = taken.get(event.kind, 0) + event.amount


def _returned(rnd: Round, event: outcome.StakeReturned) -> None:
    returned = _out(rnd, event.box).returned
    returned[event.kind] = returned.get(event.kind, 0) + event.amount


def _paid(rnd: Round, event: outcome.PayoutMade) -> None:
    out = _out(rnd, event.box)
    if event.paid:
        out.paid[event.kind] = out.paid.get(event.kind, 0) + event.paid
    out.capped += event.capped
    out.second = event.second or out.second


def _hit(rnd: Round, event: jackpot.JackpotHit) -> None:
    if event.award:
        paid = _out(rnd, event.box).paid
        paid["jackpot"] = paid.get("jackpot", 0) + event.award


def _closed(rnd: Round, event: outcome.RoundClosed) -> None:
    rnd.closed = True
    rnd.void = event.void


_TAKE: Final[dict[type[Event], Callable[[Round, Any], None]]] = {
    play.RoundOpened: _opened,
    play.AntePlaced: _ante,
    play.BonusPlaced: _bonus,
    play.JackpotStaked: _jackpot,
    play.CardsDealt: _dealt,
    play.DealerUpcardDealt: _upcard,
    play.BoardDealt: _board,
    play.SwapFeePlaced: _swap_fee,
    play.CardsSwapped: _swapped,
    play.BuyFeePlaced: _buy_fee,
    play.SixthCardBought: _bought,
    play.InsurancePlaced: _insured,
    play.BetPlaced: _bet,
    play.HandFolded: _folded,
    play.DealerRevealed: _revealed,
    play.DealerCardFeePlaced: _dealer_fee,
    play.DealerCardDeclined: _declined,
    play.DealerCardsDrawn: _drawn,
    play.MisdealCalled: _misdeal,
    play.RoundStopped: _stopped,
    outcome.StakeTaken: _taken,
    outcome.StakeReturned: _returned,
    outcome.PayoutMade: _paid,
    outcome.RoundClosed: _closed,
    jackpot.JackpotHit: _hit,
}
