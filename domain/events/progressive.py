"""The life of one progressive, on stream `progressive/<id>`: proposed, approved and seeded, hits paid."""

from msgspec import Struct

from domain.events.base import Event


class LevelTerms(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One level: seed and limit in minor units, shares of each stake in parts per million.

    limit None: the meter grows without bound; else what would pass it goes to the overflow.
    """

    level: int
    seed: int
    increment_ppm: int
    reserve_ppm: int = 0
    limit: int | None = None


class ProgressiveProposed(Event, frozen=True, kw_only=True):
    TOPIC = "progressive.proposed"
    progressive: str
    currency: str
    levels: tuple[LevelTerms, ...]
    fixed_prizes_from: str
    approval: str


class ProgressiveOpened(Event, frozen=True, kw_only=True):
    """Approved by a second person: the house funds each level's seed and the meters run."""

    TOPIC = "progressive.opened"
    progressive: str
    currency: str
    levels: tuple[LevelTerms, ...]
    fixed_prizes_from: str
    approval: str


class ProgressiveRefused(Event, frozen=True, kw_only=True):
    TOPIC = "progressive.refused"
    progressive: str
    approval: str
    reason: str


class HitPaid(Event, frozen=True, kw_only=True):
    """A pending hit's award has left the house; it computes nothing. `hit` names the hit as round.box.level."""

    TOPIC = "progressive.hit_paid"
    progressive: str
    level: int
    hit: str
    table: str
    round: str
    amount: int
    paid_by: str
