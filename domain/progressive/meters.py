"""A progressive's balances per level. Everything here is in millionths of a minor unit unless it says otherwise.

At all times, for every level: house_u + contributed_u + adjusted_u + transferred_u = charged_u + display_u + reserve_u
+ overflow_u + residue_u. Money moved from the reserve to a new seed stays inside.
"""

from msgspec import Struct

from domain.events.jackpot import JackpotHit
from domain.events.progressive import LevelTerms, ProgressiveOpened
from domain.money import MICRO

BALANCES = ("display", "reserve", "overflow", "residue")


class Level(Struct, kw_only=True):
    """One level.

    base_u is the part of the display that the house funded and that no hit has used; in_u counts the stakes played for,
    hits the winners, wins their awards (minor units).
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
    transferred_u: int = 0
    charged_u: int = 0
    in_u: int = 0
    hits: int = 0
    wins: int = 0

    @property
    def display(self) -> int:
        """What the sign shows and a hit pays: whole minor units, rounded down."""
        return self.display_u // MICRO

    @property
    def held_u(self) -> int:
        """All that the level holds."""
        return self.display_u + self.reserve_u + self.overflow_u + self.residue_u

    def imbalance_u(self) -> int:
        """Zero, always: the jackpot identity of this level."""
        came = self.house_u + self.contributed_u + self.adjusted_u + self.transferred_u
        return came - self.charged_u - self.held_u


class PendingHit(Struct, frozen=True):
    """What must be known of a hit that waits: to pay its award (minor units), or to put its meter back."""

    level: int
    award: int
    base_u: int
    reset_from_reserve_u: int
    reset_from_house_u: int


class Meters(Struct, kw_only=True):
    """All levels of one progressive, and its hits that wait for payment, by hit id."""

    progressive: str
    currency: str
    fixed_prizes_from: str
    levels: dict[int, Level]
    pending: dict[str, PendingHit]
    same_deal: str = "box_order"
    stopped: bool = False
    retired: bool = False


def hit_id(hit: JackpotHit) -> str:
    """The name of a hit, for slips and payments: round, box and level."""
    return f"{hit.round}.{hit.box}.{hit.level}"


def opened(event: ProgressiveOpened) -> Meters:
    """Fresh meters: the house has funded each level's seed."""
    return Meters(
        progressive=event.progressive,
        currency=event.currency,
        fixed_prizes_from=event.fixed_prizes_from,
        same_deal=event.same_deal,
        levels={terms.level: fresh(terms) for terms in event.levels},
        pending={},
    )


def fresh(terms: LevelTerms) -> Level:
    """A level at its seed."""
    seed_u = terms.seed * MICRO
    return Level(terms=terms, display_u=seed_u, base_u=seed_u, house_u=seed_u)
