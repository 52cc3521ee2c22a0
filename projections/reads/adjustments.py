"""What accounting put right: the report of a month, those over the threshold by themselves (N.J.A.C. 13:69D-1.34)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, LiteralString

import psycopg
from msgspec import Struct
from psycopg import sql

from domain.money_rules import in_force
from projections.cage import Cage
from projections.counts import Counts
from projections.exception_rows import exceeds
from projections.reads.cage import adopted
from projections.reads.snapshot import conditions, snapshot, utc

MOST = 10_000


class AdjustmentRow(Struct):
    """figure: drop, opener, closer, fills or credits. was: the drop as it stood before, null of the others.

    amount: how far the figure moved, win: how far win did, minor units. over_threshold: as the money rules of the
    gaming day have it.
    """

    position: int
    gaming_day: str
    table: str
    session: str
    currency: str
    drop: str | None
    figure: str
    was: int | None
    amount: int
    win: int
    reason: str
    proposed_by: str
    approved_by: str
    adjusted_at: datetime
    over_threshold: bool = False


class Adjustments(Struct):
    """In the order in which they were agreed. no_activity: nothing was put right."""

    position: int
    month: str | None
    gaming_day: str | None
    no_activity: bool
    rows: list[AdjustmentRow]


_ROWS: LiteralString = """
SELECT position, gaming_day, table_name, session, currency, drop_id, figure, was, amount, win, reason, proposed_by,
       approved_by, adjusted_at
FROM views.adjustments {} ORDER BY position LIMIT %s"""


def adjustments(
    conn: psycopg.Connection[Any], *, month: str | None = None, gaming_day: str | None = None, only_over: bool = False
) -> Adjustments:
    """Adjustments to the gaming days of a month (`2026-03`), or of one day."""
    where, values = conditions([("left(gaming_day, 7) = %s", month), ("gaming_day = %s", gaming_day)])
    with snapshot(conn) as look:
        rules = adopted(look)
        rows = [AdjustmentRow(*row) for row in look.rows(sql.SQL(_ROWS).format(where), [*values, MOST])]
        for row in rows:
            row.adjusted_at = utc(row.adjusted_at) or row.adjusted_at
            of_day = in_force(rules, row.gaming_day)
            row.over_threshold = exceeds(of_day, "audit_adjustment", row.amount, row.currency)
        listed = [row for row in rows if row.over_threshold or not only_over]
        return Adjustments(look.position(Counts, Cage), month, gaming_day, not listed, listed)
