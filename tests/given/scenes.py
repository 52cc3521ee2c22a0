"""Usual beginnings: a house with its sheets published, a table open, a progressive running."""

from functools import partial
from typing import Any

import msgspec

from domain.acts import progressives, rulesets, tables
from domain.commands import DecideApproval, OpenTable, ProposeProgressive, PublishRuleset
from domain.engine.record import Record
from domain.events.base import Chips
from domain.ruleset import shipped
from tests.memory_house import MemoryHouse

CHIPS = (Chips(100, 1000), Chips(2500, 100))
OPENER = 100 * 1000 + 2500 * 100


def house(*sheets: str) -> MemoryHouse:
    """A house with these sheets published."""
    memory = MemoryHouse()
    for sheet in sheets:
        memory.do(lambda w, s=sheet: rulesets.publish(w, PublishRuleset(text=shipped(s).text), None), "ada", "admin")  # type: ignore[misc]
    return memory


def open_table(memory: MemoryHouse, table: str, ruleset: str, **terms: Any) -> dict[str, Any]:
    """Open a table with an opener of 3,500.00."""
    given = {
        "ruleset": ruleset,
        "currency": "EUR",
        "chip": 50,
        "min": 500,
        "max": 20000,
        "gaming_day": "2026-03-14",
        "opener": CHIPS,
        **terms,
    }
    return memory.do(partial(tables.open_table, table=table, command=OpenTable(**given)))


def run_progressive(memory: MemoryHouse, progressive: str = "main", **terms: Any) -> None:
    """Proposed by ada, approved by finn."""
    level = {"level": 1, "seed": 1_000_000, "increment_ppm": 700_000, "reserve_ppm": 50_000, **terms}
    proposal = msgspec.convert({"id": progressive, "currency": "EUR", "levels": [level]}, ProposeProgressive)
    asked = memory.do(lambda w: progressives.propose(w, proposal), "ada", "admin")
    yes = DecideApproval(decision="approve")
    memory.do(lambda w: progressives.decide(w, asked["approval"], yes), "finn", "finance")


def record(**fields: Any) -> Record:
    """A round record from plain values."""
    return msgspec.convert(fields, Record)
