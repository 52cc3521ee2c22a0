"""The settlement as it goes out: key order and map contents are the public form of a settled round."""

from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType

Sums: TypeAlias = dict[str, int]


class BoxSettlement(Struct, gc=False, omit_defaults=True, kw_only=True):
    """One box. For each kind stakes = returned + taken; net = paid - taken, to the player; zero entries left out."""

    box: int
    hand: str | UnsetType = UNSET
    second: str | UnsetType = UNSET
    stakes: Sums
    returned: Sums
    taken: Sums
    paid: Sums
    capped: int
    net: int
    void: bool = False


class DealerSettlement(Struct, gc=False):
    """hand and qualifies speak of the first cards, final of the hand after the dealer's card was bought."""

    hand: str
    qualifies: bool
    final: str


class Settlement(Struct, gc=False, omit_defaults=True):
    """A settled round of boxes. house_net is minus the sum of the nets."""

    boxes: list[BoxSettlement]
    dealer: DealerSettlement | UnsetType = UNSET
    house_net: int | UnsetType = UNSET


class BetSettlement(Struct, gc=False, omit_defaults=True, kw_only=True):
    """One roulette bet; player left out where the record had none."""

    player: str | UnsetType = UNSET
    on: str
    amount: int
    returned: int
    taken: int
    paid: int
    net: int
    refused: str | UnsetType = UNSET


class WagerSettlement(Struct, gc=False):
    """A settled spin."""

    bets: list[BetSettlement]
    house_net: int
