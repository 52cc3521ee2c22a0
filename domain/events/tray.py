"""The tray counted between opener and closer, and an opener that is not the closer before it."""

from domain.events.base import Chips, Event


class TrayCounted(Event, frozen=True, kw_only=True):
    """Counted with nothing on the felt: difference = total - expected. It moves nothing.

    Between the last count that agreed and the first that did not lie the rounds where a discrepancy can have arisen.
    """

    TOPIC = "table.tray_counted"
    chips: tuple[Chips, ...]
    total: int
    expected: int
    difference: int
    rounds: int


class OpenerDiffered(Event, frozen=True, kw_only=True):
    """The opener, chip by chip, is not the closer carried over; difference = counted less carried, minor units.

    0 where other denominations are of the same worth: somebody has changed chips in a locked tray all the same.
    """

    TOPIC = "table.opener_differed"
    session: str
    carried: tuple[Chips, ...]
    counted: tuple[Chips, ...]
    difference: int
