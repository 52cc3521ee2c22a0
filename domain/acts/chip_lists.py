"""Chips, and notes, as they are counted: by denomination."""

from collections.abc import Iterable

from domain.events.base import Chips
from domain.refusals import Refusal


def check_chips(chips: Iterable[Chips], where: str) -> None:
    """Every denomination once and positive, every count positive. Refuses `bad_chips`."""
    seen: set[int] = set()
    for chip in chips:
        if chip.denomination <= 0 or chip.count < 0 or chip.denomination * chip.count > 10**13:
            raise Refusal("bad_chips", f"{where}: denomination and count are positive, got {chip}")
        if chip.denomination in seen:
            raise Refusal("bad_chips", f"{where}: denomination {chip.denomination} stands twice; add the counts up")
        seen.add(chip.denomination)
