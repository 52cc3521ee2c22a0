"""Fills and credits as slips with gap-free numbers, on stream `slips/<kind>/<gaming day>`; five signatures each."""

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
    TOPIC = "slips.prepared"
    slip: str


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
