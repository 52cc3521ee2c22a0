"""The house stream: which rulesets are published, each by id, version and digest its text; gaming days; money rules."""

from dataclasses import dataclass, field

from domain import days, money_rules
from domain.days import DAY_EVENTS, Days
from domain.events.base import Event, Meta
from domain.events.house import RulesetProposed, RulesetPublished, RulesetRefused
from domain.money_rules import RULES_EVENTS, RulesBook


@dataclass(slots=True)
class House:
    """published: ruleset id -> its newest version. proposals: those waiting for consent, with who made them."""

    published: dict[str, RulesetPublished] = field(default_factory=dict)
    by_digest: dict[str, RulesetPublished] = field(default_factory=dict)
    proposals: dict[str, tuple[RulesetProposed, str]] = field(default_factory=dict)
    proposed: int = 0
    days: Days = field(default_factory=Days)
    rules: RulesBook = field(default_factory=RulesBook)


def evolve(state: House, meta: Meta, event: Event) -> House:
    """The house after the event."""
    if isinstance(event, RulesetPublished):
        state.published[event.ruleset] = event
        state.by_digest[event.digest] = event
        if event.approval is not None:
            state.proposals.pop(event.approval)
    elif isinstance(event, RulesetProposed):
        state.proposals[event.approval] = (event, meta.actor)
        state.proposed += 1
    elif isinstance(event, RulesetRefused):
        state.proposals.pop(event.approval)
    elif isinstance(event, DAY_EVENTS):
        days.evolve(state.days, meta, event)
    elif isinstance(event, RULES_EVENTS):
        money_rules.evolve(state.rules, meta, event)
    return state
