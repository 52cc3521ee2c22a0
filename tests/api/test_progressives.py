"""A progressive at the doors: its life, its hits whole, its slip, its gaming day explained, a rejection on the feed."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import pytest

from projections.check import check
from projections.rebuild import rebuild
from tests.api.live import Live
from tests.api.sse import Display
from tests.api.test_feed import PLAIN, ROYAL

DAY = "2026-03-14"
MICRO = 1_000_000
WHY = "two cards were marked"


@pytest.fixture(scope="module", autouse=True)
def _floor(live: Live) -> None:
    live.done("/v1/gaming-days", {"day": DAY}, "supervisor")
    live.open_progressive("GRAND")
    live.open_table("G1", progressive="GRAND")


def play(live: Live, record: dict[str, Any], table: str = "G1") -> dict[str, Any]:
    return live.done(f"/v1/tables/{table}/rounds", record)


def change(live: Live, name: str, door: str, body: dict[str, Any]) -> str:
    asked = live.done(f"/v1/progressives/{name}/{door}", body | {"reason": WHY}, "admin")
    live.done(f"/v1/approvals/{asked['approval']}", {"decision": "approve"}, "finance")
    return str(asked["approval"])


def read(live: Live, path: str, role: str = "auditor", **params: Any) -> dict[str, Any]:
    head = live.get("/readyz", None).json()["position"]
    answer = live.get(path, role, min_position=head, wait_ms=20_000, **params)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def explained(live: Live, jackpot: str, day: str = DAY) -> dict[str, Any]:
    found = read(live, f"/v1/jackpots/{jackpot}/reconciliation", gaming_day=day)
    assert found["explained"], found["levels"]
    return found


def test_every_step_of_a_life_is_shown_with_who_and_why(live: Live) -> None:
    asked = live.done("/v1/progressives", _proposal("LIFE"), "admin")
    waiting = read(live, "/v1/progressives/LIFE")
    assert (waiting["state"], [one["approval"] for one in waiting["waiting"]]) == ("proposed", [asked["approval"]])
    live.done(f"/v1/approvals/{asked['approval']}", {"decision": "approve"}, "finance")
    change(live, "LIFE", "limits", {"level": 1, "limit": 2_000_000})
    live.done("/v1/progressives/LIFE/stop", {"reason": "before a change"}, "supervisor")
    down = {"level": 1, "balance": "display", "amount_u": str(-5 * MICRO), "cause": "malfunction"}
    approval = change(live, "LIFE", "adjustments", down)
    refused = live.done("/v1/progressives/LIFE/limits", {"level": 1, "limit": 3_000_000, "reason": WHY}, "admin")
    pending = read(live, "/v1/progressives/LIFE")["waiting"]
    assert [(one["event"], one["said"]["change"]["limit"]) for one in pending] == [("change_proposed", 3_000_000)]
    live.done(f"/v1/approvals/{refused['approval']}", {"decision": "refuse", "reason": "too high"}, "finance")
    life = read(live, "/v1/progressives/LIFE")
    assert [one["event"] for one in life["changes"]] == [
        "proposed", "opened", "change_proposed", "limit_imposed", "stopped", "change_proposed", "adjusted",
        "change_proposed", "change_refused",
    ]  # fmt: skip
    adjusted = next(one for one in life["changes"] if one["event"] == "adjusted")
    assert (adjusted["approval"], adjusted["reason"]) == (approval, WHY)
    assert adjusted["actor"] != adjusted["approver"] is not None or adjusted["actor"]
    assert (adjusted["display_before_u"], adjusted["display_after_u"]) == (str(10**12), str(10**12 - 5 * MICRO))
    assert (life["state"], life["waiting"], life["terms"][0]["limit"]) == ("stopped", [], 2_000_000)
    page = read(live, "/v1/progressives/LIFE", after=life["changes"][0]["position"], limit=2)
    assert ([one["event"] for one in page["changes"]], page["next"]) == (
        ["opened", "change_proposed"],
        page["changes"][1]["position"],
    )
    assert live.get("/v1/progressives/nobody").json()["code"] == "unknown_jackpot"


def _proposal(name: str) -> dict[str, Any]:
    level = {"level": 1, "seed": 1_000_000, "increment_ppm": 700_000, "reserve_ppm": 50_000, "limit": None}
    return {"id": name, "currency": "EUR", "levels": [level], "fixed_prizes_from": "house"}


def test_a_hit_s_record_holds_all_that_may_be_asked(live: Live) -> None:
    round_id = play(live, ROYAL)["round"]
    hit_id = f"{round_id}.1.1"
    door = f"/v1/jackpots/GRAND/hits/{hit_id}"
    live.done(f"{door}/steps", {"step": "hand_verified", "note": "camera 4"}, "supervisor")
    live.done(f"{door}/steps", {"step": "deck_checked"}, "security")
    record = read(live, door)
    hit = record["hit"]
    assert (hit["level"], hit["hand"], hit["table"], hit["box"], hit["player"]) == (1, "royal flush", "G1", 1, "A")
    assert (hit["share_ppm"], hit["state"], hit["gaming_day"]) == (MICRO, "pending", DAY)
    assert int(hit["meter_before_u"]) == hit["award"] * MICRO + int(hit["residue_u"])
    assert int(record["reset_u"]) == 1_000_000 * MICRO
    assert record["reset_source"] == "reserve and house"
    assert (record["config_version"], record["stake"], record["group"]["order"], record["group"]["of"]) == (2, 50, 1, 1)
    assert [(seen["box"], seen["cards"]) for seen in record["cards"]] == [
        (1, "As Ks Qs Js Ts"),
        (None, "3h"),
        (None, "Ah Kc 8c 7s 3h"),
    ]
    assert [(step["step"], step["note"]) for step in hit["steps"]] == [
        ("hand_verified", "camera 4"),
        ("deck_checked", ""),
    ]
    stake = live.get("/v1/events", after=record["stake_position"] - 1, limit=1).json()["events"][0]
    assert (stake["event_id"], stake["type"]) == (record["stake_event"], "table.jackpot_staked")
    assert record["recorded_at"]
    assert record["dealer"] == "t.terminal"
    live.done(f"{door}/pay", {"paid_by": "cage"}, "cashier")
    paid = read(live, door)["hit"]
    assert (paid["state"], paid["paid"], paid["paid_by"], paid["paid_actor"]) == (
        "paid",
        hit["award"],
        "cage",
        "t.cashier",
    )
    assert live.get("/v1/jackpots/GRAND/hits/nothing.1.1").json()["code"] == "unknown_hit"


def test_the_slip_says_what_is_owed_and_whether_it_was_paid(live: Live) -> None:
    play(live, ROYAL)
    head = live.get("/readyz", None).json()["position"]
    hit = live.get("/v1/jackpots/GRAND/hits", "cashier", state="pending", min_position=head).json()["hits"][-1]
    door = f"/v1/jackpots/GRAND/hits/{hit['hit']}"
    slip = live.get(f"{door}/slip", "cashier")
    assert slip.headers["content-type"].startswith("text/html")
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", slip.text))
    euros = f"{hit['award'] // 100_000} {hit['award'] // 100 % 1000:03d}.{hit['award'] % 100:02d} EUR"
    for said in (euros, "PENDING – NOT YET PAID", "royal flush", "A♠", "G1, 1", hit["hit"], "no step taken"):
        assert said in text, said
    paid = live.done(f"{door}/pay", {"paid_by": "cage"}, "cashier")
    after = live.get(f"{door}/slip", "cashier", min_position=paid["position"])
    assert "PENDING" not in after.text
    assert f"position {paid['position']}" in after.text
    assert live.get(f"{door}/slip", "display").status_code == 403


def test_a_rejected_hit_is_a_reset_on_the_feed_and_the_day_stays_explained(live: Live) -> None:
    live.open_progressive("BACK")
    live.open_table("G2", progressive="BACK")
    with Display(live) as display:
        round_id = play(live, ROYAL, "G2")["round"]
        last = play(live, PLAIN, "G2")["position"]
        display.wait_for_position(last)
        hit = f"{round_id}.1.1"
        done = live.done(f"/v1/jackpots/BACK/hits/{hit}/reject", {"reason": WHY}, "supervisor")
        back = [f.data for f in display.wait_for_position(done["position"]) if f.event == "reset"][-1]
    # The hit's award of 10 000.70 is back, and the stake played for since stays on it.
    assert (back["jackpot"], back["amount"], back["state"], back["hit_amount"]) == ("BACK", 1_000_105, "NORMAL", None)
    with Display(live, last) as late:
        again = [f.data for f in late.wait_for_position(done["position"]) if f.event == "reset"]
    assert [(one["position"], one["amount"]) for one in again] == [(done["position"], 1_000_105)]
    (rejected,) = read(live, "/v1/jackpots/BACK/hits", state="rejected")["hits"]
    assert (rejected["rejected"], rejected["rejected_actor"]) == (WHY, "t.supervisor")
    level = explained(live, "BACK")["levels"][0]
    assert (level["shown"], level["hits"], level["wins"]) == (1_000_105, 1, 200), "three of a kind remains"


def test_a_gaming_day_is_explained_to_the_millionth(live: Live) -> None:
    live.open_progressive("SUM")
    live.open_progressive("REST", seed=0)
    live.open_table("G3", progressive="SUM")
    for _ in range(20):
        play(live, PLAIN, "G3")
    play(live, ROYAL, "G3")
    up = {"level": 1, "balance": "display", "amount_u": "1234567", "cause": "house_gift"}
    change(live, "SUM", "adjustments", up)
    found = explained(live, "SUM")
    level = found["levels"][0]
    assert (level["stakes"], level["stakes_taken"]) == (22, 22)
    assert int(level["in_u"]) == 22 * 50 * MICRO
    assert int(level["increments_u"]) == 22 * 35 * MICRO
    assert level["adjusted_u"] == "1234567", "a change by hand stands on the house's running gaming day"
    assert (level["awards_u"], level["difference_u"]) == (str((1_000_000 + 22 * 35) * MICRO), "0")
    assert [one["event"] for one in found["decreases"]] == ["jackpot_hit"]
    assert found["decreases"][0]["said"]["hand"] == "royal flush"
    assert found["last_hits"][0]["hand"] == "three of a kind"
    whole = explained(live, "SUM")["levels"][0]
    now = read(live, "/v1/jackpots/SUM")["jackpots"][0]["levels"][0]
    assert (whole["meter_end_u"], whole["base_end_u"]) == (now["display_u"], now["base_u"])
    held = sum(int(now[name]) for name in ("display_u", "reserve_u", "overflow_u", "residue_u"))
    assert int(whole["liability_end_u"]) == held - int(now["base_u"])
    live.done("/v1/progressives/SUM/stop", {"reason": WHY}, "supervisor")
    live.done(f"/v1/jackpots/SUM/hits/{found['decreases'][0]['said']['round']}.1.1/pay", {}, "cashier")
    change(live, "SUM", "transfers", {"level": 1, "to": "REST"})
    empty = explained(live, "SUM")["levels"][0]
    assert (empty["meter_end_u"], empty["reserve_end_u"], empty["liability_end_u"]) == ("0", "0", "0")
    assert explained(live, "REST")["levels"][0]["meter_end_u"] == now["display_u"]
    assert live.get("/v1/jackpots/x/reconciliation", gaming_day=DAY).json()["code"] == "unknown_jackpot"
    assert live.get("/v1/jackpots/SUM/reconciliation").json()["code"] == "bad_parameter"


def test_the_hours_of_a_meter_can_be_asked_for(live: Live) -> None:
    rows = read(live, "/v1/jackpots/GRAND/history")["rows"]
    assert rows
    assert rows[-1]["display"] == read(live, "/v1/jackpots/GRAND")["jackpots"][0]["levels"][0]["display"]
    assert read(live, "/v1/jackpots/GRAND/history", to="2000-01-01")["rows"] == []


def test_the_register_of_orphans_says_what_is_left_and_where_it_went(live: Live) -> None:
    proposal = _proposal("ENDS") | {"account": "EE38 2200 2210 2014 5685"}
    asked = live.done("/v1/progressives", proposal, "admin")
    live.done(f"/v1/approvals/{asked['approval']}", {"decision": "approve"}, "finance")
    live.open_progressive("HEIR", seed=0)
    live.done("/v1/progressives/ENDS/announcements", {"stops_on": DAY, "reason": WHY}, "admin")
    live.done("/v1/progressives/ENDS/stop", {"reason": WHY}, "supervisor")
    change(live, "ENDS", "orphans", {})
    (entry,) = read(live, "/v1/orphans", "finance")["entries"]
    assert (entry["progressive"], entry["state"], entry["recoverable_until"]) == ("ENDS", "open", "2026-10-31")
    assert entry["levels"] == [{"level": 1, "increment_u": "0", "base_u": str(1_000_000 * MICRO)}]
    change(live, "ENDS", "transfers", {"level": 1, "to": "HEIR"})
    (entry,) = read(live, "/v1/orphans", "finance")["entries"]
    assert entry["state"] == "recovered"
    (red,) = entry["recovered"]
    assert (red["to"], red["amount_u"], red["approver"]) == ("HEIR", str(1_000_000 * MICRO), "t.finance")
    life = read(live, "/v1/progressives/ENDS")
    assert life["account"] == "EE38 2200 2210 2014 5685"
    assert [one["event"] for one in life["changes"]][2:] == [
        "stop_announced", "stopped", "change_proposed", "orphaned", "change_proposed", "funds_sent",
    ]  # fmt: skip


def test_a_plain_fold_of_its_own_finds_the_days_and_lives_as_they_are_shown(live: Live) -> None:
    """After everything above: hits paid and rejected, changes by hand, transfers; and it sees what is altered."""
    tables = {"days": "taken_u = taken_u + 1", "records": "actor = 'nobody'"}
    live.settle_down()
    assert [one for one in check(live.database.url)["identities"] if not one["ok"]] == []
    assert _plain(live) == {"projection_jackpot_days": True, "projection_jackpot_meters": True}
    for table, change in tables.items():
        with psycopg.connect(live.database.superuser_url, autocommit=True) as conn:
            conn.execute(f"UPDATE views.jackpot_{table} SET {change}")
        assert not _plain(live)["projection_jackpot_days"], table
    rebuild(live.database.url, "jackpot_days")
    assert _plain(live)["projection_jackpot_days"]


def _plain(live: Live) -> dict[str, bool]:
    found = check(live.database.url)["identities"]
    return {one["name"]: one["ok"] for one in found if one["name"].startswith("projection_jackpot")}
