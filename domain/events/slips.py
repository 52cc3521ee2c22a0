"""Slips with gap-free numbers, on stream `slips/<kind>/<gaming day>`: fills and credits with five signatures each, and
the payments of jackpot hits. Prints of a slip stand on `prints/<kind>/<slip>`."""

from domain.events.base import Chips, Event


class SlipRequested(Event, frozen=True, kw_only=True):
    """kind is `fill` or `credit`; number counts from 1 within kind and gaming day, without gaps."""

    TOPIC = "slips.requested"
    slip: str
    kind: str
    number: int
    table: str
    session: str
    chips: tuple[Chips, ...]
    amount: int


class SlipPrepared(Event, frozen=True, kw_only=True):
    """window: the cage window that a fill comes from, or that a credit goes to; None: the main bank."""

    TOPIC = "slips.prepared"
    slip: str
    window: str | None = None


class SlipCarried(Event, frozen=True, kw_only=True):
    TOPIC = "slips.carried"
    slip: str


class SlipCounted(Event, frozen=True, kw_only=True):
    TOPIC = "slips.counted"
    slip: str


class SlipReceived(Event, frozen=True, kw_only=True):
    """Verified by a supervisor other than the requester: only now the tray moves."""

    TOPIC = "slips.received"
    slip: str


class SlipVoided(Event, frozen=True, kw_only=True):
    """Void before transport, with a reason."""

    TOPIC = "slips.voided"
    slip: str
    reason: str


class HandPaySlipIssued(Event, frozen=True, kw_only=True):
    """The slip of a hit's payment, in the save that pays it; number counts from 1 within the gaming day, without gaps.

    amount is in minor units; instrument says what the player was given, paid_by out of whose money: `cage` or `tray`.
    """

    TOPIC = "slips.hand_pay_issued"
    slip: str
    number: int
    progressive: str
    hit: str
    amount: int
    instrument: str
    paid_by: str


class SlipPrinted(Event, frozen=True, kw_only=True):
    """Paper was made of a slip. kind: `fill`, `credit`, `hand_pay`, or `jackpot` where `slip` is a hit's id.

    number counts the prints of this one slip from 1: the first is the original, print n + 1 is reprint n.
    """

    TOPIC = "slips.printed"
    kind: str
    slip: str
    number: int
