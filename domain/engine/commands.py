"""What can be asked of a live round. Cards are text as in a round record, amounts whole minor units."""

from typing import Literal

from msgspec import Struct


class Command(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, gc=False):
    """Anything a live round may be asked to take in."""


class Seat(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, gc=False):
    """A box before the deal. accepted: the dealer took the stakes although they are outside the posted limits."""

    box: int
    ante: int
    player: str | None = None
    bonus: int = 0
    jackpot: int = 0
    blind: bool = False
    accepted: bool = False


class OpenRound(Command, frozen=True, kw_only=True):
    """Stakes are down: the round begins. Roulette opens with no boxes."""

    boxes: tuple[Seat, ...] = ()
    shoe: Literal["house", "external"] = "external"
    source: Literal["live", "record"] = "live"


class DealCards(Command, frozen=True, kw_only=True):
    """The first cards of a box."""

    box: int
    cards: str


class DealUpcard(Command, frozen=True, kw_only=True):
    """The dealer's face-up card."""

    card: str


class DealBoard(Command, frozen=True, kw_only=True):
    """Community cards: the first ones before the decisions, the rest after."""

    cards: str


class Act(Command, frozen=True, kw_only=True):
    """What a box does: `out` and `cards_in` for a swap, `cards_in` for a sixth card, `amount` for insurance."""

    box: int
    do: Literal["swap", "buy", "insure", "bet", "fold", "dealer_card"]
    out: str = ""
    cards_in: str = ""
    amount: int | None = None


class TimeOut(Command, frozen=True, kw_only=True):
    """The player of a box did not act in time."""

    box: int


class RevealDealer(Command, frozen=True, kw_only=True):
    """All first cards of the dealer, the face-up one last."""

    cards: str


class DeclineDealerCard(Command, frozen=True, kw_only=True):
    """A box that was asked does not buy the dealer's card."""

    box: int


class DrawDealer(Command, frozen=True, kw_only=True):
    """One or more cards drawn in place of the dealer's highest."""

    cards: str


class CallMisdeal(Command, frozen=True, kw_only=True):
    """A misdeal of a kind the sheet knows; box where only one is struck."""

    kind: str
    box: int | None = None


class StopRound(Command, frozen=True, kw_only=True):
    """A supervisor ends the round: everything put up is returned."""

    reason: str


class Wager(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, gc=False):
    """A roulette wager as in a round record: `amount`, or `unit` for an announced bet."""

    on: str
    player: str | None = None
    amount: int | None = None
    unit: int | None = None
    late: bool = False


class PlaceWagers(Command, frozen=True, kw_only=True):
    """Wagers on the layout; more may follow until the number is called."""

    wagers: tuple[Wager, ...]


class CallNumber(Command, frozen=True, kw_only=True):
    """The ball has come to rest on a number."""

    number: int


class CallNoSpin(Command, frozen=True, kw_only=True):
    """The spin does not count."""
