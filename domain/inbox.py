"""The inbox of a gaming day: nothing is decided on what is in it, so nothing of it is kept."""

from dataclasses import dataclass

from domain.events.base import Event, Meta


@dataclass(slots=True)
class Inbox:
    """Only its stream's version counts."""


def evolve(state: Inbox, _meta: Meta, _event: Event) -> Inbox:
    """Nothing moves."""
    return state
