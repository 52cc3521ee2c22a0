"""The state of one spin, and how events change it. It takes events in and judges nothing."""

import msgspec

from domain.engine.limits import Limits
from domain.engine.roulette.book import Book
from domain.engine.roulette.stakes import Placed, Sign, place, sign
from domain.events.base import Event
from domain.events.outcome import PayoutMade, RoundClosed, StakeReturned, StakeTaken
from domain.events.play import NoSpinCalled, NumberCalled, RoundOpened, RoundStopped, WagerPlaced
from domain.ruleset.base import Ruleset


class Laid(msgspec.Struct, gc=False):
    """A wager on the layout, `number` counting the round's wagers from 1: what has gone back, been taken and paid."""

    number: int
    player: str | None
    on: str
    placed: Placed
    returned: int = 0
    taken: int = 0
    paid: int = 0


class Spin:
    """One round. `called`: the number; `no_spin`, `stopped` (with its reason): what ended it instead."""

    __slots__ = (
        "called", "closed", "laid", "limits", "no_spin", "number", "opened", "round_id", "ruleset", "sign", "stopped",
    )  # fmt: skip

    def __init__(self, ruleset: Ruleset, limits: Limits, round_id: str, number: int) -> None:
        self.ruleset = ruleset
        self.limits = limits
        self.sign: Sign = sign(limits)
        self.round_id = round_id
        self.number = number
        self.opened = False
        self.closed = False
        self.laid: list[Laid] = []
        self.called: int | None = None
        self.no_spin = False
        self.stopped: str | None = None

    @property
    def book(self) -> Book:
        """The sheet's bets."""
        book: Book = self.ruleset.play
        return book

    @property
    def ended(self) -> bool:
        """The last input is in: what follows follows from it."""
        return self.called is not None or self.no_spin or self.stopped is not None

    def copy(self) -> "Spin":
        """A spin that can go its own way."""
        other = Spin(self.ruleset, self.limits, self.round_id, self.number)
        other.opened, other.closed = self.opened, self.closed
        other.called, other.no_spin, other.stopped = self.called, self.no_spin, self.stopped
        other.laid = [msgspec.structs.replace(laid) for laid in self.laid]
        return other


def evolve(spin: Spin, event: Event) -> Spin:
    """The spin after the event: the same object, changed."""
    match event:
        case WagerPlaced():
            amount = event.amount if event.unit is None else None
            placed = place(spin.book, spin.sign, event.wager, event.on, amount=amount, unit=event.unit, late=event.late)
            spin.laid.append(Laid(event.wager, event.player, event.on, placed))
        case StakeReturned(wager=int(wager)):
            spin.laid[wager - 1].returned += event.amount
        case StakeTaken(wager=int(wager)):
            spin.laid[wager - 1].taken += event.amount
        case PayoutMade(wager=int(wager)):
            spin.laid[wager - 1].paid += event.paid
        case RoundOpened():
            spin.opened = True
        case NumberCalled():
            spin.called = event.number
        case NoSpinCalled():
            spin.no_spin = True
        case RoundStopped():
            spin.stopped = event.reason
        case RoundClosed():
            spin.closed = True
        case _:
            pass
    return spin
