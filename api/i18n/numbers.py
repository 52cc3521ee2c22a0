"""Marks in numbers and forms of dates, by the language spoken now (from CLDR).

English is read here by people of many countries, so it takes marks that none of them misreads: a narrow space between
thousands, and the date with the year first.
"""

from datetime import UTC, date, datetime
from functools import cache
from typing import Final, NamedTuple

from babel import Locale
from babel.dates import format_date

from api.i18n.languages import SOURCE, spoken

NARROW: Final = "\u202f"  # between thousands: never breaks, and no mark that another country reads as a decimal


class Marks(NamedTuple):
    """Between thousands, and before the decimals."""

    group: str
    decimal: str


def marks() -> Marks:
    """The marks of the language spoken now."""
    return _marks(spoken())


@cache
def _marks(language: str) -> Marks:
    if language == SOURCE:
        return Marks(NARROW, ".")
    symbols = Locale.parse(language).number_symbols["latn"]
    group = symbols["group"]
    return Marks(NARROW if group.isspace() else group, symbols["decimal"])


def day(value: date) -> str:
    """A date: `2026-03-14`, `14.03.2026`."""
    if spoken() == SOURCE:
        return value.isoformat()
    return format_date(value, "dd.MM.yyyy" if spoken() != "el" else "dd/MM/yyyy", locale=spoken())


def moment(at: datetime) -> str:
    """Day and time in UTC, to the second."""
    at = at.astimezone(UTC)
    return f"{day(at.date())} {at:%H:%M:%S}"
