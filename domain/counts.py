"""The soft count of a gaming day: where every drop box is, who had it, and what it holds once that is known."""

from dataclasses import dataclass, field

from domain.events.adjustment import (
    AdjustmentProposed,
    AdjustmentRefused,
    BoxCorrected,
    BoxCorrectionProposed,
    FigureAdjusted,
)
from domain.events.base import Event, Meta
from domain.events.count import BoxCounted, BoxMounted, BoxReceived, BoxRemoved, BoxSettled
from domain.events.late import BuyInLearned

MOUNTED, REMOVED, RECEIVED, COUNTING, COUNTED = "mounted", "removed", "received", "counting", "counted"


@dataclass(slots=True)
class DropBox:
    """people: who mounted, removed, received and counted it, in order. counts: their totals, shown to nobody.

    counted None: not known yet, which is not zero.
    """

    mounted: BoxMounted
    state: str
    people: list[str]
    counts: list[int] = field(default_factory=list)
    counters: list[str] = field(default_factory=list)
    counted: int | None = None


@dataclass(slots=True)
class CountBook:
    """The boxes of one count by number. learned: session -> buy-ins recorded after it was closed.

    proposals wait for a second person: approval -> what was proposed, and by whom.
    """

    boxes: dict[str, DropBox] = field(default_factory=dict)
    learned: dict[str, int] = field(default_factory=dict)
    proposals: dict[str, tuple[BoxCorrectionProposed | AdjustmentProposed, str]] = field(default_factory=dict)
    proposed: int = 0

    def of_session(self, session: str) -> list[DropBox]:
        """The boxes that were mounted at a session."""
        return [box for box in self.boxes.values() if box.mounted.session == session]


def evolve(state: CountBook, meta: Meta, event: Event) -> CountBook:
    """The book after the event."""
    if isinstance(event, BoxMounted):
        state.boxes[event.drop] = DropBox(event, MOUNTED, [meta.actor])
    elif isinstance(event, BoxRemoved | BoxReceived):
        box = state.boxes[event.drop]
        box.state = REMOVED if isinstance(event, BoxRemoved) else RECEIVED
        box.people.append(meta.actor)
    elif isinstance(event, BoxCounted):
        box = state.boxes[event.drop]
        box.state = COUNTING
        box.counts.append(event.total)
        box.counters.append(meta.actor)
    elif isinstance(event, BoxSettled):
        box = state.boxes[event.drop]
        box.state = COUNTED
        box.counted = event.total
    elif isinstance(event, BoxCorrectionProposed | AdjustmentProposed):
        state.proposals[event.approval] = (event, meta.actor)
        state.proposed += 1
    elif isinstance(event, BoxCorrected | FigureAdjusted | AdjustmentRefused):
        state.proposals.pop(event.approval)
        if isinstance(event, BoxCorrected):
            state.boxes[event.drop].counted = event.now
    elif isinstance(event, BuyInLearned):
        state.learned[event.session] = state.learned.get(event.session, 0) + event.amount
    return state
