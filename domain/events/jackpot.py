"""Jackpot money on table streams. Contributions stand before the hits of their round; a hit carries its own award."""

from msgspec import Struct

from domain.events.base import Event


class LevelShare(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What one jackpot stake adds to one level: stake x ppm, in millionths, with nothing rounded."""

    level: int
    increment_u: int
    reserve_u: int


class JackpotContributed(Event, frozen=True, kw_only=True):
    """A jackpot stake of `stake` minor units was taken and added to the levels of `progressive`.

    config_version is the version of the progressive's stream whose rates were used.
    """

    TOPIC = "table.jackpot_contributed"
    round: str
    box: int
    progressive: str
    stake: int
    shares: tuple[LevelShare, ...]
    config_version: int


class JackpotHit(Event, frozen=True, kw_only=True):
    """A winning hand, its award computed under the commit lock at its own position.

    A percentage prize has share_ppm, a fixed one has prize (minor units). award is whole minor units, rounded down;
    charged_to says whose money it is. meter_before_u / meter_after_u are the level's display meter in millionths
    around the hit, residue_u the part of a minor unit that rounding down left on the meter.
    reset_from_reserve_u + reset_from_house_u is the new seed; base_u is how much of the award was the
    house's own base. `pending` hits are paid later, others at once.
    winner of winners: the place among those of one deal who share the meter equally (1 of 1: nobody shares).
    """

    TOPIC = "table.jackpot_hit"
    round: str
    box: int
    progressive: str
    level: int
    hand: str
    clause: str
    award: int
    charged_to: str
    meter_before_u: int
    meter_after_u: int
    residue_u: int
    reset_from_reserve_u: int = 0
    reset_from_house_u: int = 0
    base_u: int = 0
    share_ppm: int | None = None
    prize: int | None = None
    player: str | None = None
    pending: bool = False
    winner: int = 1
    winners: int = 1


class JackpotPaid(Event, frozen=True, kw_only=True):
    """A hit's award paid at the table; `hit` names the hit as round.box.level."""

    TOPIC = "table.jackpot_paid"
    round: str
    box: int
    progressive: str
    level: int
    hit: str
    amount: int
    paid_by: str
