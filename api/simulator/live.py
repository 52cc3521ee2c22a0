"""A live round's moves as the requests that a terminal makes."""

from functools import partial
from typing import Any, Final, Literal

import msgspec

from api.simulator.house import SUPERVISOR, Ask, dealer_of
from domain.acts import rounds
from domain.commands import BoxStakes, LiveAction, LiveCards, LiveDealer, OpenLiveRound, VoidRound
from domain.engine import commands as moves

Shoe = Literal["house", "external"]

_STAKES: Final = BoxStakes.__struct_fields__


def request(table: str, shoe: Shoe, move: moves.Command) -> Ask:
    """The move at a table. The house shoe deals by itself: its requests carry no cards."""
    if isinstance(move, moves.CallMisdeal):
        said = {"reason": f"misdeal: {move.kind}", "kind": move.kind, "box": move.box}
        return Ask(SUPERVISOR, partial(rounds.void_round, table=table, command=msgspec.convert(said, VoidRound)))
    act, command = _terminal(shoe, move)
    return Ask(dealer_of(table), partial(act, table=table, command=command))


def _terminal(shoe: Shoe, move: moves.Command) -> tuple[Any, Any]:
    house = shoe == "house"
    if isinstance(move, moves.OpenRound):
        boxes = tuple(BoxStakes(**{name: getattr(seat, name) for name in _STAKES}) for seat in move.boxes)
        return rounds.open_round, OpenLiveRound(boxes=boxes, shoe=shoe)
    if isinstance(move, moves.DealCards):
        return rounds.deal, LiveCards() if house else LiveCards(box=move.box, cards=move.cards)
    if isinstance(move, moves.DealUpcard):
        return rounds.deal, LiveCards() if house else LiveCards(upcard=move.card)
    if isinstance(move, moves.DealBoard):
        return rounds.deal, LiveCards() if house else LiveCards(board=move.cards)
    if isinstance(move, moves.RevealDealer):
        return rounds.dealer, LiveDealer() if house else LiveDealer(cards=move.cards)
    if isinstance(move, moves.DrawDealer):
        return rounds.dealer, LiveDealer() if house else LiveDealer(drawn=move.cards)
    return rounds.act, _action(move)


def _action(move: moves.Command) -> LiveAction:
    if isinstance(move, moves.TimeOut):
        return LiveAction(do="time_out", box=move.box)
    if isinstance(move, moves.DeclineDealerCard):
        return LiveAction(do="decline_dealer_card", box=move.box)
    assert isinstance(move, moves.Act), "nothing else is done by a box"
    return LiveAction(do=move.do, box=move.box, out=move.out or None, in_=move.cards_in or None, amount=move.amount)
