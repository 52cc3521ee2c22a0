"""The journal as comma-separated text (RFC 4180), its header as rows of name and value before the columns."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Final

from api.cli.ledger.document import NO_ACTIVITY, Document, Row, plain

COLUMNS: Final = (
    "gaming_day",
    "currency",
    "entry",
    "account",
    "number",
    "name",
    "debit",
    "credit",
    "postings",
    "first_position",
    "last_position",
)


def write(document: Document, out: Path) -> int:
    """Write it; the rows below the columns."""
    with out.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerows(document.header().items())
        writer.writerow(())
        writer.writerow(COLUMNS)
        writer.writerows(map(cells, document.rows))
    return len(document.rows)


def cells(row: Row) -> list[str | int]:
    """A row's cells in the order of the columns."""
    if row.line is None or row.account is None or row.debit is None or row.credit is None:
        return [row.gaming_day, "", NO_ACTIVITY, *[""] * (len(COLUMNS) - 3)]
    line = row.line
    return [
        row.gaming_day,
        line.currency,
        line.entry,
        line.account,
        row.account.number,
        row.account.name,
        plain(row.debit),
        plain(row.credit),
        line.postings,
        line.first_position,
        line.last_position,
    ]
