"""What a settled round has come to so far, corrections counted in: the ground on which a correction stands."""

from collections import defaultdict
from collections.abc import Iterable

from domain.events.base import Event, Meta
from domain.events.correction import AmountCorrected
from domain.events.outcome import PayoutMade, RoundClosed, StakeReturned, StakeTaken

Amounts = dict[tuple[int, str, str], int]
"""(box or wager, kind, effect) -> minor units; effect is staked, taken, returned or paid."""


class RoundMoney:
    """amounts as they stand now; sources: the ids of the events each amount is the sum of."""

    def __init__(self) -> None:
        self.amounts: Amounts = defaultdict(int)
        self.sources: dict[tuple[int, str, str], list[str]] = defaultdict(list)
        self.closed: RoundClosed | None = None

    def take(self, meta: Meta, event: Event) -> None:
        """Fold one event of the round."""
        if isinstance(event, (StakeTaken, StakeReturned)):
            effect = "taken" if isinstance(event, StakeTaken) else "returned"
            self._add(meta, (_spot(event), event.kind, effect), event.amount)
            self._add(meta, (_spot(event), event.kind, "staked"), event.amount)
        elif isinstance(event, PayoutMade):
            self._add(meta, (_spot(event), event.kind, "paid"), event.paid)
        elif isinstance(event, AmountCorrected):
            self._add(meta, (event.box, event.kind, event.effect), event.now - event.was)
        elif isinstance(event, RoundClosed):
            self.closed = event

    def _add(self, meta: Meta, key: tuple[int, str, str], amount: int) -> None:
        self.amounts[key] += amount
        self.sources[key].append(meta.event_id)


def money_of(round_id: str, events: Iterable[tuple[Meta, Event]]) -> RoundMoney:
    """Fold the events that name the round."""
    money = RoundMoney()
    for meta, event in events:
        if getattr(event, "round", None) == round_id:
            money.take(meta, event)
    return money


def _spot(event: StakeTaken | StakeReturned | PayoutMade) -> int:
    spot = event.box if event.box is not None else event.wager
    assert spot is not None, "an outcome names its box or wager"
    return spot
