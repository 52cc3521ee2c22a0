"""The wheel: which numbers lie beside which, and in what colour. Source: clause L and the sheet's wheel section."""

from itertools import pairwise
from typing import Final

import msgspec

NUMBERS: Final = range(37)
ZERO: Final = 0


class Wheel(msgspec.Struct, frozen=True, gc=False):
    """The numbers in the order they lie on the rotor, clockwise from zero, and which of them are red."""

    order: tuple[int, ...]
    red: frozenset[int]

    @property
    def black(self) -> frozenset[int]:
        """Every number that is neither red nor zero."""
        return frozenset(NUMBERS) - self.red - {ZERO}

    def neighbours(self, number: int, each_side: int) -> tuple[int, ...]:
        """The number with `each_side` numbers on each side of it, in wheel order.

        Raises ValueError for a number the wheel has not, or a stretch that would meet itself behind the wheel.
        """
        if not 0 <= each_side <= len(self.order) // 2:
            raise ValueError(f"{each_side} on each side is more than the wheel holds")
        at = self.order.index(number)
        size = len(self.order)
        return tuple(self.order[(at + step) % size] for step in range(-each_side, each_side + 1))


def alternates(order: tuple[int, ...], red: frozenset[int]) -> bool:
    """Whether red and black take turns all the way round from zero to zero."""
    at = order.index(ZERO)
    return all((one in red) != (other in red) for one, other in pairwise(order[at + 1 :] + order[:at]))
