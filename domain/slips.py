"""The slips of one kind and gaming day: gap-free numbers; of fills and credits states, and who signed each step."""

from dataclasses import dataclass, field

from domain.events.base import Event, Meta
from domain.events.slips import (
    HandPaySlipIssued,
    SlipCarried,
    SlipCounted,
    SlipPrepared,
    SlipReceived,
    SlipRequested,
    SlipVoided,
)

STEPS: dict[str, tuple[str, type[Event]]] = {
    "prepare": ("requested", SlipPrepared),
    "carry": ("prepared", SlipCarried),
    "count": ("carried", SlipCounted),
    "receive": ("counted", SlipReceived),
}
"""Step -> (the state it needs, the event it records): the order of WAC 230-15-525."""

_STATES: dict[type[Event], str] = {
    SlipPrepared: "prepared",
    SlipCarried: "carried",
    SlipCounted: "counted",
    SlipReceived: "received",
    SlipVoided: "void",
}


@dataclass(slots=True)
class Slip:
    """signed: the actor of each step taken so far; no person may stand there twice. window None: of the main bank."""

    requested: SlipRequested
    state: str
    signed: list[str]
    window: str | None = None


@dataclass(slots=True)
class SlipBook:
    """slips: fills or credits. hand_pays: slips of paid hits, by number from 1."""

    slips: dict[str, Slip] = field(default_factory=dict)
    hand_pays: list[HandPaySlipIssued] = field(default_factory=list)


def evolve(state: SlipBook, meta: Meta, event: Event) -> SlipBook:
    """The book after the event."""
    if isinstance(event, SlipRequested):
        state.slips[event.slip] = Slip(event, "requested", [meta.actor])
        return state
    if isinstance(event, HandPaySlipIssued):
        state.hand_pays.append(event)
        return state
    reached = _STATES.get(type(event))
    if reached is not None:
        slip = state.slips[event.slip]  # type: ignore[attr-defined]
        slip.state = reached
        slip.signed.append(meta.actor)
        if isinstance(event, SlipPrepared):
            slip.window = event.window
    return state
