"""The log as a file for other programs, one event a line, in its order; and the books in the formats of `ledger`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
import psycopg

from api.cli.ledger import WRITERS
from api.cli.ledger.document import read
from projections.chart import Chart
from projections.reads.events import LoggedEvent, events

_PAGE: Final = 2_000
_HEAD: Final = "SELECT position, encode(link, 'hex') FROM public.pitclerk_chain ORDER BY position DESC LIMIT 1"


def export_jsonl(conn: psycopg.Connection[Any], out: Path, day: str | None) -> dict[str, Any]:
    """Write the log up to where it ends now; the file appears when it is complete.

    `position` and `head` say up to where: the chain's link there is what `verify` computes again. Each line has its
    leaf bytes, from which `import` makes the same log again.
    """
    row = conn.execute(_HEAD).fetchone()
    position, head = (0, "") if row is None else row
    rows = 0
    encoder = msgspec.json.Encoder()
    with _draft_of(out) as draft, draft.open("wb") as file:
        for event in _up_to(conn, position, day):
            file.write(encoder.encode(event) + b"\n")
            rows += 1
    return {"format": "jsonl", "file": str(out), "rows": rows, "position": position, "head": head}


def export_log_parquet(conn: psycopg.Connection[Any], out: Path, day: str | None) -> dict[str, Any]:
    """The same as Parquet."""
    from api.cli import log_parquet  # imports pyarrow, which takes half a second

    row = conn.execute(_HEAD).fetchone()
    position, head = (0, "") if row is None else row
    with _draft_of(out) as draft:
        rows = log_parquet.write(_up_to(conn, position, day), draft, position=position, head=head)
    return {"format": "parquet", "file": str(out), "rows": rows, "position": position, "head": head}


def export_books(
    conn: psycopg.Connection[Any],
    out: Path,
    file_format: str,
    *,
    site: str,
    chart: Chart,
    first_day: str | None,
    last_day: str | None,
) -> dict[str, Any]:
    """Write the journal of these gaming days as `csv`, `xlsx`, `parquet` or `beancount`. Raises ChartError."""
    document = read(conn, site, chart, first_day=first_day, last_day=last_day)
    with _draft_of(out) as draft:
        rows = WRITERS[file_format](document, draft)
    journal = document.journal
    return {
        "format": file_format,
        "file": str(out),
        "rows": rows,
        "position": journal.position,
        "head": journal.head,
        "site": site,
        "gaming_days": document.interval,
    }


@contextmanager
def _draft_of(out: Path) -> Iterator[Path]:
    """A file beside the one wanted, which takes its place when it is complete."""
    handle, name = tempfile.mkstemp(dir=out.absolute().parent, prefix=f".{out.name}.")
    os.close(handle)
    draft = Path(name)
    try:
        yield draft
        draft.replace(out)
    except BaseException:
        draft.unlink()
        raise


def _up_to(conn: psycopg.Connection[Any], position: int, day: str | None) -> Iterator[LoggedEvent]:
    after: int | None = 0
    while after is not None:
        page = events(conn, after=after, limit=_PAGE, raw=True)
        for event in page.events:
            if event.position > position:
                return
            if day is None or event.gaming_day == day:
                yield event
        after = page.next
