"""The program that wrote last, by the digest of its files."""

from dataclasses import dataclass

from domain.events.base import Event, Meta
from domain.events.program import ProgramStarted


@dataclass(slots=True)
class Program:
    """digest None: nobody has said so yet."""

    digest: str | None = None


def evolve(state: Program, _meta: Meta, event: Event) -> Program:
    """The program after the event."""
    if isinstance(event, ProgramStarted):
        state.digest = event.digest
    return state
