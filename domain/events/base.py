"""What every event shares, and the envelope that surrounds one in the log."""

from datetime import datetime
from typing import ClassVar

from msgspec import Struct


class Event(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False, kw_only=True):
    """One recorded fact.

    TOPIC is its permanent name in the log, VERSION the shape of its fields; a changed shape needs a new VERSION, an
    upcast in `domain.upcasts` and a golden file of the old one.
    """

    TOPIC: ClassVar[str]
    VERSION: ClassVar[int] = 1


class Meta(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False, kw_only=True):
    """Who, when and where of an event: everything but what happened.

    happened_at is business time (UTC); `late` flags one that lies before what its stream already knew. belongs_to: the
    session (its stream) in whose time the event lies, where that is an earlier one than the stream that took it.
    actor is the identity that acted, approver the second person where one was needed, key the idempotency key.
    """

    event_id: str
    site: str
    happened_at: datetime
    actor: str
    gaming_day: str | None = None
    shift: str | None = None
    device: str | None = None
    approver: str | None = None
    key: str | None = None
    late: bool = False
    belongs_to: str | None = None


class Recorded(Struct, frozen=True, gc=False):
    """An event as it lies in the log: position is the log's own order, recorded_at was stamped under its lock."""

    position: int
    stream: str
    version: int
    recorded_at: datetime
    meta: Meta
    data: Event


class Chips(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """`count` chips of `denomination` minor units each."""

    denomination: int
    count: int


def chips_total(chips: tuple[Chips, ...]) -> int:
    """The value of the chips in minor units."""
    return sum(c.denomination * c.count for c in chips)
