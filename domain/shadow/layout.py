"""Which numbers a wager on the layout covers, reasoned from where the numbers lie and not from a list of spots."""

from typing import Any, Final, NamedTuple

from domain.shadow.unsure import ShadowUnsure

_SIZES: Final = {"straight": 1, "split": 2, "street": 3, "corner": 4, "line": 6}
_ZERO_SPOTS: Final = {"split": "splits", "street": "streets", "corner": "corners"}
EVEN_CHANCES: Final = ("low", "high", "odd", "even", "red", "black")


class Spot(NamedTuple):
    """A place for chips. numbers: what it covers; None where the words name numbers that form no such place."""

    kind: str
    numbers: frozenset[int] | None


def spot_of(rules: Any, on: str) -> Spot:
    """The spot that `on` names, such as "split 8-11" or "red"."""
    kind, _, rest = on.partition(" ")
    if kind in EVEN_CHANCES and not rest:
        return Spot(kind, frozenset(n for n in range(1, 37) if _is(rules, kind, n)))
    if kind == "dozen":
        return Spot(kind, frozenset(n for n in range(1, 37) if (n - 1) // 12 + 1 == int(rest)))
    if kind == "column":
        return Spot(kind, frozenset(n for n in range(1, 37) if (n - 1) % 3 + 1 == int(rest)))
    if kind not in _SIZES:
        raise ShadowUnsure(f"{on!r} is no spot")
    named = sorted(int(number) for number in rest.split("-"))
    if kind == "line" and len(named) != 2:
        raise ShadowUnsure(f"{on!r}: a line is written with its first number and its last")
    covered = frozenset(range(named[0], named[1] + 1) if kind == "line" else named)
    return Spot(kind, covered if _forms(rules, kind, covered) else None)


def _is(rules: Any, chance: str, number: int) -> bool:
    return {
        "low": number <= 18,
        "high": number > 18,
        "odd": number % 2 == 1,
        "even": number % 2 == 0,
        "red": number in rules.wheel.red,
        "black": number not in rules.wheel.red,
    }[chance]


def _forms(rules: Any, kind: str, numbers: frozenset[int]) -> bool:
    """Whether the numbers lie together: a block of the grid of three columns, or one of the sheet's spots at zero."""
    if len(numbers) != _SIZES[kind]:
        return False
    if kind == "straight":
        return True
    if 0 in numbers:
        return numbers in {frozenset(spot) for spot in getattr(rules.zero_spots, _ZERO_SPOTS.get(kind, ""), ())}
    rows = sorted({(number - 1) // 3 for number in numbers})
    columns = sorted({(number - 1) % 3 for number in numbers})
    whole_block = len(rows) * len(columns) == len(numbers)
    together = rows[-1] - rows[0] == len(rows) - 1 and columns[-1] - columns[0] == len(columns) - 1
    shapes = {"split": {(1, 2), (2, 1)}, "street": {(1, 3)}, "corner": {(2, 2)}, "line": {(2, 3)}}[kind]
    return whole_block and together and (len(rows), len(columns)) in shapes
