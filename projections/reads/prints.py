"""The prints of a slip: how many, by whom and when. The first is the original, each later one a numbered reprint."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import psycopg
from msgspec import Struct

from domain.prints import label
from projections.exceptions import Exceptions
from projections.paper import Paper
from projections.reads.snapshot import Snapshot, snapshot, utc

MOST = 1_000
"""Prints told of one slip, the newest of them."""


class PrintView(Struct):
    """One print. label: what the paper says it is, `ORIGINAL` or `REPRINT n`."""

    number: int
    label: str
    actor: str
    at: datetime
    position: int


class Prints(Struct):
    """All prints of one slip in order. kind: `fill`, `credit` or `hand_pay`."""

    position: int
    kind: str
    slip: str
    prints: list[PrintView]


_PRINTS = """
SELECT number, actor, printed_at, position FROM views.slip_prints WHERE kind = %s AND slip = %s
ORDER BY number DESC LIMIT %s"""


def prints_at(look: Snapshot, kind: str, slip: str) -> list[PrintView]:
    """The prints of a slip in order, in a look that is open: whoever renders the slip shows the last one's label."""
    rows = look.rows(_PRINTS, (kind, slip, MOST))
    return [
        PrintView(number, label(number), actor, utc(at) or at, where) for number, actor, at, where in reversed(rows)
    ]


_KNOWN = "SELECT FROM views.slips WHERE slip = %s UNION ALL SELECT FROM views.hand_pay_slips WHERE slip = %s"


def prints(conn: psycopg.Connection[Any], slip: str) -> Prints | None:
    """The prints of a fill, a credit or a hand-pay by its number; None where there is no such slip."""
    kind = slip.partition("-")[0]
    with snapshot(conn) as look:
        if not look.rows(_KNOWN, (slip, slip)):
            return None
        return Prints(look.position(Paper, Exceptions), kind, slip, prints_at(look, kind, slip))
