"""The felt of a round after so many of its events: who has which cards, what stands where, what has moved.

A plain fold over the events as they were recorded. It judges nothing: what the engine makes of the same events is the
evidence's to say.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from projections.reads.events import LoggedEvent

Data = dict[str, Any]


@dataclass(slots=True)
class Seat:
    """A box, or in roulette a wager: minor units by kind of stake. decision: bet, fold, time_out or blind."""

    number: int
    player: str | None = None
    on: str | None = None
    cards: list[str] = field(default_factory=list)
    out: list[str] = field(default_factory=list)
    stakes: Counter[str] = field(default_factory=Counter)
    taken: Counter[str] = field(default_factory=Counter)
    returned: Counter[str] = field(default_factory=Counter)
    paid: Counter[str] = field(default_factory=Counter)
    capped: int = 0
    decision: str | None = None
    void: bool = False

    @property
    def stands(self) -> dict[str, int]:
        """What still lies on the felt, by kind."""
        return {kind: left for kind in self.stakes if (left := self.left(kind))}

    @property
    def net(self) -> int:
        """What the player has won so far."""
        return self.paid.total() - self.taken.total()

    def left(self, kind: str) -> int:
        """What of a stake is neither taken nor returned."""
        return self.stakes[kind] - self.taken[kind] - self.returned[kind]


@dataclass(slots=True)
class Felt:
    """The round as it stands. called: the number, or "no spin"."""

    seats: dict[int, Seat] = field(default_factory=dict)
    dealer: list[str] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)
    board: list[str] = field(default_factory=list)
    called: int | None = None
    no_spin: bool = False
    state: str = "live"

    @property
    def wagers(self) -> bool:
        """Whether the seats are wagers of a spin."""
        return any(seat.on is not None for seat in self.seats.values())

    def seat(self, data: Data) -> Seat:
        """The seat that an event is about."""
        number = data.get("box") or data.get("wager") or 0
        return self.seats.setdefault(number, Seat(number))

    def total(self, of: str) -> int:
        """Staked, taken, returned or paid, over all seats; in minor units."""
        return sum(getattr(seat, of).total() for seat in self.seats.values())

    @property
    def staked(self) -> int:
        """Everything that was put up."""
        return self.total("stakes")

    @property
    def stands(self) -> int:
        """What is neither taken nor returned yet."""
        return sum(sum(seat.stands.values()) for seat in self.seats.values())

    @property
    def house_net(self) -> int:
        """What the house has won so far."""
        return self.total("taken") - self.total("paid")


def felt_after(events: Iterable[tuple[LoggedEvent, Data]]) -> Felt:
    """The felt after these events, the first of the round first."""
    felt = Felt()
    for event, data in events:
        write = _WRITERS.get(event.type)
        if write is not None:
            write(felt, data)
    return felt


def cards_of(text: str) -> list[str]:
    """`As Kd`, with or without spaces, as single cards."""
    packed = text.replace(" ", "")
    return [packed[at : at + 2] for at in range(0, len(packed), 2)]


def _stake(kind: str) -> Callable[[Felt, Data], None]:
    def write(felt: Felt, data: Data) -> None:
        seat = felt.seat(data)
        seat.stakes[kind] += data["amount"]
        seat.player = data.get("player") or seat.player
        if kind == "ante" and data.get("blind"):
            seat.decision = "blind"
        if kind == "bet" and not data.get("blind"):
            seat.decision = "time_out" if data.get("timed_out") else "bet"

    return write


def _wager(felt: Felt, data: Data) -> None:
    seat = felt.seat(data)
    seat.on, seat.player = data["on"], data.get("player")
    seat.stakes[data["on"].split()[0]] += data["amount"]


def _dealt(felt: Felt, data: Data) -> None:
    felt.seat(data).cards = cards_of(data["cards"])


def _swapped(felt: Felt, data: Data) -> None:
    seat = felt.seat(data)
    out = cards_of(data["out"])
    seat.out += out
    seat.cards = [card for card in seat.cards if card not in out] + cards_of(data["cards_in"])


def _sixth(felt: Felt, data: Data) -> None:
    felt.seat(data).cards += cards_of(data["card"])


def _folded(felt: Felt, data: Data) -> None:
    felt.seat(data).decision = "time_out" if data.get("timed_out") else "fold"


def _moved(of: str) -> Callable[[Felt, Data], None]:
    def write(felt: Felt, data: Data) -> None:
        getattr(felt.seat(data), of)[data["kind"]] += data["amount"]

    return write


def _paid(felt: Felt, data: Data) -> None:
    seat = felt.seat(data)
    seat.paid[data["kind"]] += data["paid"]
    seat.capped += data.get("capped", 0)


def _hit(felt: Felt, data: Data) -> None:
    felt.seat(data).paid["jackpot"] += data["award"]


def _upcard(felt: Felt, data: Data) -> None:
    felt.dealer = cards_of(data["card"])


def _revealed(felt: Felt, data: Data) -> None:
    felt.dealer = cards_of(data["cards"])


def _drawn(felt: Felt, data: Data) -> None:
    felt.drawn += cards_of(data["cards"])


def _board(felt: Felt, data: Data) -> None:
    felt.board += cards_of(data["cards"])


def _called(felt: Felt, data: Data) -> None:
    felt.called = data["number"]


def _no_spin(felt: Felt, _data: Data) -> None:
    felt.no_spin = True


def _void(felt: Felt, data: Data) -> None:
    felt.seat(data).void = True


def _closed(felt: Felt, data: Data) -> None:
    felt.state = "void" if data.get("void") else "closed"


def _corrected(felt: Felt, data: Data) -> None:
    """An amount put right: the difference moves, so that the sums are as they were agreed to be."""
    seat, by = felt.seat(data), data["now"] - data["was"]
    of = {"staked": seat.stakes, "taken": seat.taken, "returned": seat.returned, "paid": seat.paid}[data["effect"]]
    of[data["kind"]] += by


_WRITERS: Final[dict[str, Callable[[Felt, Data], None]]] = {
    "table.ante_placed": _stake("ante"),
    "table.bet_placed": _stake("bet"),
    "table.bonus_placed": _stake("bonus"),
    "table.jackpot_staked": _stake("jackpot"),
    "table.swap_fee_placed": _stake("swap"),
    "table.buy_fee_placed": _stake("buy"),
    "table.insurance_placed": _stake("insurance"),
    "table.dealer_card_fee_placed": _stake("dealer_card"),
    "table.wager_placed": _wager,
    "table.cards_dealt": _dealt,
    "table.cards_swapped": _swapped,
    "table.sixth_card_bought": _sixth,
    "table.hand_folded": _folded,
    "table.dealer_upcard_dealt": _upcard,
    "table.dealer_revealed": _revealed,
    "table.dealer_cards_drawn": _drawn,
    "table.board_dealt": _board,
    "table.number_called": _called,
    "table.no_spin_called": _no_spin,
    "table.stake_taken": _moved("taken"),
    "table.stake_returned": _moved("returned"),
    "table.payout_made": _paid,
    "table.jackpot_hit": _hit,
    "table.box_voided": _void,
    "table.round_closed": _closed,
    "table.amount_corrected": _corrected,
}
