"""Wagers: what the words of a bet mean on the layout, and what a unit of it earns on every number.

`split 8-11` and `split 11-8` are the same chip, so the numbers of an inside bet may come in any order. A known kind
whose numbers (each 0-36) form no such spot is a misplaced wager: no bet, and returned. Words that name no kind, a
number the wheel has not, or have any other form, cannot be read at all.
"""

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from domain.engine.roulette.layout import Spot

_FORM: Final = re.compile(r"([a-z]+)(?: ((?:0|[1-9][0-9]?)(?:-(?:0|[1-9][0-9]?))*))?(?: (0|[1-9][0-9]?))?")
"""Kind, its numbers joined by hyphens, and for neighbours how many each side: one space between, no leading zeros."""


class UnreadableBetError(ValueError):
    """Words that name no bet of the sheet: unknown kind, number or form."""


class Wager(msgspec.Struct, frozen=True, gc=False):
    """A bet as the layout knows it: spots, each with its units, which the maximum counts as that many `slots` wagers.

    back_halves[n], pays[n]: what one unit of it gives back (in halves of a unit) and pays when n is called; with it,
    settling a bet that no maximum touches is two multiplications. A misplaced wager has no spots.
    """

    on: str
    kind: str
    clause: str
    announced: bool
    spots: tuple[tuple[Spot, int, int], ...]
    units: int
    heaviest: int
    back_halves: tuple[int, ...]
    pays: tuple[int, ...]

    @property
    def misplaced(self) -> bool:
        """A known kind laid where the layout has no such spot."""
        return not self.spots


def wager_on(
    on: str, kind: str, clause: str, chips: Iterable[tuple[Spot, int]], *, announced: bool, chipwise: bool
) -> Wager:
    """A wager of `chips` (spot, units); the maximum takes chips on one spot together unless it counts `chipwise`."""
    laid: dict[str, tuple[Spot, int]] = {}
    for spot, units in chips:
        before = laid.get(spot.name, (spot, 0))[1]
        laid[spot.name] = (spot, before + units)
    spots = tuple((spot, units, units if chipwise else 1) for spot, units in laid.values())
    # The per-unit figures come from the one rule in Spot.settle, played with a unit of 2 so that halves stay whole.
    outcomes = [[spot.settle(2 * units, number) for spot, units, _ in spots] for number in range(37)]
    return Wager(
        on=on,
        kind=kind,
        clause=clause,
        announced=announced,
        spots=spots,
        units=sum(units for _, units, _ in spots) or 1,
        heaviest=max((units // slots for _, units, slots in spots), default=1),
        back_halves=tuple(sum(back for back, _ in row) for row in outcomes),
        pays=tuple(sum(paid for _, paid in row) // 2 for row in outcomes),
    )


def words(on: str) -> tuple[str, tuple[int, ...], int | None]:
    """Kind, numbers and count each side of a bet's words. Raises UnreadableBetError."""
    match = _FORM.fullmatch(on)
    if match is None:
        raise UnreadableBetError(f"{on!r} is not the form of a bet")
    kind, joined, each_side = match.groups()
    numbers = tuple(map(int, joined.split("-"))) if joined is not None else ()
    return kind, numbers, int(each_side) if each_side is not None else None
