"""Chips by denomination: which a form asks for, and what it says was counted."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from api.i18n.catalogue import gettext
from api.pages.form import Form
from domain.events.base import Chips

# As they lie in trays, in minor units of a currency of two decimals, the largest first.
_USUAL: Final = (500000, 100000, 50000, 10000, 5000, 2500, 1000, 500, 100, 50)
FREE_ROWS: Final = 2


class Sheet(NamedTuple):
    """name: the prefix of its fields. rows: denominations in minor units; before: how many there were of each."""

    name: str
    rows: list[int]
    before: dict[int, int]


def sheet(name: str, known: Iterable[Chips], chip: int = 1) -> Sheet:
    """The rows to count: what was counted before, and the usual denominations of such chips."""
    before = {one.denomination: one.count for one in known}
    usual = (one for one in _USUAL if one >= chip and one % chip == 0)
    return Sheet(name, sorted({*before, *usual}, reverse=True), before)


def counted(form: Form, name: str, currency: str) -> list[dict[str, Any]]:
    """What a form says was counted. Refuses what cannot be read, naming the field."""
    found = form.chips(name)
    for row in range(FREE_ROWS):
        count = form.count(f"{name}_free_{row}_count", gettext("the count"))
        if count:
            denomination = form.amount(f"{name}_free_{row}", gettext("the denomination"), currency)
            found.append({"denomination": denomination, "count": count})
    return found
