"""A progressive's balances per level and the fold that moves them. Everything here is in millionths of a minor unit.

At all times, for every level: house_u + contributed_u + adjusted_u = charged_u + display_u + reserve_u + overflow_u
+ residue_u. Money moved from the reserve to a new seed stays inside.
"""

from msgspec import Struct

from domain.events.base import Event
from domain.events.jackpot import JackpotContributed, JackpotHit
from domain.events.progressive import HitPaid, LevelTerms, ProgressiveOpened
from domain.money import MICRO


class Level(Struct, kw_only=True):
    """One level.

    base_u is the part of the display that the house funded and that no hit has used; in_u counts
    the stakes played for, hits the winners, wins their awards (minor units).
    """

    terms: LevelTerms
    display_u: int
    base_u: int
    reserve_u: int = 0
    overflow_u: int = 0
    residue_u: int = 0
    house_u: int
    contributed_u: int = 0
    adjusted_u: int = 0
    charged_u: int = 0
    in_u: int = 0
    hits: int = 0
    wins: int = 0

    @property
    def display(self) -> int:
        """What the sign shows and a hit pays: whole minor units, rounded down."""
        return self.display_u // MICRO

    def imbalance_u(self) -> int:
        """Zero, always: the jackpot identity of this level."""
        held = self.display_u + self.reserve_u + self.overflow_u + self.residue_u
        return self.house_u + self.contributed_u + self.adjusted_u - self.charged_u - held


class Meters(Struct, kw_only=True):
    """All levels of one progressive, and its hits that wait for payment (hit id -> level, award in minor units)."""

    progressive: str
    currency: str
    fixed_prizes_from: str
    levels: dict[int, Level]
    pending: dict[str, tuple[int, int]]


JACKPOT_TOPICS = (
    ProgressiveOpened.TOPIC,
    HitPaid.TOPIC,
    JackpotContributed.TOPIC,
    JackpotHit.TOPIC,
)


def hit_id(hit: JackpotHit) -> str:
    """The name of a hit, for slips and payments: round, box and level."""
    return f"{hit.round}.{hit.box}.{hit.level}"


def opened(event: ProgressiveOpened) -> Meters:
    """Fresh meters: the house has funded each level's seed."""
    levels = {}
    for terms in event.levels:
        seed_u = terms.seed * MICRO
        levels[terms.level] = Level(terms=terms, display_u=seed_u, base_u=seed_u, house_u=seed_u)
    return Meters(
        progressive=event.progressive,
        currency=event.currency,
        fixed_prizes_from=event.fixed_prizes_from,
        levels=levels,
        pending={},
    )


def fold(meters: dict[str, Meters], event: Event) -> str | None:
    """Move the meters by one event, in place; the progressive it touched, or None."""
    if isinstance(event, JackpotContributed):
        _contribute(meters[event.progressive], event)
    elif isinstance(event, JackpotHit):
        _hit(meters[event.progressive], event)
    elif isinstance(event, ProgressiveOpened):
        meters[event.progressive] = opened(event)
    elif isinstance(event, HitPaid):
        meters[event.progressive].pending.pop(event.hit, None)
    else:
        return None
    return event.progressive


def _contribute(meters: Meters, event: JackpotContributed) -> None:
    for share in event.shares:
        level = meters.levels[share.level]
        level.in_u += event.stake * MICRO
        level.contributed_u += share.increment_u + share.reserve_u
        level.reserve_u += share.reserve_u
        level.display_u += share.increment_u
        limit = level.terms.limit
        if limit is not None and level.display_u > limit * MICRO:
            level.overflow_u += level.display_u - limit * MICRO
            level.display_u = limit * MICRO


def _hit(meters: Meters, hit: JackpotHit) -> None:
    level = meters.levels[hit.level]
    assert level.display_u == hit.meter_before_u, f"hit {hit_id(hit)} saw another meter than the log gives"
    level.hits += 1
    level.wins += hit.award
    if hit.charged_to == "meter":
        level.charged_u += hit.award * MICRO
    level.house_u += hit.reset_from_house_u
    level.base_u += hit.reset_from_house_u - hit.base_u
    level.reserve_u -= hit.reset_from_reserve_u
    level.display_u = hit.meter_after_u
    if hit.pending:
        meters.pending[hit_id(hit)] = (hit.level, hit.award)
