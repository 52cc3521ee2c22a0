"""The roulette layout as shapes: every place where a chip may lie, where it is drawn and where it is clicked.

Which places there are is the engine's book to say; here each only gets its place on the cloth.
"""

from typing import Any, Final, NamedTuple

from domain.engine.roulette.layout import Spot
from domain.ruleset import Ruleset

CELL: Final = 60
ZERO: Final = 56
EDGE: Final = 22
"""Width of what is clicked between numbers."""

WIDTH: Final = ZERO + 12 * CELL + CELL
HEIGHT: Final = 5 * CELL + EDGE // 2
_BOTTOM: Final = 3 * CELL
_EVEN: Final = ("low", "even", "red", "black", "odd", "high")


class Place(NamedTuple):
    """One spot: what is clicked, its middle, where chips lie, and how it looks: field, red, black, zero or edge."""

    on: str
    kind: str
    x: float
    y: float
    width: float
    height: float
    look: str
    label: str

    @property
    def chips(self) -> tuple[float, float]:
        """Where its chips lie: on the line between numbers, in a corner of what has a word or a number to read."""
        if self.look == "edge":
            return self.middle
        return self.x + (self.width - 16 if self.kind == "straight" else 20), self.y + self.height - 17

    @property
    def middle(self) -> tuple[float, float]:
        """Where its word stands."""
        return self.x + self.width / 2, self.y + self.height / 2


def places(ruleset: Ruleset) -> list[Place]:
    """Every spot of the sheet; those between numbers come last, so that they lie on top."""
    rules: Any = ruleset.rules
    red = frozenset(rules.wheel.red)
    found = [_place(spot, red) for spot in ruleset.play.spots.values()]
    return sorted(found, key=lambda place: place.look == "edge")


def _place(spot: Spot, red: frozenset[int]) -> Place:
    match spot.kind:
        case "straight":
            return _number(spot, min(spot.numbers), red)
        case "split" | "street" | "corner" | "line":
            return _between(spot)
        case "dozen":
            third = int(spot.name.split()[1]) - 1
            label = f"{12 * third + 1}–{12 * third + 12}"
            return Place(spot.name, spot.kind, ZERO + 4 * third * CELL, _BOTTOM, 4 * CELL, CELL, "field", label)
        case "column":
            row = 3 - int(spot.name.split()[1])
            return Place(spot.name, spot.kind, ZERO + 12 * CELL, row * CELL, CELL, CELL, "field", "2:1")
    at = _EVEN.index(spot.kind)
    look = spot.kind if spot.kind in ("red", "black") else "field"
    return Place(spot.name, spot.kind, ZERO + 2 * at * CELL, _BOTTOM + CELL, 2 * CELL, CELL, look, spot.kind)


def _number(spot: Spot, number: int, red: frozenset[int]) -> Place:
    if number == 0:
        return Place(spot.name, spot.kind, 0, 0, ZERO, _BOTTOM, "zero", "0")
    x, y = _corner_of(number)
    return Place(spot.name, spot.kind, x, y, CELL, CELL, "red" if number in red else "black", str(number))


def _corner_of(number: int) -> tuple[int, int]:
    """The upper left corner of a number: three rows, 1 at the bottom left."""
    column, row = divmod(number - 1, 3)
    return ZERO + column * CELL, (2 - row) * CELL


def _between(spot: Spot) -> Place:
    x, y = _with_zero(spot) if 0 in spot.numbers else _on_grid(spot)
    return Place(spot.name, spot.kind, x - EDGE / 2, y - EDGE / 2, EDGE, EDGE, "edge", "")


def _on_grid(spot: Spot) -> tuple[float, float]:
    corners = [_corner_of(number) for number in spot.numbers]
    x = sum(one for one, _ in corners) / len(corners) + CELL / 2
    if spot.kind in ("street", "line"):
        return x, _BOTTOM
    return x, sum(one for _, one in corners) / len(corners) + CELL / 2


def _with_zero(spot: Spot) -> tuple[float, float]:
    rows = [_corner_of(number)[1] for number in spot.numbers if number]
    if spot.kind == "corner":
        return ZERO, _BOTTOM
    return ZERO, sum(rows) / len(rows) + CELL / 2
