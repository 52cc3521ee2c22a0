"""The log as a file for other programs: one event a line, in the order of the log."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import psycopg

from projections.reads.events import LoggedEvent, events

_PAGE: Final = 2_000
_HEAD: Final = "SELECT position, encode(link, 'hex') FROM public.pitclerk_chain ORDER BY position DESC LIMIT 1"


def export_jsonl(conn: psycopg.Connection[Any], out: Path, day: str | None) -> dict[str, Any]:
    """Write the log up to where it ends now; the file appears when it is complete.

    `position` and `head` say up to where: the chain's link there is what `verify` computes again.
    """
    row = conn.execute(_HEAD).fetchone()
    position, head = (0, "") if row is None else row
    rows = 0
    encoder = msgspec.json.Encoder()
    handle, draft = tempfile.mkstemp(dir=out.absolute().parent, prefix=f".{out.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            for event in _up_to(conn, position):
                if day is None or event.gaming_day == day:
                    file.write(encoder.encode(event) + b"\n")
                    rows += 1
        os.replace(draft, out)
    except BaseException:
        os.unlink(draft)
        raise
    return {"format": "jsonl", "file": str(out), "rows": rows, "position": position, "head": head}


def _up_to(conn: psycopg.Connection[Any], position: int) -> Iterator[LoggedEvent]:
    after: int | None = 0
    while after is not None:
        page = events(conn, after=after, limit=_PAGE)
        for event in page.events:
            if event.position > position:
                return
            yield event
        after = page.next
