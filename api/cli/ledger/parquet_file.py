"""The journal as Parquet: amounts are exact decimals, the header is the schema's metadata."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any, Final

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from api.cli.ledger.document import NO_ACTIVITY, Document, Row

_AMOUNT: Final = pa.decimal128(38, 8)
_FIELDS: Final = (
    ("site", pa.string()),
    ("gaming_day", pa.date32()),
    ("currency", pa.string()),
    ("entry", pa.string()),
    ("account", pa.string()),
    ("number", pa.string()),
    ("name", pa.string()),
    ("debit", _AMOUNT),
    ("credit", _AMOUNT),
    ("postings", pa.int64()),
    ("first_position", pa.int64()),
    ("last_position", pa.int64()),
)


def write(document: Document, out: Path) -> int:
    """Write it; its rows."""
    schema = pa.schema(_FIELDS, metadata={key.lower().replace(" ", "_"): v for key, v in document.header().items()})
    rows = [_row(document.site, row) for row in document.rows]
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), out)
    return len(rows)


def _row(site: str, row: Row) -> dict[str, Any]:
    day = date.fromisoformat(row.gaming_day) if row.gaming_day else None
    told: dict[str, Any] = {"site": site, "gaming_day": day, "entry": NO_ACTIVITY}
    if row.line is None or row.account is None:
        return told
    line = row.line
    return told | {
        "currency": line.currency,
        "entry": line.entry,
        "account": line.account,
        "number": row.account.number,
        "name": row.account.name,
        "debit": row.debit,
        "credit": row.credit,
        "postings": line.postings,
        "first_position": line.first_position,
        "last_position": line.last_position,
    }
