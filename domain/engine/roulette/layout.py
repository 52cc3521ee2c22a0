"""The layout: every place where a chip may lie, the numbers it covers, and what it earns on each number.

The grid is twelve streets of three (street k holds 3k-2, 3k-1, 3k) and the columns across them; what touches zero, the
odds and what zero does to outside bets come from the sheet. Source: clause L.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

import msgspec

from domain.engine.roulette.wheel import NUMBERS, ZERO, Wheel
from domain.ruleset.roulette import ZeroSpots

STREETS: Final = tuple((3 * k + 1, 3 * k + 2, 3 * k + 3) for k in range(12))
EVEN_CHANCES: Final = ("low", "high", "odd", "even", "red", "black")
"""Even chances: named by a word alone."""
INSIDE: Final = ("straight", "split", "street", "corner", "line")
"""Inside bets: named by the numbers they cover (a line by its first and last)."""
THIRDS: Final = ("dozen", "column")
"""Outside bets on twelve numbers: named by 1, 2 or 3."""


class Spot(msgspec.Struct, frozen=True, gc=False):
    """One place on the layout.

    odds: winnings per unit staked, the stake itself not counted. zero_halves: how many halves of a losing stake zero
    gives back (0 taken, 1 halved, 2 returned). clause: the clause that pays it; zero_clause: the one that speaks when
    zero comes.
    """

    name: str
    kind: str
    numbers: frozenset[int]
    odds: int
    clause: str
    zero_clause: str
    zero_halves: int = 0

    def settle(self, stake: int, number: int) -> tuple[int, int]:
        """What goes back of `stake` and what is paid on it when `number` is called, in minor units.

        Where zero halves, the stake must be even: nothing is ever rounded.
        """
        if number in self.numbers:
            return stake, stake * self.odds
        if number == ZERO and self.zero_halves:
            back, rest = divmod(stake * self.zero_halves, 2)
            assert rest == 0, "an odd stake cannot be halved"
            return back, 0
        return 0, 0


def inside(edge: ZeroSpots) -> Iterator[tuple[str, tuple[int, ...], bool]]:
    """Every inside spot: its kind, its numbers, and whether it is one of those that the sheet adds beside zero."""
    beside_zero: dict[str, tuple[tuple[int, ...], ...]] = {
        "split": edge.splits,
        "street": edge.streets,
        "corner": edge.corners,
    }
    for kind in INSIDE:
        yield from ((kind, numbers, True) for numbers in beside_zero.get(kind, ()))
        yield from ((kind, numbers, False) for numbers in _on_grid(kind))


def _on_grid(kind: str) -> Iterator[tuple[int, ...]]:
    if kind == "straight":
        yield from ((n,) for n in NUMBERS)
    elif kind == "split":
        yield from ((n, n + 1) for street in STREETS for n in street[:2])
        yield from ((n, n + 3) for n in range(1, 34))
    elif kind == "street":
        yield from STREETS
    elif kind == "corner":
        yield from ((n, n + 1, n + 3, n + 4) for street in STREETS[:-1] for n in street[:2])
    else:
        yield from (one + two for one, two in pairwise(STREETS))


def outside_numbers(kind: str, wheel: Wheel) -> Iterator[tuple[str, frozenset[int]]]:
    """The name and numbers of every spot of an outside kind; zero is never among them."""
    if kind == "dozen":
        yield from ((f"dozen {d}", frozenset(range(12 * d - 11, 12 * d + 1))) for d in (1, 2, 3))
    elif kind == "column":
        yield from ((f"column {c}", frozenset(range(c, 37, 3))) for c in (1, 2, 3))
    else:
        yield kind, _even_chance(kind, wheel)


def _even_chance(kind: str, wheel: Wheel) -> frozenset[int]:
    return {
        "low": frozenset(range(1, 19)),
        "high": frozenset(range(19, 37)),
        "odd": frozenset(range(1, 37, 2)),
        "even": frozenset(range(2, 37, 2)),
        "red": wheel.red,
        "black": wheel.black,
    }[kind]


def inside_name(kind: str, numbers: Iterable[int]) -> str:
    """How a record names an inside spot: `split 8-11`, `corner 25-26-28-29`, `line 31-36`."""
    ordered = sorted(numbers)
    if kind == "line":
        ordered = [ordered[0], ordered[-1]]
    return f"{kind} {'-'.join(map(str, ordered))}"
