"""The life of one progressive as its own stream tells it: proposed, approved or refused, hits paid."""

from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec import structs

from domain.events.base import Event, Meta
from domain.events.progressive import (
    ChangeProposed,
    ChangeRefused,
    FundsSent,
    HitPaid,
    HitRejected,
    HitStepTaken,
    LevelTerms,
    LimitImposed,
    MeterAdjusted,
    ProgressiveOpened,
    ProgressiveOrphaned,
    ProgressiveProposed,
    ProgressiveRefused,
    ProgressiveRetired,
    ProgressiveStarted,
    ProgressiveStopAnnounced,
    ProgressiveStopped,
    TermsChanged,
)


class Step(NamedTuple):
    """A step of a hit's verification, by whom, and how it came out: `passed` or `failed`."""

    step: str
    actor: str
    result: str


@dataclass(slots=True)
class Progressive:
    """opened None: the meters do not run yet. terms: the levels' terms in force.

    opened_on: the gaming day of the opening; stops_on: of an announced stop; orphaned: the last day of recovery.
    proposals and changes wait for a second person: approval -> what, and by whom. steps: hit -> steps in order.
    """

    proposals: dict[str, tuple[ProgressiveProposed, str]] = field(default_factory=dict)
    changes: dict[str, tuple[ChangeProposed, str]] = field(default_factory=dict)
    asked: int = 0
    opened: ProgressiveOpened | None = None
    terms: tuple[LevelTerms, ...] = ()
    opened_on: str = ""
    stops_on: str | None = None
    orphaned: str | None = None
    stopped: bool = False
    retired: bool = False
    paid: set[str] = field(default_factory=set)
    rejected: set[str] = field(default_factory=set)
    steps: dict[str, list[Step]] = field(default_factory=dict)


def evolve(state: Progressive, meta: Meta, event: Event) -> Progressive:  # noqa: PLR0912  (a flat case an event)
    """The progressive after the event."""
    match event:
        case ProgressiveProposed():
            state.proposals[event.approval] = (event, meta.actor)
            state.asked += 1
        case ChangeProposed():
            state.changes[event.approval] = (event, meta.actor)
            state.asked += 1
        case ProgressiveOpened():
            state.opened = event
            state.opened_on = meta.gaming_day or meta.happened_at.date().isoformat()
            state.terms = event.levels
            state.proposals.pop(event.approval, None)
        case ProgressiveRefused():
            state.proposals.pop(event.approval, None)
        case ChangeRefused() | MeterAdjusted() | FundsSent():
            state.changes.pop(event.approval, None)
        case LimitImposed():
            state.changes.pop(event.approval, None)
            state.terms = tuple(
                structs.replace(terms, limit=event.limit) if terms.level == event.level else terms
                for terms in state.terms
            )
        case TermsChanged():
            state.changes.pop(event.approval, None)
            state.terms = event.levels
        case ProgressiveStopped():
            state.stopped = True
        case ProgressiveStarted():
            state.stopped = False
            state.stops_on = state.orphaned = None
        case ProgressiveStopAnnounced():
            state.stops_on = event.stops_on
        case ProgressiveOrphaned():
            state.changes.pop(event.approval, None)
            state.orphaned = event.recoverable_until
        case ProgressiveRetired():
            state.changes.pop(event.approval, None)
            state.stopped = state.retired = True
        case HitPaid():
            state.paid.add(event.hit)
        case HitRejected():
            state.rejected.add(event.hit)
        case HitStepTaken():
            state.steps.setdefault(event.hit, []).append(Step(event.step, meta.actor, event.result))
    return state
