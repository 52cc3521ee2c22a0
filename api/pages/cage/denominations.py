"""What is counted: notes and coins as they circulate, chips as they lie in trays, and whatever else there is.

A denomination that a list lacks is written into one of the free rows.
"""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from api.i18n import numbers
from api.i18n.catalogue import gettext
from api.pages.form import Form
from domain.events.base import Chips
from domain.money import CURRENCIES

_NOTES: Final[dict[str, tuple[int, ...]]] = {
    "EUR": (50000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5),
    "RON": (50000, 20000, 10000, 5000, 2000, 1000, 500, 100, 50, 10),
    "UAH": (100000, 50000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100, 50, 10),
    "RUB": (500000, 200000, 100000, 50000, 20000, 10000, 5000, 1000, 500, 200, 100),
    "USD": (10000, 5000, 2000, 1000, 500, 100, 25, 10, 5, 1),
    "GBP": (5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5),
}
"""Currency -> notes and coins in minor units, the largest first."""

_CHIPS: Final = (500000, 100000, 50000, 10000, 5000, 2500, 1000, 500, 100, 50)
FREE_ROWS: Final = 2


class Sheet(NamedTuple):
    """A part of a count sheet. part: `cash` or `chips`, the prefix of its fields."""

    part: str
    denominations: list[int]
    total: int


def sheet(part: str, currency: str, also: Iterable[Chips], form: Form) -> Sheet:
    """The rows to count, those of an earlier count among them, and what the form as it came adds up to."""
    usual = _NOTES.get(currency, _NOTES["EUR"]) if part == "cash" else _CHIPS
    rows = sorted({*usual, *(one.denomination for one in also)}, reverse=True)
    total = sum(one["denomination"] * one["count"] for one in counted(form, part, currency)) if form.fields else 0
    return Sheet(part, rows, total)


def counted(form: Form, part: str, currency: str) -> list[dict[str, Any]]:
    """What a form says was counted, denominations and counts. Refuses what cannot be read, naming the field."""
    found = form.chips(part)
    for row in range(FREE_ROWS):
        count = form.count(f"{part}_free_{row}_count", gettext("the count"))
        if count:
            denomination = form.amount(f"{part}_free_{row}", gettext("the denomination"), currency)
            found.append({"denomination": denomination, "count": count})
    return found


def marks_of(currency: str) -> dict[str, Any]:
    """How the script of a count sheet writes amounts."""
    return {"decimals": CURRENCIES.get(currency, 2), "marks": numbers.marks()}
