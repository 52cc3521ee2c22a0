"""The floor as it stands."""

from __future__ import annotations

from datetime import datetime
from typing import Any, LiteralString

import psycopg
from msgspec import Struct
from psycopg import sql

from projections.reads.snapshot import conditions, snapshot, utc
from projections.tables import Tables as View


class TableRow(Struct):
    """A table and its present (or last) session, in minor units. state: open or closed.

    tray: what should lie in the tray by the recorded events; 0 once closed. live_round: the round on the felt.
    """

    table: str
    session: str
    state: str
    gaming_day: str
    shift: str
    ruleset: str
    ruleset_version: int
    currency: str
    chip: int
    min: int
    max: int
    max_payout_per_box: int | None
    progressive: str | None
    opened_at: datetime
    closed_at: datetime | None
    opener: int
    closer: int | None
    rounds: int
    live_round: str | None
    tray: int
    last_activity: datetime


class Tables(Struct):
    position: int
    rows: list[TableRow]


_TABLES: LiteralString = """
SELECT table_name, session, state, gaming_day, shift, ruleset, ruleset_version, currency, chip, min, max,
       max_payout_per_box, progressive, opened_at, closed_at, opener, closer, rounds, live_round, tray, last_activity
FROM views.tables {} ORDER BY table_name"""


def tables(conn: psycopg.Connection[Any], *, table: str | None = None) -> Tables:
    """Every table that was ever opened, or one (no rows: never opened)."""
    where, values = conditions([("table_name = %s", table)])
    with snapshot(conn) as look:
        rows = [TableRow(*row) for row in look.rows(sql.SQL(_TABLES).format(where), values)]
        for row in rows:
            row.opened_at = utc(row.opened_at) or row.opened_at
            row.closed_at = utc(row.closed_at)
            row.last_activity = utc(row.last_activity) or row.last_activity
        return Tables(look.position(View), rows)
