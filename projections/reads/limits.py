"""What boxes of live rounds can still be paid, and what caps withheld."""

from __future__ import annotations

from datetime import datetime
from typing import Any, LiteralString

import psycopg
from msgspec import Struct
from psycopg import sql

from projections.box_limits import BoxLimits
from projections.reads.snapshot import conditions, snapshot, utc


class LimitRow(Struct):
    """One box of a live round, in minor units. cap, headroom: null where the table has no cap.

    most_payable: by its stakes as they stand, the cap not applied; headroom = cap - most_payable. insurance_max: what
    it may still insure (0: nothing). capped_today: what caps withheld at this table this gaming day.
    """

    table: str
    round: str
    box: int
    player: str | None
    staked: int
    cap: int | None
    most_payable: int
    headroom: int | None
    insurance_max: int
    capped_today: int


class Limits(Struct):
    position: int
    rows: list[LimitRow]


class WithheldRow(Struct):
    """A payout that a cap lowered: due = paid + capped."""

    position: int
    table: str
    gaming_day: str
    round: str
    box: int | None
    wager: int | None
    kind: str
    due: int
    paid: int
    capped: int
    at: datetime


class Withheld(Struct):
    position: int
    rows: list[WithheldRow]


_LIMITS: LiteralString = """
SELECT r.table_name, b.round, b.box, b.player, b.staked, b.cap, b.most_payable, b.headroom, b.insurance_max,
       coalesce(c.capped, 0)
FROM views.box_limits b JOIN views.live_rounds r USING (site, stream, round)
     LEFT JOIN views.box_caps c USING (site, table_name, gaming_day)
{} ORDER BY r.table_name, b.round, b.box"""

_WITHHELD: LiteralString = """
SELECT position, table_name, gaming_day, round, box, wager, kind, due, paid, capped, happened_at
FROM views.box_capped {} ORDER BY position DESC LIMIT %s"""


def limits(conn: psycopg.Connection[Any], *, table: str | None = None) -> Limits:
    """The boxes of every live round, or of one table's."""
    where, values = conditions([("r.table_name = %s", table)])
    with snapshot(conn) as look:
        rows = look.rows(sql.SQL(_LIMITS).format(where), values)
        return Limits(look.position(BoxLimits), [LimitRow(*row) for row in rows])


def withheld(
    conn: psycopg.Connection[Any], *, table: str | None = None, gaming_day: str | None = None, limit: int = 100
) -> Withheld:
    """What caps withheld, newest first."""
    where, values = conditions([("table_name = %s", table), ("gaming_day = %s", gaming_day)])
    with snapshot(conn) as look:
        rows = look.rows(sql.SQL(_WITHHELD).format(where), [*values, limit])
        found = [WithheldRow(*row) for row in rows]
        for row in found:
            row.at = utc(row.at) or row.at
        return Withheld(look.position(BoxLimits), found)
