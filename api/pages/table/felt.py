"""The felt as it may be looked at: what everybody at the table sees, and no hand before it is turned over."""

from typing import NamedTuple

from projections.reads.felt import Felt, FeltBox
from projections.reads.limits import LimitRow

_STAND = ("bet", "blind", "time_out")


class Shown(NamedTuple):
    """A box as shown. cards: None while they lie face down, `hidden` so many of them."""

    box: FeltBox
    staked: int
    cards: str | None
    hidden: int
    limits: LimitRow | None
    is_next: bool


def boxes(felt: Felt, limits: dict[int, LimitRow], *, to_the_dealer: bool = False) -> list[Shown]:
    """The boxes in their order. to_the_dealer: with every card, for who deals them from the house shoe."""
    turn = next((option["box"] for option in felt.next if option["do"] in ("bet", "dealer_card")), None)
    return [_shown(felt, box, limits.get(box.box), turn, to_the_dealer=to_the_dealer) for box in felt.boxes]


def _shown(felt: Felt, box: FeltBox, limits: LimitRow | None, turn: int | None, *, to_the_dealer: bool) -> Shown:
    is_open = to_the_dealer or (bool(felt.dealer) and box.done in _STAND)
    return Shown(
        box=box,
        staked=sum(box.stakes.values()),
        cards=box.cards if is_open else None,
        hidden=0 if is_open else len(box.cards.split()),
        limits=limits,
        is_next=box.box == turn,
    )
