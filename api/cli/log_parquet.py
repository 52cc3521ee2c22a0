"""The log as Parquet: a row an event, its fields as JSON, and the bytes that the chain hashes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from projections.reads.events import LoggedEvent

GROUP: Final = 20_000
"""Rows written at a time: memory stays flat however long the log is."""

_MOMENT: Final = pa.timestamp("us", tz="UTC")
_SCHEMA: Final = pa.schema(
    [
        ("position", pa.int64()),
        ("event_id", pa.string()),
        ("stream", pa.string()),
        ("version", pa.int64()),
        ("type", pa.string()),
        ("recorded_at", _MOMENT),
        ("happened_at", _MOMENT),
        ("actor", pa.string()),
        ("approver", pa.string()),
        ("gaming_day", pa.string()),
        ("late", pa.bool_()),
        ("data", pa.string()),
        ("leaf_bytes", pa.string()),
    ]
)


def write(events: Iterator[LoggedEvent], out: Path, *, position: int, head: str) -> int:
    """Write them; how many. position and head stand in the file's metadata."""
    schema = _SCHEMA.with_metadata({"position": str(position), "head": head})
    rows = 0
    with pq.ParquetWriter(out, schema) as writer:
        while batch := list(islice(events, GROUP)):
            writer.write_table(pa.Table.from_pylist([_row(event) for event in batch], schema=schema))
            rows += len(batch)
    return rows


def _row(event: LoggedEvent) -> dict[str, Any]:
    row = {name: getattr(event, name) for name in _SCHEMA.names}
    happened = event.happened_at
    return row | {
        "happened_at": None if happened is None else datetime.fromisoformat(happened),
        "data": bytes(event.data).decode(),
    }
