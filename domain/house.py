"""The house stream: which rulesets are published, each by id, version and digest with its whole text."""

from dataclasses import dataclass, field

from domain.events.base import Event, Meta
from domain.events.house import RulesetPublished


@dataclass(slots=True)
class House:
    """published: ruleset id -> its newest version."""

    published: dict[str, RulesetPublished] = field(default_factory=dict)
    by_digest: dict[str, RulesetPublished] = field(default_factory=dict)


def evolve(state: House, _meta: Meta, event: Event) -> House:
    """The house after the event."""
    if isinstance(event, RulesetPublished):
        state.published[event.ruleset] = event
        state.by_digest[event.digest] = event
    return state
