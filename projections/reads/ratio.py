"""Ratios of whole numbers, exact to six places: integers until the last step, so that no rounding error adds up."""

from __future__ import annotations

_SCALE = 1_000_000  # six places


def ratio(numerator: int | None, denominator: int | None) -> float | None:
    """numerator / denominator rounded half away from zero to six places.

    None where either is unknown or there is nothing to divide by.
    """
    if numerator is None or not denominator:
        return None
    sign = -1 if (numerator < 0) != (denominator < 0) else 1
    scaled = (2 * abs(numerator) * _SCALE + abs(denominator)) // (2 * abs(denominator))
    return sign * scaled / _SCALE
