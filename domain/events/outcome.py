"""Outputs of a round: what follows from its inputs under the ruleset, each with its reason."""

from domain.events.base import Event


class StakeTaken(Event, frozen=True, kw_only=True):
    """The house keeps `amount` of a stake of `kind`; clause and reason say why."""

    TOPIC = "table.stake_taken"
    round: str
    kind: str
    amount: int
    clause: str
    reason: str
    box: int | None = None
    wager: int | None = None


class StakeReturned(Event, frozen=True, kw_only=True):
    """`amount` of a stake of `kind` goes back to the player."""

    TOPIC = "table.stake_returned"
    round: str
    kind: str
    amount: int
    clause: str
    reason: str
    box: int | None = None
    wager: int | None = None


class PayoutMade(Event, frozen=True, kw_only=True):
    """Winnings on a stake of `kind`, the stake itself not included: due = paid + capped.

    odds as printed on the sheet ("5:1", "20:1 + 7:1" for two combinations, "prize 250.00" for a fixed sum).
    """

    TOPIC = "table.payout_made"
    round: str
    kind: str
    due: int
    paid: int
    clause: str
    odds: str
    capped: int = 0
    hand: str | None = None
    second: str | None = None
    paid_by: str = "tray"
    box: int | None = None
    wager: int | None = None


class BoxVoided(Event, frozen=True, kw_only=True):
    TOPIC = "table.box_voided"
    round: str
    box: int
    clause: str
    reason: str


class RoundVoided(Event, frozen=True, kw_only=True):
    TOPIC = "table.round_voided"
    round: str
    clause: str
    reason: str


class RoundClosed(Event, frozen=True, kw_only=True):
    """The round is settled: staked = taken + returned over all its stakes; house_net = taken - paid."""

    TOPIC = "table.round_closed"
    round: str
    number: int
    staked: int
    taken: int
    returned: int
    paid: int
    house_net: int
    void: bool = False
