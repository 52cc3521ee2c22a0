"""One cashier's shift at a cage window, on stream `cage/<window>/<gaming day>/<n>`; and the window's registry.

A window holds cash and chips, both in minor units of its currency. Selling and redeeming turn one into the other.
"""

from domain.events.base import Chips, Event


class WindowOpened(Event, frozen=True, kw_only=True):
    """The cashier counts in: the imprest from the main bank, or (taken_over) what the cashier before handed over."""

    TOPIC = "cage.window_opened"
    window: str
    cage_shift: str
    number: int
    gaming_day: str
    shift: str
    currency: str
    cash: tuple[Chips, ...]
    chips: tuple[Chips, ...]
    cash_total: int
    chips_total: int
    taken_over: str | None = None


class ChipsSold(Event, frozen=True, kw_only=True):
    """Cash into the window, chips of the same worth to the player."""

    TOPIC = "cage.chips_sold"
    amount: int
    player: str | None = None


class ChipsRedeemed(Event, frozen=True, kw_only=True):
    """Chips into the window, cash of the same worth to the player."""

    TOPIC = "cage.chips_redeemed"
    amount: int
    player: str | None = None


class HandPaid(Event, frozen=True, kw_only=True):
    """A jackpot hit, paid out of the window's cash; the hit itself is closed on its progressive in the same save."""

    TOPIC = "cage.hand_paid"
    progressive: str
    hit: str
    amount: int
    player: str | None = None


class FillServed(Event, frozen=True, kw_only=True):
    """The chips of a fill, prepared at this window and on their way to the table."""

    TOPIC = "cage.fill_served"
    slip: str
    amount: int


class FillTakenBack(Event, frozen=True, kw_only=True):
    """The slip was voided: its chips are in the window again."""

    TOPIC = "cage.fill_taken_back"
    slip: str
    amount: int


class CreditTaken(Event, frozen=True, kw_only=True):
    """The chips of a credit, come from the table into this window."""

    TOPIC = "cage.credit_taken"
    slip: str
    amount: int


class TransferSent(Event, frozen=True, kw_only=True):
    """On its way to another window; still this one's to answer for."""

    TOPIC = "cage.transfer_sent"
    transfer: str
    to: str
    cash: int
    chips: int


class TransferReceived(Event, frozen=True, kw_only=True):
    """On the receiver's stream: counted, and as sent."""

    TOPIC = "cage.transfer_received"
    transfer: str
    sender: str
    cash: int
    chips: int


class TransferArrived(Event, frozen=True, kw_only=True):
    """On the sender's stream: the receiver has signed for it."""

    TOPIC = "cage.transfer_arrived"
    transfer: str


class HandoverOffered(Event, frozen=True, kw_only=True):
    """The cashier has counted out and waits for the next one to count in."""

    TOPIC = "cage.handover_offered"
    cash: tuple[Chips, ...]
    chips: tuple[Chips, ...]
    cash_total: int
    chips_total: int


class WindowClosed(Event, frozen=True, kw_only=True):
    """Counted and closed: over_short = cash_total + chips_total - expected_cash - expected_chips.

    handed_to: the cashier who took over; None: everything went back to the main bank.
    """

    TOPIC = "cage.window_closed"
    window: str
    cage_shift: str
    cash: tuple[Chips, ...]
    chips: tuple[Chips, ...]
    cash_total: int
    chips_total: int
    expected_cash: int
    expected_chips: int
    over_short: int
    handed_to: str | None = None


class WindowRegistered(Event, frozen=True, kw_only=True):
    """On the registry stream `cage/<window>`: this shift is the open one."""

    TOPIC = "cage.shift_registered"
    window: str
    cage_shift: str
    number: int
    gaming_day: str


class WindowReleased(Event, frozen=True, kw_only=True):
    """On the registry stream: the shift is closed."""

    TOPIC = "cage.shift_released"
    window: str
    cage_shift: str
