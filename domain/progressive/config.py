"""The life of one progressive as its own stream tells it: proposed, approved or refused, hits paid."""

from dataclasses import dataclass, field

from domain.events.base import Event, Meta
from domain.events.progressive import HitPaid, ProgressiveOpened, ProgressiveProposed, ProgressiveRefused


@dataclass(slots=True)
class Progressive:
    """proposals still open by approval id, with who made them; opened None: the meters do not run yet."""

    proposals: dict[str, tuple[ProgressiveProposed, str]] = field(default_factory=dict)
    proposed: int = 0
    opened: ProgressiveOpened | None = None
    paid: set[str] = field(default_factory=set)


def evolve(state: Progressive, meta: Meta, event: Event) -> Progressive:
    """The progressive after the event."""
    if isinstance(event, ProgressiveProposed):
        state.proposals[event.approval] = (event, meta.actor)
        state.proposed += 1
    elif isinstance(event, ProgressiveOpened):
        state.opened = event
        state.proposals.pop(event.approval, None)
    elif isinstance(event, ProgressiveRefused):
        state.proposals.pop(event.approval, None)
    elif isinstance(event, HitPaid):
        state.paid.add(event.hit)
    return state
