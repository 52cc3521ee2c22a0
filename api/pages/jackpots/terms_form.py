"""Levels as a form has them: amounts as people write them, shares in per cent, read into terms."""

import re
from typing import Any, Final

from api.i18n import numbers
from api.i18n.catalogue import gettext
from api.pages.form import Form, FormError
from domain.money import CURRENCIES, MICRO

MOST_LEVELS: Final = 5
_PLACES: Final = 4
"""Of a per cent: a ten-thousandth of it is one part in a million."""


def levels_of(form: Form, currency: str) -> list[dict[str, Any]]:
    """The levels filled in, in order; one without a seed ends them. Refuses what cannot be read, naming the field."""
    found: list[dict[str, Any]] = []
    for level in range(1, MOST_LEVELS + 1):
        if not form.text(f"seed_{level}"):
            break
        limit = form.text(f"limit_{level}")
        found.append(
            {
                "level": level,
                "seed": form.amount(f"seed_{level}", gettext("the seed"), currency),
                "increment_ppm": _share(form, f"increment_{level}", gettext("the increment")),
                "reserve_ppm": _share(form, f"reserve_{level}", gettext("the reserve share")),
                "limit": form.amount(f"limit_{level}", gettext("the limit"), currency) if limit else None,
            }
        )
    if not found:
        raise FormError("seed_1", gettext("a progressive has a level at least: give its seed"))
    return found


def millionths_of(form: Form, name: str, label: str, currency: str) -> int:
    """An amount to the millionth of a minor unit: balances carry what is too small to be paid."""
    given = form.required(name, label)
    packed = re.sub(r"[\s\u00a0\u202f]", "", given)
    whole, _, part = packed.partition(numbers.marks().decimal)
    places = CURRENCIES.get(currency, 2) + 6
    digits = whole + part
    if not whole or not digits.isascii() or not digits.isdigit() or len(part) > places or len(digits) > 17:
        example = f"12{numbers.marks().decimal}50"
        detail = gettext("%(field)s is an amount such as %(example)s, not “%(given)s”")
        raise FormError(name, detail % {"field": label, "example": example, "given": given[:40]})
    return int(whole + part.ljust(places, "0"))


def percent_text(ppm: int) -> str:
    """Parts in a million as per cent with every decimal: `14.5`."""
    whole, part = divmod(ppm, 10**_PLACES)
    return f"{whole}{numbers.marks().decimal}{part:0{_PLACES}d}".rstrip("0").rstrip(numbers.marks().decimal)


def _share(form: Form, name: str, label: str) -> int:
    given = form.text(name).replace("%", "").strip()
    whole, _, part = given.partition(numbers.marks().decimal)
    digits = whole + part
    if not given:
        return 0
    if not digits.isascii() or not digits.isdigit() or len(part) > _PLACES or len(whole) > 3:
        example = f"14{numbers.marks().decimal}5"
        detail = gettext("%(field)s is per cent of the stake such as %(example)s, not “%(given)s”")
        raise FormError(name, detail % {"field": label, "example": example, "given": given[:40]})
    ppm = int((whole or "0") + part.ljust(_PLACES, "0"))
    if ppm > MICRO:
        raise FormError(name, gettext("%(field)s is at most the whole stake") % {"field": label})
    return ppm
