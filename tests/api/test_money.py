"""The money room through its doors: a gaming day from its first table to its audit, and what finance reads of it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.live import OPENER, Live

DAY, NEXT = "2026-05-01", "2026-05-02"
CASH = [{"denomination": 1000, "count": 50}]
FLOAT = {"cash": CASH, "chips": CASH}


@pytest.fixture(scope="module")
def day(live: Live) -> dict[str, Any]:
    """One table, one window, one box: played, rolled, counted, closed, audited. What was learned on the way."""
    rules = {
        "valid_from": "2026-01-01",
        "windows": [{"name": "W1", "currency": "EUR", "imprest": 100_000}],
        "thresholds": [{"code": "over_short", "operator": ">", "amount": 0}],
        "reason": "the cage opens",
    }
    asked = live.done("/v1/money-rules", rules, "admin")
    live.done(f"/v1/approvals/{asked['approval']}", {"decision": "approve"}, "finance")
    live.done("/v1/gaming-days", {"day": DAY}, "supervisor")
    live.open_table("M1", "roulette-ua", gaming_day=DAY)
    drop = live.done("/v1/tables/M1/drop-boxes", {"box": "17"}, "security")["drop"]
    colour = {"player": "A", "colour": "pink", "count": 20}
    live.done("/v1/tables/M1/colours", colour)
    live.done("/v1/tables/M1/buy-ins", {"player": "B", "amount": 25_000})
    bets = [{"player": "A", "on": "red", "amount": 1000}]
    live.done("/v1/tables/M1/rounds", {"ruleset": "roulette-ua", "bets": bets, "result": 17})
    live.done("/v1/tables/M1/colours/cash-in", {"colour": "pink", "count": 18})
    live.done("/v1/cage/windows/W1/open", {**FLOAT, "gaming_day": DAY}, "cashier")
    live.done("/v1/cage/windows/W1/sales", {"amount": 5_000, "player": "C"}, "cashier")
    closed = live.done("/v1/cage/windows/W1/close", FLOAT, "cashier")
    live.done("/v1/gaming-days", {"day": NEXT}, "finance")
    rolled = live.done("/v1/tables/M1/close", {"closer": OPENER, "roll_to": NEXT}, "supervisor")
    live.done(f"/v1/drop-boxes/{drop}/remove", {}, "security")
    live.done(f"/v1/drop-boxes/{drop}/receive", {}, "finance")
    count = {"cash": [{"denomination": 5000, "count": 7}]}
    first = live.done(f"/v1/drop-boxes/{drop}/count", count, "finance")
    between = live.get("/v1/drop-boxes", "finance", min_position=first["position"]).json()["rows"]
    second = live.done(f"/v1/drop-boxes/{drop}/count", count, "finance.2")
    live.done(f"/v1/gaming-days/{DAY}/close", {}, "finance")
    audited = live.done(f"/v1/gaming-days/{DAY}/audit", {}, "auditor")
    position = audited["position"]
    return {"drop": drop, "first": first, "between": between, "second": second} | {
        "closed": closed,
        "rolled": rolled,
        "position": position,
    }


def test_the_count_is_blind_at_the_doors(day: dict[str, Any]) -> None:
    assert "total" not in day["first"]
    assert [(row["state"], row["counted"]) for row in day["between"]] == [("counting", None)]
    assert (day["second"]["state"], day["second"]["total"]) == ("counted", 35_000)


def test_the_day_is_audited_and_fixed(live: Live, day: dict[str, Any]) -> None:
    (row,) = [r for r in live.get("/v1/gaming-days", min_position=day["position"]).json()["rows"] if r["day"] == DAY]
    assert (row["state"], row["tables"], row["rolled"], row["counted_boxes"]) == ("audited", 1, 1, 1)
    fixed = live.get(f"/v1/gaming-days/{DAY}").json()
    assert fixed["differences"] == []
    known = live.get(f"/v1/gaming-days/{DAY}/known", at_position=fixed["fixed_at"]).json()
    assert known["rows"] == fixed["fixed"]
    assert live.get("/v1/gaming-days/2020-01-01").json()["code"] == "unknown_day"


def test_one_figure_everywhere(live: Live, day: dict[str, Any]) -> None:
    at = {"min_position": day["position"]}
    (held,) = live.get("/v1/hold", gaming_day=DAY, **at).json()["rows"]
    over_short = day["rolled"]["over_short"]
    assert held["win"] == 1_000 + over_short + (35_000 - 35_000)
    assert (held["drop"], held["counted_drop"], held["grade"]) == (35_000, 35_000, "audited")
    report = live.get("/v1/master-game-report", gaming_day=DAY, **at).json()
    assert [row["win"] for row in report["totals"]] == [held["win"]]
    (house,) = [row for row in live.get("/v1/statistics", gaming_day=DAY).json()["house"] if row["currency"] == "EUR"]
    assert house["day"]["win"] == held["win"]
    (explained,) = live.get("/v1/explain", figure="win", gaming_day=DAY).json()["rows"]
    assert explained["value"] == explained["total"] == held["win"]
    assert live.get("/v1/gaming-days/" + DAY).json()["now"][-1]["win"] == held["win"]


def test_the_journal_balances_and_opens(live: Live, day: dict[str, Any]) -> None:
    query = {"from": DAY, "to": DAY, "min_position": day["position"]}
    books = live.get("/v1/journal", "finance", **query).json()
    assert len(books["head"]) == 64
    assert sum(int(line["debit_u"]) - int(line["credit_u"]) for line in books["lines"]) == 0
    line = next(line for line in books["lines"] if line["entry"] == "drop counts")
    named = {name: line[name] for name in ("gaming_day", "currency", "entry", "account")}
    (explained,) = live.get("/v1/explain", figure="journal", **named).json()["rows"]
    assert explained["total"] == int(line["debit_u"]) - int(line["credit_u"])
    assert live.get("/v1/explain", figure="journal").json()["code"] == "bad_parameter"
    assert live.get("/v1/explain", figure="nonsense").json()["code"] == "unknown_figure"


def test_the_cage_is_short_by_nothing(live: Live, day: dict[str, Any]) -> None:
    assert day["closed"]["over_short"] == 0
    assert (day["closed"]["expected_cash"], day["closed"]["expected_chips"]) == (55_000, 45_000)
    (row,) = live.get("/v1/cage", "cashier", window="W1").json()["rows"]
    assert (row["state"], row["sold"], row["cashier"]) == ("closed", 5_000, "t.cashier")
    (explained,) = live.get("/v1/explain", figure="cash", cage_shift=row["cage_shift"]).json()["rows"]
    assert explained["value"] == explained["total"] == 55_000


def test_an_exception_is_acknowledged_by_another_only(live: Live, day: dict[str, Any]) -> None:
    found = live.get("/v1/exceptions", code="over_short", min_position=day["position"]).json()["rows"]
    (row,) = [row for row in found if row["gaming_day"] == DAY]
    door = f"/v1/exceptions/{row['exception']}/acknowledge"
    assert live.post(door, {"note": "mine"}, "supervisor").json()["code"] == "same_person"
    assert live.post("/v1/exceptions/over_short.1/acknowledge", {"note": "none"}, "finance").status_code == 404
    done = live.done(door, {"note": "the camera shows a miscount"}, "supervisor.2")
    known = live.get("/v1/exceptions", state="acknowledged", min_position=done["position"]).json()["rows"]
    assert [(n["actor"], n["note"]) for n in known[0]["notes"]] == [("t.supervisor.2", "the camera shows a miscount")]


def test_thresholds_and_player_cash_are_read(live: Live, day: dict[str, Any]) -> None:
    rules = live.get("/v1/money-rules", gaming_day=DAY).json()["rules"]
    assert [(t["code"], t["operator"], t["amount"]) for t in rules["thresholds"]] == [("over_short", ">", 0)]
    rows = live.get("/v1/player-cash", "finance", gaming_day=DAY).json()["rows"]
    assert {row["player"]: row["cash_in"] for row in rows} == {"A": 10_000, "B": 25_000, "C": 5_000}
    assert live.get("/v1/slips", gaming_day=DAY).json()["gaps"] == {}
    found = live.get("/v1/discrepancies", gaming_day=DAY).json()["rows"]
    assert [(row["table"], row["rounds"]) for row in found] == [("M1", 1)]
