"""What each open table needs to come to its par: a fill or a credit. A par is data of the money rules, never win."""

from __future__ import annotations

from typing import Any, Literal, LiteralString

import psycopg
from msgspec import Struct

from domain.money_rules import in_force, need
from projections.cage import Cage
from projections.reads.cage import adopted
from projections.reads.snapshot import snapshot
from projections.tables import Tables


class NeedRow(Struct):
    """In minor units. tray: what should lie there by the recorded events; need = par - tray; slip null: nothing."""

    table: str
    gaming_day: str
    currency: str
    par: int
    tray: int
    need: int
    slip: Literal["fill", "credit"] | None


class Needs(Struct):
    """Open tables that the money rules of their gaming day name a par for."""

    position: int
    rows: list[NeedRow]


_OPEN: LiteralString = """
SELECT table_name, gaming_day, currency, tray FROM views.tables WHERE state = 'open' ORDER BY table_name"""


def needs(conn: psycopg.Connection[Any]) -> Needs:
    """Every open table with a par."""
    rows: list[NeedRow] = []
    with snapshot(conn) as look:
        rules = adopted(look)
        for table, day, currency, tray in look.rows(_OPEN):
            par = next((par.amount for par in in_force(rules, day).pars if par.table == table), None)
            if par is not None:
                missing = need(par, tray)
                slip: Literal["fill", "credit"] | None = "fill" if missing > 0 else "credit" if missing < 0 else None
                rows.append(NeedRow(table, day, currency, par, tray, missing, slip))
        return Needs(look.position(Tables, Cage), rows)
