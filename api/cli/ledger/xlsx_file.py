"""The books as a workbook: journal, balances, master game report, each sheet headed alike.

A number in a workbook is a double: exact to the cent up to ten million millions. What has more decimals (the millionths
of jackpot increments) stands beside it as text.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import xlsxwriter  # type: ignore[import-untyped]

from api.cli.ledger.csv_file import COLUMNS
from api.cli.ledger.document import NO_ACTIVITY, Document, units
from domain.money import CURRENCIES, MICRO
from projections.reads.hold import HoldRow

_MONEY: Final = "#,##0.00######;[Red]-#,##0.00######"
_REPORT: Final = (
    "gaming_day", "table", "ruleset", "session", "shift", "currency", "rounds", "opener", "fills", "credits", "closer",
    "buy_ins", "counted_drop", "drop", "handle", "over_short", "adjusted", "win", "hold", "win_per_handle", "grade",
    "missing",
)  # fmt: skip
_AMOUNTS: Final = frozenset(
    {
        "opener",
        "fills",
        "credits",
        "closer",
        "buy_ins",
        "counted_drop",
        "drop",
        "handle",
        "over_short",
        "adjusted",
        "win",
    }
)


def write(document: Document, out: Path) -> int:
    """Write it; the rows of the journal."""
    book = xlsxwriter.Workbook(str(out), {"strings_to_formulas": False, "strings_to_urls": False})
    book.set_properties({"title": f"pitclerk: {document.site}, {document.interval}"})
    _journal(_Sheet(book, "Journal", document, [*COLUMNS, "exact_debit_u", "exact_credit_u"]), document)
    balances = _Sheet(book, "Balances", document, ["currency", "account", "number", "name", "before", "after"])
    for balance in document.journal.balances:
        account = document.chart[balance.account]
        before, after = (units(int(text), balance.currency) for text in (balance.before_u, balance.after_u))
        balances.add([balance.currency, balance.account, account.number, account.name, before, after], money=(4, 5))
    report = _Sheet(book, "Master game report", document, list(_REPORT))
    for day in document.days():
        rows = [row for row in document.report if row.gaming_day == day]
        for row in rows:
            report.add(
                [_cell(row, name) for name in _REPORT],
                money=tuple(at for at, name in enumerate(_REPORT) if name in _AMOUNTS),
            )
        if not rows:
            report.add([day, NO_ACTIVITY])
    if document.journal.first_day is None:
        report.add([document.interval, NO_ACTIVITY])
    book.close()
    return len(document.rows)


class _Sheet:
    """A sheet with its header and columns, filled row by row."""

    def __init__(self, book: Any, name: str, document: Document, columns: list[str]) -> None:
        bold = book.add_format({"bold": True})
        self._money = book.add_format({"num_format": _MONEY})
        self._sheet = book.add_worksheet(name)
        for at, (title, value) in enumerate(document.header().items()):
            self._sheet.write_string(at, 0, title, bold)
            self._sheet.write_string(at, 1, value)
        self._row = len(document.header()) + 1
        self._sheet.write_row(self._row, 0, columns, bold)
        self._sheet.freeze_panes(self._row + 1, 0)
        self._sheet.set_column(0, len(columns), 16)

    def add(self, cells: list[Any], money: tuple[int, ...] = ()) -> None:
        """One more row; None is an empty cell, which is not zero."""
        self._row += 1
        for at, cell in enumerate(cells):
            if cell is None:
                continue
            if isinstance(cell, str):
                self._sheet.write_string(self._row, at, cell)
            else:
                self._sheet.write_number(self._row, at, cell, self._money if at in money else None)


def _journal(sheet: _Sheet, document: Document) -> None:
    for row in document.rows:
        line, account = row.line, row.account
        if line is None or account is None:
            sheet.add([row.gaming_day, None, NO_ACTIVITY])
            continue
        named = [row.gaming_day, line.currency, line.entry, line.account, account.number, account.name]
        where = [line.postings, line.first_position, line.last_position, line.debit_u, line.credit_u]
        sheet.add([*named, row.debit, row.credit, *where], money=(6, 7))


def _cell(row: HoldRow, name: str) -> Any:
    value = getattr(row, name)
    if name in _AMOUNTS and value is not None:
        return units(value * MICRO, row.currency)
    return ", ".join(value) if isinstance(value, list) else value


assert set(CURRENCIES.values()) == {2}, "the money format shows two decimals"
