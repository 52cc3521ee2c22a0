"""Cashiers' shifts with their balances, and the money rules of a gaming day."""

from __future__ import annotations

from datetime import datetime
from typing import Any, LiteralString

import msgspec
import psycopg
from msgspec import Struct
from psycopg import sql

from domain.events.rules import Rules
from domain.money_rules import in_force
from projections.cage import Cage as View
from projections.reads.snapshot import Snapshot, conditions, snapshot, utc


class CageRow(Struct):
    """One shift at a window, in minor units. cash, chips: what it should hold (or held, once closed).

    counted_cash, counted_chips, over_short: null until it is counted out. in_transit: transfers not signed for.
    fills: chips gone to tables, credits: chips come from them.
    """

    window: str
    cage_shift: str
    gaming_day: str
    shift: str
    cashier: str
    currency: str
    state: str
    opened_at: datetime
    opening_cash: int
    opening_chips: int
    taken_over: str | None
    cash: int
    chips: int
    sold: int
    redeemed: int
    hand_paid: int
    sent: int
    received: int
    in_transit: int
    closed_at: datetime | None
    counted_cash: int | None
    counted_chips: int | None
    over_short: int | None
    handed_to: str | None
    fills: int
    credits: int


class CageRows(Struct):
    position: int
    rows: list[CageRow]


class RulesInForce(Struct):
    position: int
    gaming_day: str
    rules: Rules


_SHIFTS: LiteralString = """
SELECT window_name, cage_shift, gaming_day, shift, cashier, currency, state, opened_at, opening_cash, opening_chips,
       taken_over, cash, chips, sold, redeemed, hand_paid, sent, received, in_transit, closed_at, counted_cash,
       counted_chips, over_short, handed_to, fills, credits
FROM views.cage_shifts {} ORDER BY opened_at, window_name, cage_shift"""


def cage(
    conn: psycopg.Connection[Any], *, window: str | None = None, gaming_day: str | None = None, state: str | None = None
) -> CageRows:
    """Shifts in the order in which they opened."""
    where, values = conditions([("window_name = %s", window), ("gaming_day = %s", gaming_day), ("state = %s", state)])
    with snapshot(conn) as look:
        rows = [CageRow(*row) for row in look.rows(sql.SQL(_SHIFTS).format(where), values)]
        for row in rows:
            row.opened_at = utc(row.opened_at) or row.opened_at
            row.closed_at = utc(row.closed_at)
        return CageRows(look.position(View), rows)


def rules(conn: psycopg.Connection[Any], gaming_day: str) -> RulesInForce:
    """The money rules of a gaming day."""
    with snapshot(conn) as look:
        return RulesInForce(look.position(View), gaming_day, in_force(adopted(look), gaming_day))


def adopted(look: Snapshot) -> list[Rules]:
    """All rules in the order of their adoption."""
    found = look.rows("SELECT rules FROM views.money_rules ORDER BY position")
    return [msgspec.json.decode(text, type=Rules) for (text,) in found]
