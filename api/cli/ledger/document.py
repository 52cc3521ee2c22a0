"""What every export of the books is made of: header, lines with the chart's names, days without activity, balances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import psycopg

from domain.money import CURRENCIES
from projections.chart import Account, Chart
from projections.reads.hold import HoldRow, hold_in
from projections.reads.hold_sums import Of
from projections.reads.journal import Journal, Line, journal_in
from projections.reads.snapshot import snapshot

NO_ACTIVITY = "No activity"
MICRO_DECIMALS = 6
"""Of a millionth."""


@dataclass(frozen=True)
class Row:
    """A line of the journal as the house's books have it; line None: nothing was booked on the day ("": ever)."""

    gaming_day: str
    line: Line | None
    account: Account | None
    debit: Decimal | None = None
    credit: Decimal | None = None


@dataclass(frozen=True)
class Document:
    """The books of an interval of gaming days, true at `journal.position`."""

    site: str
    journal: Journal
    chart: Chart
    rows: list[Row]
    report: list[HoldRow]

    @property
    def interval(self) -> str:
        """The gaming days, both in."""
        first, last = self.journal.first_day, self.journal.last_day
        return "empty" if first is None or last is None else first if first == last else f"{first} to {last}"

    def header(self) -> dict[str, str]:
        """What stands at the head of every export."""
        return {
            "Site": self.site,
            "Gaming days": self.interval,
            "Position": str(self.journal.position),
            "Chain head": self.journal.head,
        }

    def days(self) -> Iterator[str]:
        """Every day of the interval."""
        yield from days_between(self.journal.first_day, self.journal.last_day)


def days_between(first: str | None, last: str | None) -> Iterator[str]:
    """Every date from the first to the last, both in."""
    if first is None or last is None:
        return
    begin, end = date.fromisoformat(first), date.fromisoformat(last)
    for number in range((end - begin).days + 1):
        yield (begin + timedelta(days=number)).isoformat()


def units(amount_u: int, currency: str) -> Decimal:
    """Millionths of a minor unit as units of the currency, exact: `units(123_450_000, "EUR")` is 1.2345."""
    return Decimal(amount_u).scaleb(-MICRO_DECIMALS - CURRENCIES.get(currency, 2))


def plain(amount: Decimal) -> str:
    """As people write it, at least two decimals and no more than it takes."""
    text = f"{amount:.8f}".rstrip("0")
    whole, _, part = text.partition(".")
    return f"{whole}.{part.ljust(2, '0')}"


def read(
    conn: psycopg.Connection[Any], site: str, chart: Chart, *, first_day: str | None, last_day: str | None
) -> Document:
    """The books as they stand, in one snapshot. Raises ChartError for an account that the chart lacks."""
    with snapshot(conn) as look:
        journal = journal_in(look, first_day=first_day, last_day=last_day)
        report = hold_in(look, "session", Of(first_day=journal.first_day, last_day=journal.last_day))
    return Document(site, journal, chart, list(_rows(journal, chart)), report)


def _rows(journal: Journal, chart: Chart) -> Iterator[Row]:
    if journal.first_day is None:
        yield Row("", None, None)
    by_day: dict[str, list[Line]] = {}
    for line in journal.lines:
        by_day.setdefault(line.gaming_day, []).append(line)
    for day in days_between(journal.first_day, journal.last_day):
        lines = by_day.get(day, [])
        for line in lines:
            debit, credit = units(int(line.debit_u), line.currency), units(int(line.credit_u), line.currency)
            yield Row(day, line, chart[line.account], debit, credit)
        if not lines:
            yield Row(day, None, None)
