"""The inbox over HTTP: each kind of exception out of what people really do, and its acknowledgement with a trail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from api.auth import tokens
from tests.api.live import OPENER, RECORD, Live

DAY = "2026-06-01"
FLOAT = {"cash": [{"denomination": 1000, "count": 5000}], "chips": [{"denomination": 1000, "count": 5000}]}
RULES = {
    "valid_from": "2026-01-01",
    "windows": [{"name": "W1", "currency": "EUR", "imprest": 10_000_000}],
    "thresholds": [
        {"code": code, "operator": ">", "amount": 0}
        for code in ("opener_differs", "over_short", "drop_differs", "cage_over_short")
    ]
    + [
        {"code": "cash_in", "operator": ">", "amount": 1_000_000, "currency": "EUR", "rule": "31 CFR 1021.311"},
        {"code": "cash_out", "operator": ">", "amount": 1_000_000, "currency": "EUR", "rule": "31 CFR 1021.311"},
    ],
    "idle_minutes": 45,
    "reason": "the cage opens",
}
KINDS = {
    "opener_differs",
    "opener_chips_differ",
    "unsigned_slip",
    "slip_void",
    "outside_limits",
    "idle_table",
    "over_short",
    "cage_over_short",
    "drop_differs",
    "counts_differ",
    "correction",
    "ruling",
    "cap_reached",
    "cash_in",
    "cash_out",
    "late_event",
    "count_corrected",
    "audit_adjustment",
}
"""All that can come of a flow. A gap in the numbers and chips without a slip cannot: the house numbers the slips and
only a slip moves chips. `tests.money.test_exceptions` has them of a log that somebody has tampered with."""


def person(live: Live, role: str, name: str) -> None:
    with psycopg.connect(live.database.url) as conn:
        _, live.tokens[name] = tokens.create(conn, role=role, name=f"t.{name}", created_by="test")


@pytest.fixture(scope="module")
def inbox(live: Live) -> Callable[..., list[dict[str, Any]]]:
    """A day on which everything happens; reads the inbox up to its end."""
    for role in ("finance", "supervisor", "security"):
        person(live, role, f"{role}.3")
    asked = live.done("/v1/money-rules", RULES, "admin")
    live.done(f"/v1/approvals/{asked['approval']}", {"decision": "approve"}, "finance")
    _table(live)
    _slips(live)
    _cage(live)
    last = _counts(live)

    def read(**filters: Any) -> list[dict[str, Any]]:
        answer = live.get("/v1/exceptions", min_position=last, limit=1000, **filters)
        assert answer.status_code == 200, answer.text
        return list(answer.json()["rows"])

    return read


def _at(hour: int, minute: int = 0) -> str:
    return f"{DAY}T{hour:02}:{minute:02}:00Z"


def _table(live: Live) -> None:
    live.open_table("X1", gaming_day=DAY, at=_at(18), max_payout_per_box=1_500)
    live.done("/v1/tables/X1/rounds", {**RECORD, "at": _at(18, 5)})  # pays 1:1 of 2,000 and is capped
    idle = live.done("/v1/tables/X1/rounds", {**RECORD, "at": _at(18, 55)})  # 50 minutes later
    accepted = {"boxes": [{"box": 1, "player": "A", "ante": 25_000, "accepted": True}], "at": _at(19)}
    live.done("/v1/tables/X1/rounds", accepted)
    current = "/v1/tables/X1/rounds/current"
    live.done(f"{current}/cards", {})
    live.done(f"{current}/actions", {"do": "fold", "box": 1})
    live.done(f"{current}/dealer", {})
    live.done("/v1/tables/X1/buy-ins", {"player": "late", "amount": 5_000, "at": _at(18, 30)})
    payment = {"box": 1, "kind": "bet", "paid": 1_550}
    wrong = {"round": idle["round"], "reason": "a chip was left out", "payments": [payment]}
    asked = live.done("/v1/tables/X1/corrections", wrong, "supervisor")
    live.done(f"/v1/approvals/{asked['approval']}", {"decision": "approve"}, "supervisor.2")
    ruling = {"ruling": "paid in good will", "reason": "a guest was misled", "payments": [{"box": 1, "amount": 500}]}
    asked = live.done("/v1/tables/X1/rulings", ruling, "admin")
    live.done(f"/v1/approvals/{asked['approval']}", {"decision": "approve"}, "supervisor.2")
    live.done("/v1/tables/X1/close", {"closer": OPENER}, "supervisor")  # over by what was won and sold
    other = [{"denomination": 10_000, "count": 501}, {"denomination": 50, "count": 1_800}]  # of the same worth
    live.open_table("X1", gaming_day=DAY, opener=other)
    live.done("/v1/tables/X1/close", {"closer": other}, "supervisor")
    live.open_table("X1", gaming_day=DAY)
    live.done("/v1/tables/X1/close", {"closer": OPENER}, "supervisor")
    live.open_table("X1", gaming_day=DAY, opener=[{"denomination": 10_000, "count": 500}])
    live.done("/v1/tables/X1/close", {"closer": [{"denomination": 10_000, "count": 500}]}, "supervisor")


def _slips(live: Live) -> None:
    live.open_table("X2", gaming_day=DAY)
    chips = {"chips": [{"denomination": 10_000, "count": 1}]}
    void = live.done("/v1/tables/X2/fills", chips, "supervisor")["slip"]
    live.done(f"/v1/slips/{void}/void", {"reason": "wrong chips"}, "cashier")
    slip = live.done("/v1/tables/X2/fills", chips, "supervisor")["slip"]
    live.done(f"/v1/slips/{slip}/prepare", {}, "cashier")
    live.done(f"/v1/slips/{slip}/carry", {}, "security")
    live.done("/v1/tables/X2/close", {"closer": OPENER}, "supervisor")


def _cage(live: Live) -> None:
    live.done("/v1/cage/windows/W1/open", {**FLOAT, "gaming_day": DAY}, "cashier")
    live.open_table("X3", gaming_day=DAY)
    trades = [
        ("sales", "exact", 1_000_000),
        ("sales", "over", 1_000_000),
        ("sales", "over", 1),
        ("sales", "linked", 600_000),
        ("redemptions", "payee", 1_000_001),
        ("sales", "both", 900_000),
        ("redemptions", "both", 900_000),
    ]
    for door, player, amount in trades:
        live.done(f"/v1/cage/windows/W1/{door}", {"amount": amount, "player": player}, "cashier")
    live.done("/v1/tables/X3/buy-ins", {"player": "linked", "amount": 400_100})
    counted = {"cash": [{"denomination": 1, "count": 6_599_999}], "chips": [{"denomination": 1, "count": 3_399_999}]}
    live.done("/v1/cage/windows/W1/close", counted, "cashier")


def _counts(live: Live) -> int:
    drop = live.done("/v1/tables/X3/drop-boxes", {"box": "17"}, "security")["drop"]
    closer = [{"denomination": 100, "count": 46_999}]
    live.done("/v1/tables/X3/close", {"closer": closer}, "supervisor")
    live.done(f"/v1/drop-boxes/{drop}/remove", {}, "security")
    live.done(f"/v1/drop-boxes/{drop}/receive", {}, "finance")
    for who, count in (("finance", 8), ("finance.2", 9), ("finance.3", 9)):
        live.done(f"/v1/drop-boxes/{drop}/count", {"cash": [{"denomination": 50_000, "count": count}]}, who)
    person(live, "finance", "finance.4")
    wrong = {"total": 400_000, "reason": "the first count was right"}
    asked = live.done(f"/v1/drop-boxes/{drop}/corrections", wrong, "finance")
    live.done(f"/v1/approvals/{asked['approval']}", {"decision": "approve"}, "finance.4")
    adjusted = {"session": f"X3-{DAY}-1", "figure": "fills", "amount": -200_001, "reason": "a slip misread"}
    asked = live.done(f"/v1/gaming-days/{DAY}/adjustments", adjusted, "finance")
    return int(live.done(f"/v1/approvals/{asked['approval']}", {"decision": "approve"}, "finance.4")["position"])


def test_every_kind_comes_of_what_people_do(inbox: Callable[..., list[dict[str, Any]]]) -> None:
    assert {row["code"] for row in inbox()} == KINDS
    assert {row["gaming_day"] for row in inbox()} == {DAY}


@pytest.mark.parametrize(("direction", "players"), [("cash_in", {"over", "linked"}), ("cash_out", {"payee"})])
def test_cash_is_reported_by_player_and_day_each_direction_on_its_own(
    inbox: Callable[..., list[dict[str, Any]]], direction: str, players: set[str]
) -> None:
    rows = inbox(code=direction)
    assert {row["subject"] for row in rows} == players
    assert len(rows) == len(players), "once a player and day, when the sum passes the threshold"


def test_the_amounts_are_what_happened(inbox: Callable[..., list[dict[str, Any]]]) -> None:
    amounts = {row["code"]: row["amount"] for row in reversed(inbox())}  # of each kind the first
    told = {code: amounts[code] for code in ("outside_limits", "idle_table", "cage_over_short", "count_corrected")}
    assert told == {"outside_limits": 25_000, "idle_table": 50, "cage_over_short": -2, "count_corrected": -50_000}
    assert (amounts["ruling"], amounts["correction"], amounts["audit_adjustment"]) == (-500, -50, -200_001)
    (late,) = inbox(code="late_event")
    assert late["table"] == "X1"


@pytest.mark.parametrize("code", sorted(KINDS))
def test_it_is_acknowledged_by_another_with_a_trail(
    live: Live, inbox: Callable[..., list[dict[str, Any]]], code: str
) -> None:
    row = inbox(code=code)[0]
    door = f"/v1/exceptions/{row['exception']}/acknowledge"
    live.done(door, {"note": "the camera was asked"}, "auditor")
    done = live.done(door, {"note": "and it shows nothing else"}, "supervisor.3")
    (known,) = [
        found
        for found in live.get("/v1/exceptions", code=code, min_position=done["position"], limit=1000).json()["rows"]
        if found["exception"] == row["exception"]
    ]
    assert known["state"] == "acknowledged"
    assert [(note["actor"], note["note"]) for note in known["notes"]] == [
        ("t.auditor", "the camera was asked"),
        ("t.supervisor.3", "and it shows nothing else"),
    ]


@pytest.mark.parametrize(
    ("code", "people"),
    [
        ("over_short", ["supervisor"]),
        ("correction", ["supervisor", "supervisor.2"]),
        ("count_corrected", ["finance", "finance.4"]),
        ("audit_adjustment", ["finance", "finance.4"]),
        ("counts_differ", ["finance.3"]),
    ],
)
def test_nobody_acknowledges_what_they_did_proposed_or_approved(
    live: Live, inbox: Callable[..., list[dict[str, Any]]], code: str, people: list[str]
) -> None:
    row = inbox(code=code)[0]
    for who in people:
        refused = live.post(f"/v1/exceptions/{row['exception']}/acknowledge", {"note": "mine"}, who)
        assert refused.json()["code"] == "same_person", who


def test_an_idle_table_is_seen_while_it_is(live: Live) -> None:
    opened = live.open_table("X9", gaming_day=DAY, at=_at(18))
    answer = live.get("/v1/exceptions", min_position=opened["position"], limit=1).json()
    assert "X9" in {table["table"] for table in answer["idle"]}
