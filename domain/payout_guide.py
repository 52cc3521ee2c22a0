"""The dealer's payout guide: which chips make an amount, and how they are built into stacks. Source: clause L.

Payouts are built from full stacks. What is left over rides on the full stacks or makes a stack of its own; a big
remainder is a full stack with a few chips cut off, a smaller one is counted out. Cash chips are never cut from a stack:
their remainder is always counted out. The numbers are the sheet's (`domain.ruleset.roulette.Cutting`).
"""

from collections.abc import Iterable
from math import gcd
from typing import Literal

from msgspec import Struct

from domain.events.base import Chips
from domain.ruleset.roulette import Cutting

ChipKind = Literal["colour", "cash"]


class Stacks(Struct, frozen=True, gc=False):
    """`chips` chips as they are pushed out to the player: chips = full x stack size + rides + own.

    rides: chips on top of the full stacks. own: chips in a stack of their own, made by cutting `cut` chips off a full
    stack, or counted out where cut is 0.
    """

    chips: int
    full: int
    rides: int = 0
    own: int = 0
    cut: int = 0

    @property
    def stacks(self) -> int:
        """How many stacks stand on the table."""
        return self.full + (self.own > 0)

    def text(self) -> str:
        """As one dealer would tell another: "3 full stacks, 15 in a stack of their own: cut 5 off a full one"."""
        parts = []
        if self.full:
            parts.append(f"{self.full} full stack{'s' if self.full > 1 else ''}")
        if self.rides:
            parts.append(f"{self.rides} on top")
        if self.own:
            how = f"cut {self.cut} off a full one" if self.cut else "counted out"
            parts.append(f"{self.own} in a stack of {'its' if self.own == 1 else 'their'} own: {how}")
        return ", ".join(parts) or "nothing"


class Line(Struct, frozen=True, gc=False):
    """One value of chip in a payout: `chips` of `denomination` minor units each, and their stacks."""

    denomination: int
    chips: int
    stacks: Stacks


def stacks(chips: int, cutting: Cutting, kind: ChipKind = "colour") -> Stacks:
    """How `chips` chips of one value are built into stacks. Raises ValueError for fewer than none."""
    if chips < 0:
        raise ValueError("a payout has no fewer than 0 chips")
    full, rest = divmod(chips, cutting.stack)
    rides_at_most = (0, cutting.rides_on_one, cutting.rides_on_more)[min(full, 2)]
    if rest <= rides_at_most:
        return Stacks(chips, full, rides=rest)
    cut = cutting.stack - rest if kind == "colour" and rest >= cutting.cut_from else 0
    return Stacks(chips, full, own=rest, cut=cut)


def break_down(amount: int, denominations: Iterable[int]) -> tuple[Chips, ...]:
    """`amount` minor units in chips, as many as can be of the highest denomination first, then of the next.

    Where the greedy choice cannot be completed (30 from 25s and 10s) the fewest high chips are given up that it takes.
    Raises ValueError for a negative amount, a denomination under 1, or an amount these denominations cannot make.
    """
    values = sorted(set(denominations), reverse=True)
    if amount < 0 or any(value < 1 for value in values):
        raise ValueError("amounts are 0 or more and denominations 1 or more minor units")
    made = _search(amount, tuple(values), set())
    if made is None:
        raise ValueError(f"{amount} cannot be made from chips of {', '.join(map(str, values)) or 'no value'}")
    return tuple(Chips(value, count) for value, count in zip(values, made, strict=True) if count)


def guide(amount: int, denominations: Iterable[int], cutting: Cutting, kind: ChipKind = "cash") -> tuple[Line, ...]:
    """A payout of `amount` minor units, highest chips first, each value with its stacks. Raises ValueError as above."""
    made = break_down(amount, denominations)
    return tuple(Line(c.denomination, c.count, stacks(c.count, cutting, kind)) for c in made)


def colour_guide(
    amount: int, colour: int, denominations: Iterable[int], cutting: Cutting
) -> tuple[Stacks, tuple[Line, ...]]:
    """A payout to a player of colour chips worth `colour` each: as much colour as can be, the rest in cash chips.

    Raises ValueError where the rest cannot be made.
    """
    if colour < 1:
        raise ValueError("a colour chip is worth 1 minor unit or more")
    chips, rest = divmod(amount, colour)
    return stacks(chips, cutting), guide(rest, denominations, cutting)


def _search(amount: int, values: tuple[int, ...], dead: set[tuple[int, int]]) -> tuple[int, ...] | None:
    """The counts of each value that make the amount, most of the first first; None if there are none.

    `dead` remembers what could not be made, so no rest is tried twice.
    """
    if not values:
        return () if amount == 0 else None
    if amount % gcd(*values) or (len(values), amount) in dead:
        return None
    for count in range(amount // values[0], -1, -1):
        rest = _search(amount - count * values[0], values[1:], dead)
        if rest is not None:
            return (count, *rest)
    dead.add((len(values), amount))
    return None
