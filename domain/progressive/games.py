"""Which games a progressive is linked to: a shared level is won everywhere by the same hand, as probably (P12).

WAC 230-15-685(6): linked only "with the same probability" and the same winning hand.
"""

from dataclasses import dataclass, field

from domain.events.base import Event, Meta
from domain.events.progressive import GameLinked, WonBy


@dataclass(slots=True)
class Games:
    """linked: digest of a sheet -> its link. Another kind of win takes another progressive."""

    linked: dict[str, GameLinked] = field(default_factory=dict)

    def won_by(self, level: int) -> tuple[str, set[WonBy]] | None:
        """What wins the level on the games linked so far, and the name of one of them; None: nothing does yet."""
        for game in self.linked.values():
            shares = {share for share in game.shares if share.level == level}
            if shares:
                return game.ruleset, shares
        return None


def evolve(state: Games, _meta: Meta, event: Event) -> Games:
    """The games after the event."""
    if isinstance(event, GameLinked):
        state.linked[event.digest] = event
    return state
