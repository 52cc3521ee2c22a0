"""Tables with all kinds of limits, as records write them."""

from random import Random
from typing import Any, NamedTuple


class Sign(NamedTuple):
    """The limits that the record's table comes to."""

    chip: int
    min: int
    max: int | None
    cap: int | None


def a_sign(rng: Random, step: int) -> tuple[dict[str, Any] | None, Sign]:
    """The `table` part of a record, None where it is left out, and what it means."""
    if rng.random() < 0.1:
        return None, Sign(step, step, None, None)
    table: dict[str, Any] = {}
    chip = step
    if rng.random() < 0.8:
        chip = table["chip"] = step * rng.choice((1, 1, 5, 25, 50, 250))
    least = chip
    if rng.random() < 0.8:
        least = table["min"] = rng.choice((chip, 2 * chip, 10 * chip, 500 * step))
    most = None
    if rng.random() < 0.6:
        most = table["max"] = max(least, chip) * rng.choice((1, 2, 20, 100)) + rng.choice((0, 0, 0, 1, chip // 2))
    cap = None
    if rng.random() < 0.5:
        cap = table["max_payout_per_box"] = rng.choice((0, 7, least, 3 * least, 10 * least, 50 * least, 10**9))
    if rng.random() < 0.5:
        table["currency"] = rng.choice(("EUR", "UAH", "RON"))
    return table, Sign(chip, max(least, chip), most, cap)
