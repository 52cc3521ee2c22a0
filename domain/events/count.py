"""Drop boxes from mounted to counted, on stream `count/<gaming day>/<n>`; `drop` names the box's stay at a table.

A drop box holds cash and nothing else: markers (counter checks) are not dealt in, so none can lie in it.
"""

from domain.events.base import Chips, Event


class BoxMounted(Event, frozen=True, kw_only=True):
    """An empty box is locked to a table. number counts from 1 within the count, without gaps; box is its label."""

    TOPIC = "count.box_mounted"
    drop: str
    number: int
    box: str
    table: str
    session: str
    session_stream: str
    currency: str


class BoxRemoved(Event, frozen=True, kw_only=True):
    """Taken off the table by security, closed."""

    TOPIC = "count.box_removed"
    drop: str


class BoxReceived(Event, frozen=True, kw_only=True):
    """Handed over to the count room, unbroken."""

    TOPIC = "count.box_received"
    drop: str


class BoxCounted(Event, frozen=True, kw_only=True):
    """One count of the contents: count 1, 2, or 3 where the first two differ. Nobody sees an earlier one before."""

    TOPIC = "count.box_counted"
    drop: str
    count: int
    cash: tuple[Chips, ...]
    total: int


class BoxSettled(Event, frozen=True, kw_only=True):
    """What the box is held to contain: the first two counts agree, or the third is one of them.

    The counted drop of the session grows by `total` minor units; differ: the first two counts did not agree.
    difference: with the session's last box, what all of them held less the buy-ins recorded at the table; else None.
    """

    TOPIC = "count.box_settled"
    drop: str
    table: str
    session: str
    session_stream: str
    currency: str
    total: int
    differ: bool = False
    difference: int | None = None
