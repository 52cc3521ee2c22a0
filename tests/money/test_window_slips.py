"""Slips at windows, read back: shifts, the journal and their explanation agree, and the check is clean."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import psycopg
import pytest

from domain.acts import approvals, cage, money_rules, slips
from domain.cage_commands import CountWindow, OpenWindow
from domain.commands import DecideApproval, MoveChips, PrepareSlip, ProposeRules, SignSlip, VoidSlip
from domain.events.base import Chips
from domain.events.rules import Window
from projections.catch_up import run_until
from projections.check import check
from projections.reads.cage import cage as shifts
from projections.reads.explain import cage_shift
from projections.reads.hold import hold
from projections.reads.journal import journal
from tests.databases import Databases
from tests.money.floor import Floor, conn_of, floor_on

HALF = (Chips(50, 10_000),)
SIGNERS = {"carry": ("sam", "security"), "count": ("dora", "terminal"), "receive": ("sven", "supervisor")}


@pytest.fixture
def floor(databases: Databases) -> Iterator[Floor]:
    yield from floor_on(databases)


@pytest.fixture
def conn(floor: Floor) -> Iterator[psycopg.Connection[Any]]:
    yield from conn_of(floor)


def slip_of(floor: Floor, act: Any, chips: int, window: str | None) -> str:
    command = MoveChips(chips=(Chips(50, chips),))
    slip: str = floor.do(partial(act, table="R1", command=command), "rita", "supervisor")["slip"]
    floor.do(lambda w: slips.sign(w, slip, "prepare", PrepareSlip(window=window)), "carl", "cashier")
    return slip


def finish(floor: Floor, slip: str) -> None:
    for step, who in SIGNERS.items():
        floor.do(partial(slips.sign, slip_id=slip, step=step, command=SignSlip()), *who)


def test_a_shift_with_slips_reads_and_books_what_it_did(floor: Floor, conn: psycopg.Connection[Any]) -> None:
    rules = ProposeRules(valid_from="2026-01-01", windows=(Window("W1", "EUR", 1_000_000),), reason="the cage opens")
    asked = floor.do(lambda w: money_rules.propose(w, rules), "ada", "admin")
    yes = DecideApproval(decision="approve")
    floor.do(lambda w: approvals.decide(w, asked["approval"], yes), "finn", "finance")
    opening = OpenWindow(cash=HALF, chips=HALF)
    floor.do(partial(cage.open_window, window="W1", command=opening), "carl", "cashier")
    finish(floor, slip_of(floor, slips.request_fill, 1_000, "W1"))
    finish(floor, slip_of(floor, slips.request_fill, 100, None))
    finish(floor, slip_of(floor, slips.request_credit, 300, "W1"))
    void = slip_of(floor, slips.request_fill, 7, "W1")
    floor.do(lambda w: slips.void(w, void, VoidSlip(reason="wrong chips")), "cora", "cashier")
    counted = CountWindow(cash=HALF, chips=(Chips(50, 9_298),))
    floor.do(partial(cage.close_window, window="W1", command=counted), "carl", "cashier")
    floor.tray["R1"] += 50 * 800
    for table in floor.names:
        floor.roll(table)
        floor.count(floor.boxes[table])
    run_until(floor.url)

    (shift,) = shifts(conn).rows
    assert (shift.fills, shift.credits, shift.chips, shift.over_short) == (50_000, 15_000, 465_000, -100)
    explained = cage_shift(conn, shift.cage_shift, "chips")
    assert explained is not None
    assert explained.value == explained.total == 465_000
    (row,) = hold(conn, table="R1").rows
    assert (row.fills, row.credits, row.win, row.over_short) == (55_000, 15_000, 0, 0)
    accounts: dict[str, int] = {}
    entries: dict[str, int] = {}
    for line in journal(conn).lines:
        accounts[line.account] = accounts.get(line.account, 0) + line.amount_u
        entries[line.entry] = entries.get(line.entry, 0) + line.amount_u
    assert set(entries.values()) == {0}
    assert "cage fills and credits" in entries
    assert {name: accounts[name] for name in ("window_chips", "window_cash", "tray")} == {
        "window_chips": 0,
        "window_cash": 0,
        "tray": 0,
    }
    assert accounts["cage_over_short"] == 100 * 1_000_000
    found = check(floor.url, jobs=1)
    assert [identity for identity in found["identities"] if not identity["ok"]] == []
