"""The table's registry: its open session and the closer to carry to the next opener."""

from dataclasses import dataclass, field
from datetime import datetime

from domain.events.base import Chips, Event, Meta
from domain.events.session import SessionRegistered, SessionReleased


@dataclass(slots=True)
class Span:
    """Business time of one session, from its opener to its closer (None: not counted yet)."""

    stream: str
    opened_at: datetime
    closed_at: datetime | None = None


@dataclass(slots=True)
class Registry:
    """open_stream None: the table is closed. number counts the table's sessions from 1, streams says where each is."""

    open_session: str | None = None
    open_stream: str | None = None
    number: int = 0
    streams: dict[int, str] = field(default_factory=dict)
    closer: tuple[Chips, ...] | None = None
    closer_total: int | None = None
    spans: dict[int, Span] = field(default_factory=dict)

    @property
    def closed_at(self) -> datetime | None:
        """When the last session closed; None while it is open, and before the first."""
        return self.spans[self.number].closed_at if self.number in self.spans else None

    def span_at(self, moment: datetime) -> Span | None:
        """The closed session in whose time a moment lies; None between sessions and before the first."""
        for span in reversed(self.spans.values()):
            if span.opened_at <= moment:
                return span if span.closed_at is not None and moment < span.closed_at else None
        return None


def evolve(state: Registry, meta: Meta, event: Event) -> Registry:
    """The registry after the event."""
    if isinstance(event, SessionRegistered):
        state.open_session = event.session
        state.open_stream = f"table/{event.table}/{event.gaming_day}/{event.number}"
        state.number = event.number
        state.streams[event.number] = state.open_stream
        state.spans[event.number] = Span(state.open_stream, meta.happened_at)
    elif isinstance(event, SessionReleased):
        state.open_session = state.open_stream = None
        state.spans[state.number].closed_at = meta.happened_at
        state.closer = event.closer
        state.closer_total = event.closer_total
    return state
