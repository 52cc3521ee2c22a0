"""The table's registry: its open session and the closer to carry to the next opener."""

from dataclasses import dataclass, field

from domain.events.base import Chips, Event, Meta
from domain.events.session import SessionRegistered, SessionReleased


@dataclass(slots=True)
class Registry:
    """open_stream None: the table is closed. number counts the table's sessions from 1, streams says where each is."""

    open_session: str | None = None
    open_stream: str | None = None
    number: int = 0
    streams: dict[int, str] = field(default_factory=dict)
    closer: tuple[Chips, ...] | None = None
    closer_total: int | None = None


def evolve(state: Registry, _meta: Meta, event: Event) -> Registry:
    """The registry after the event."""
    if isinstance(event, SessionRegistered):
        state.open_session = event.session
        state.open_stream = f"table/{event.table}/{event.gaming_day}/{event.number}"
        state.number = event.number
        state.streams[event.number] = state.open_stream
    elif isinstance(event, SessionReleased):
        state.open_session = state.open_stream = None
        state.closer = event.closer
        state.closer_total = event.closer_total
    return state
