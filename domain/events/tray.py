"""The tray counted between opener and closer."""

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
