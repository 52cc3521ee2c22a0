"""Recorded inputs of a live round back into the commands that were asked, each with how many events it explains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from domain.engine import commands
from domain.events import play
from domain.events.base import Event

Asked = tuple[commands.Command, int]
Reader = Callable[[Sequence[Event], int], Asked]


def next_command(events: Sequence[Event], at: int) -> Asked | None:
    """The command whose first event is at `at`, and the number of its input events; None where that is no input."""
    read = _READERS.get(type(events[at]))
    return None if read is None else read(events, at)


_BEFORE_DEAL = (play.AntePlaced, play.BonusPlaced, play.JackpotStaked)


def _open(events: Sequence[Event], at: int) -> Asked:
    opened = events[at]
    assert isinstance(opened, play.RoundOpened)
    seats: dict[int, dict[str, Any]] = {}
    end = at + 1
    for event in events[at + 1 :]:
        if isinstance(event, play.AntePlaced):
            seats[event.box] = {
                "box": event.box,
                "ante": event.amount,
                "player": event.player,
                "blind": event.blind,
                "accepted": event.outside_limits,
            }
        elif isinstance(event, play.BonusPlaced):
            seats[event.box]["bonus"] = event.amount
            seats[event.box]["accepted"] |= event.outside_limits
        elif isinstance(event, play.JackpotStaked):
            seats[event.box]["jackpot"] = event.amount
        elif not (isinstance(event, play.BetPlaced) and event.blind):
            break
        end += 1
    boxes = tuple(commands.Seat(**seat) for seat in seats.values())
    return commands.OpenRound(boxes=boxes, shoe=opened.shoe, source=opened.source), end - at  # type: ignore[arg-type]


def _swap(events: Sequence[Event], at: int) -> Asked:
    fee, swapped = events[at : at + 2]
    assert isinstance(fee, play.SwapFeePlaced)
    assert isinstance(swapped, play.CardsSwapped)
    return commands.Act(box=fee.box, do="swap", out=swapped.out, cards_in=swapped.cards_in), 2


def _buy(events: Sequence[Event], at: int) -> Asked:
    fee, bought = events[at : at + 2]
    assert isinstance(fee, play.BuyFeePlaced)
    assert isinstance(bought, play.SixthCardBought)
    return commands.Act(box=fee.box, do="buy", cards_in=bought.card), 2


def _wager(events: Sequence[Event], at: int) -> Asked:
    laid = events[at]
    assert isinstance(laid, play.WagerPlaced)
    amount = laid.amount if laid.unit is None else None
    wager = commands.Wager(on=laid.on, player=laid.player, amount=amount, unit=laid.unit, late=laid.late)
    return commands.PlaceWagers(wagers=(wager,)), 1


def _one(make: Callable[[Any], commands.Command]) -> Reader:
    return lambda events, at: (make(events[at]), 1)


def _bet(e: play.BetPlaced) -> commands.Command:
    return commands.TimeOut(box=e.box) if e.timed_out else commands.Act(box=e.box, do="bet")


def _fold(e: play.HandFolded) -> commands.Command:
    return commands.TimeOut(box=e.box) if e.timed_out else commands.Act(box=e.box, do="fold")


_READERS: dict[type[Event], Reader] = {
    play.RoundOpened: _open,
    play.CardsDealt: _one(lambda e: commands.DealCards(box=e.box, cards=e.cards)),
    play.DealerUpcardDealt: _one(lambda e: commands.DealUpcard(card=e.card)),
    play.BoardDealt: _one(lambda e: commands.DealBoard(cards=e.cards)),
    play.SwapFeePlaced: _swap,
    play.BuyFeePlaced: _buy,
    play.InsurancePlaced: _one(lambda e: commands.Act(box=e.box, do="insure", amount=e.amount)),
    play.BetPlaced: _one(_bet),
    play.HandFolded: _one(_fold),
    play.DealerRevealed: _one(lambda e: commands.RevealDealer(cards=e.cards)),
    play.DealerCardFeePlaced: _one(lambda e: commands.Act(box=e.box, do="dealer_card")),
    play.DealerCardDeclined: _one(lambda e: commands.DeclineDealerCard(box=e.box)),
    play.DealerCardsDrawn: _one(lambda e: commands.DrawDealer(cards=e.cards)),
    play.MisdealCalled: _one(lambda e: commands.CallMisdeal(kind=e.kind, box=e.box)),
    play.RoundStopped: _one(lambda e: commands.StopRound(reason=e.reason)),
    play.WagerPlaced: _wager,
    play.NumberCalled: _one(lambda e: commands.CallNumber(number=e.number)),
    play.NoSpinCalled: _one(lambda _: commands.CallNoSpin()),
}
