"""Which displays have shown one hit, and since when: the first word of a display stands."""

from dataclasses import dataclass, field
from datetime import datetime

from domain.events.base import Event, Meta
from domain.events.progressive import HitShown


@dataclass(slots=True)
class Displays:
    """shown: the display's name -> since when (UTC)."""

    shown: dict[str, datetime] = field(default_factory=dict)


def evolve(state: Displays, _meta: Meta, event: Event) -> Displays:
    """The displays after the event."""
    if isinstance(event, HitShown):
        for showing in event.displays:
            state.shown.setdefault(showing.display, showing.shown_at)
    return state
