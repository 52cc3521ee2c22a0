"""The prints of one slip: how many there were. Paper that exists twice must say so on its face."""

from dataclasses import dataclass
from typing import Final

from domain.events.base import Event, Meta
from domain.events.slips import SlipPrinted

KINDS: Final = ("fill", "credit", "hand_pay", "jackpot")
"""Kinds of slips that are printed; a `jackpot` slip has the hit's id for its number, all others their own."""


@dataclass(slots=True)
class Prints:
    """count: prints made so far."""

    count: int = 0


def evolve(state: Prints, _meta: Meta, event: Event) -> Prints:
    """The prints after the event."""
    if isinstance(event, SlipPrinted):
        state.count = event.number
    return state


def label(number: int) -> str:
    """What print `number` (from 1) says it is: `ORIGINAL`, `REPRINT 1`, `REPRINT 2` ..."""
    return "ORIGINAL" if number == 1 else f"REPRINT {number - 1}"
