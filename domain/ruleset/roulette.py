"""What a roulette sheet says, as data: wheel, layout round zero, odds, zero rule, announced bets, limits, cutting.

Every part names the clause of the sheet that it comes from. The shape is checked here by type; what only the layout can
tell (does a spot exist, do the red numbers take turns) is checked when the engine builds the layout from it.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.ruleset.base import Clause

Number = Annotated[int, Meta(ge=0, le=36)]
Odds = Annotated[str, Meta(pattern=r"^[1-9]\d{0,2}:1$")]
Units = Annotated[int, Meta(ge=1, le=37)]
OnZero = Literal["taken", "halved", "returned"]


class WheelPart(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers clockwise from zero, and the red ones; the rest but zero are black."""

    clause: Clause
    order: Annotated[tuple[Number, ...], Meta(min_length=37, max_length=37)]
    red: Annotated[tuple[Number, ...], Meta(min_length=18, max_length=18)]


class ZeroSpots(Struct, frozen=True, forbid_unknown_fields=True):
    """The spots that touch zero: the grid of 1-36 is the same everywhere, its edge is not."""

    clause: Clause
    splits: tuple[tuple[Number, Number], ...] = ()
    streets: tuple[tuple[Number, Number, Number], ...] = ()
    corners: tuple[tuple[Number, Number, Number, Number], ...] = ()


class OddsPart(Struct, frozen=True, forbid_unknown_fields=True):
    """Odds as printed: "35:1" wins 35 times the stake, which comes back as well."""

    clause: Clause
    straight: Odds
    split: Odds
    street: Odds
    corner: Odds
    line: Odds
    outside_clause: Clause
    dozen: Odds
    column: Odds
    even_chance_clause: Clause
    even_chance: Odds


class ZeroPart(Struct, frozen=True, forbid_unknown_fields=True):
    """What zero does to the outside bets; bets on numbers win or lose on it as on any other number."""

    clause: Clause
    dozen: OnZero
    column: OnZero
    even_chance: OnZero


class Chip(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a chip of an announced bet lies, named as in a round record, and how many units it is."""

    on: str
    units: Units


class Announced(Struct, frozen=True, forbid_unknown_fields=True):
    """A bet made by word of mouth: the dealer lays its units on the layout.

    sector: the numbers of the wheel it stands for, where the sheet prints them; the chips must cover just these.
    """

    name: Annotated[str, Meta(pattern="^[a-z]{1,20}$")]
    clause: Clause
    chips: Annotated[tuple[Chip, ...], Meta(min_length=1, max_length=37)]
    sector: tuple[Number, ...] = ()


class Neighbours(Struct, frozen=True, forbid_unknown_fields=True):
    """An announced number and from `least` to `most` each side of it on the wheel, a unit straight up on every one."""

    clause: Clause
    least: Annotated[int, Meta(ge=0, le=18)]
    most: Annotated[int, Meta(ge=0, le=18)]


class LimitRules(Struct, frozen=True, forbid_unknown_fields=True):
    """What the table's limits are counted on, and what is no bet at all.

    minimum_of: an announced bet is measured by its `unit` or by its `total`. maximum_of: the maximum binds each `spot`
    of a bet (all units on one place are one wager) or each `chip` laid (units of an announced bet one by one).
    The clauses: of a wager under the minimum, over the maximum, laid late, laid where no bet is.
    """

    minimum_of: Literal["unit", "total"]
    maximum_of: Literal["spot", "chip"]
    minimum_clause: Clause
    maximum_clause: Clause
    late_clause: Clause
    misplaced_clause: Clause


class NoSpin(Struct, frozen=True, forbid_unknown_fields=True):
    """A spin that does not count: too few turns, the ball left the rotor, or stopped. The stakes stand."""

    clause: Clause
    least_turns: Annotated[int, Meta(ge=0)]


class Cutting(Struct, frozen=True, forbid_unknown_fields=True):
    """How a payout is built from stacks of chips, for the dealer's payout guide.

    stack: chips in a full stack. rides_on_one / rides_on_more: most chips of the remainder that go on top of a single
    full stack, of two or more. cut_from: the smallest remainder made by cutting a full stack down instead of counting.
    """

    clause: Clause
    stack: Annotated[int, Meta(ge=2, le=100)]
    rides_on_one: Annotated[int, Meta(ge=0)]
    rides_on_more: Annotated[int, Meta(ge=0)]
    cut_from: Annotated[int, Meta(ge=1)]


class RouletteRules(Struct, frozen=True, forbid_unknown_fields=True):
    """All parts of a roulette sheet."""

    wheel: WheelPart
    zero_spots: ZeroSpots
    odds: OddsPart
    zero: ZeroPart
    limits: LimitRules
    no_spin: NoSpin
    cutting: Cutting
    announced: tuple[Announced, ...] = ()
    neighbours: Neighbours | None = None
