"""From the events of a round back to its round record: what people did, in the public form of `settle`.

A round that a supervisor stopped has no such form: its record holds what there was, and does not settle to the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from domain.engine.limits import Limits
from domain.events import play
from domain.events.base import Event
from domain.events.jackpot import JackpotHit
from domain.money import MICRO

Record = dict[str, Any]


def record_of(ruleset: str, limits: Limits, events: Iterable[Event]) -> Record:
    """The round record of a round's events, under the limits it was played with."""
    table = {"currency": limits.currency, "chip": limits.chip, "min": limits.min, "max": limits.max}
    if limits.max_payout_per_box is not None:
        table["max_payout_per_box"] = limits.max_payout_per_box
    record: Record = {"ruleset": ruleset, "table": {k: v for k, v in table.items() if v is not None}}
    told = list(events)
    record.update(inputs_of(told))
    for event in told:
        if isinstance(event, JackpotHit):
            _hit(record, event)
    return record


def inputs_of(events: Iterable[Event]) -> Record:
    """What people did in a round: the record without ruleset, table and progressive."""
    record: Record = {}
    writers = _WRITERS
    for event in events:
        write = writers.get(type(event))
        if write is not None:
            write(record, event)
    if "boxes" in record:
        record["boxes"] = [_tidy(box) for box in record["boxes"].values()]
    return record


def _tidy(box: Record) -> Record:
    if box.get("blind") or not box["play"]:
        box.pop("play")
    return box


def _ante(record: Record, e: play.AntePlaced) -> None:
    box: Record = {"box": e.box, "ante": e.amount}
    if e.player is not None:
        box["player"] = e.player
    if e.blind:
        box["blind"] = True
    box["play"] = []
    record.setdefault("boxes", {})[e.box] = box


def _on_box(name: str, field: str) -> Callable[[Record, Any], None]:
    def write(record: Record, e: Any) -> None:
        record["boxes"][e.box][name] = getattr(e, field)

    return write


def _act(record: Record, box: int, **act: Any) -> None:
    record["boxes"][box]["play"].append(act)


def _bet(record: Record, e: play.BetPlaced) -> None:
    if not e.timed_out and not e.blind:  # a time-out is told by the absence of a decision
        _act(record, e.box, do="bet")


def _fold(record: Record, e: play.HandFolded) -> None:
    if not e.timed_out:
        _act(record, e.box, do="fold")


def _more(record: Record, path: tuple[str, ...], cards: str) -> None:
    """Cards that may come in several turns."""
    *outer, name = path
    for key in outer:
        record = record.setdefault(key, {})
    record[name] = f"{record[name]} {cards}" if name in record else cards


def _wager(record: Record, e: play.WagerPlaced) -> None:
    bet: Record = {"on": e.on}
    if e.player is not None:
        bet["player"] = e.player
    if e.unit is None:
        bet["amount"] = e.amount
    else:
        bet["unit"] = e.unit
    if e.late:
        bet["late"] = True
    record.setdefault("bets", []).append(bet)


def _misdeal(record: Record, e: play.MisdealCalled) -> None:
    record["misdeal"] = {"kind": e.kind} if e.box is None else {"kind": e.kind, "box": e.box}


def _result(record: Record, number: int | None) -> None:
    record.setdefault("bets", [])
    record["result"] = number


def _hit(record: Record, e: JackpotHit) -> None:
    """The first share won tells the meter that the round settled against."""
    if e.share_ppm is not None and "progressive" not in record:
        record["progressive"] = {"meter": e.meter_before_u // MICRO}
    if e.share_ppm == MICRO and "seed" not in record["progressive"]:
        record["progressive"]["seed"] = (e.reset_from_reserve_u + e.reset_from_house_u) // MICRO


_WRITERS: dict[type[Event], Callable[[Record, Any], None]] = {
    play.AntePlaced: _ante,
    play.BonusPlaced: _on_box("bonus", "amount"),
    play.JackpotStaked: _on_box("jackpot", "amount"),
    play.CardsDealt: _on_box("cards", "cards"),
    play.CardsSwapped: lambda r, e: _act(r, e.box, **{"do": "swap", "out": e.out, "in": e.cards_in}),
    play.SixthCardBought: lambda r, e: _act(r, e.box, **{"do": "buy", "in": e.card}),
    play.InsurancePlaced: lambda r, e: _act(r, e.box, do="insure", amount=e.amount),
    play.BetPlaced: _bet,
    play.HandFolded: _fold,
    play.DealerCardFeePlaced: lambda r, e: _act(r, e.box, do="dealer_card"),
    play.BoardDealt: lambda r, e: _more(r, ("board",), e.cards),
    play.DealerRevealed: lambda r, e: _more(r, ("dealer", "cards"), e.cards),
    play.DealerCardsDrawn: lambda r, e: _more(r, ("dealer", "drawn"), e.cards),
    play.MisdealCalled: _misdeal,
    play.WagerPlaced: _wager,
    play.NumberCalled: lambda r, e: _result(r, e.number),
    play.NoSpinCalled: lambda r, _: _result(r, None),
}
