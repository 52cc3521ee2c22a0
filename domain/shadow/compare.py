"""Where two settlements of one round differ, place by place."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple


class Disagreement(NamedTuple):
    """One figure on which the two differ. Absent on one side: None."""

    where: str
    settled: object
    shadow: object

    def __str__(self) -> str:
        return f"{self.where}: settled {self.settled!r}, shadow {self.shadow!r}"


def differences(settled: object, shadow: object, where: str = "") -> Iterator[Disagreement]:
    """All places where the two differ, in the order of the shadow's settlement and then what only the other has."""
    if isinstance(settled, Mapping) and isinstance(shadow, Mapping):
        keys: dict[Any, None] = dict.fromkeys([*shadow, *settled])
        for key in keys:
            yield from differences(settled.get(key), shadow.get(key), f"{where}.{key}" if where else str(key))
    elif _is_row(settled) and _is_row(shadow) and len(settled) == len(shadow):  # type: ignore[arg-type]
        for place, (one, other) in enumerate(zip(settled, shadow, strict=True)):  # type: ignore[call-overload]
            yield from differences(one, other, f"{where}[{place}]")
    elif settled != shadow or isinstance(settled, bool) != isinstance(shadow, bool):
        yield Disagreement(where, settled, shadow)


def _is_row(value: object) -> bool:
    return isinstance(value, (list, tuple))
