"""An evening at the doors, by the shapes that outside programs rely on."""

from __future__ import annotations

import base64
import hashlib
import time

import msgspec
import psycopg
import pytest

from tests.api.live import OPENER, RECORD, SIGN, Live

ROULETTE = {"ruleset": "roulette-ua", "bets": [{"player": "A", "on": "split 8-11", "amount": 500}], "result": 8}
BLIND_CHIPS = {"chips": [{"denomination": 10000, "count": 10}]}


def test_a_progressive_is_proposed_by_one_and_approved_by_another(live: Live) -> None:
    levels = [{"level": 1, "seed": 1000000, "increment_ppm": 700000, "reserve_ppm": 50000, "limit": None}]
    proposal = {"id": "PJ", "currency": "EUR", "levels": levels, "fixed_prizes_from": "house"}
    asked = live.post("/v1/progressives", proposal, "admin")
    assert asked.status_code == 202
    body = asked.json()
    assert body["needs"] == "finance"
    refused = live.post(f"/v1/approvals/{body['approval']}", {"decision": "refuse"}, "finance")
    assert (refused.status_code, refused.json()["code"]) == (422, "reason_required")
    answer = live.post(f"/v1/approvals/{body['approval']}", {"decision": "approve", "reason": "funded"}, "finance")
    assert answer.status_code == 201
    position = answer.json()["position"]
    jackpots = live.get("/v1/jackpots", "display", min_position=position).json()
    assert jackpots["position"] >= position
    (found,) = [j for j in jackpots["jackpots"] if j["id"] == "PJ"]
    assert (found["currency"], found["state"]) == ("EUR", "NORMAL")
    level = found["levels"][0]
    assert level["display"] == 1000000
    assert level["display_u"] == "1000000000000"
    assert {"level", "reserve_u", "overflow_u", "residue_u", "in_u", "hits", "wins"} <= level.keys()
    one = live.get("/v1/jackpots/PJ", "display").json()
    assert [j["id"] for j in one["jackpots"]] == ["PJ"]
    assert live.get("/v1/jackpots/XX", "display").json()["code"] == "unknown_jackpot"


def test_opening_says_its_session_and_a_differing_opener(live: Live) -> None:
    opened = live.open_table("OP1")
    assert opened["session"] == "OP1-2026-03-14-1"
    assert opened["exceptions"] == []
    again = live.post("/v1/tables/OP1/open", {"ruleset": "caribbean-ee", **SIGN, "opener": OPENER}, "supervisor")
    assert (again.status_code, again.json()["code"]) == (409, "already_open")
    closed = live.post("/v1/tables/OP1/close", {"closer": OPENER, "roll_to": None}, "supervisor")
    assert closed.status_code == 201
    answer = closed.json()
    assert {"session", "closer", "expected", "over_short", "position"} <= answer.keys()
    assert answer["over_short"] == 0
    reopened = live.open_table("OP1", opener=[{"denomination": 50, "count": 1}])
    assert reopened["exceptions"][0]["code"] == "opener_differs"


def test_rolling_the_day_closes_and_opens_in_one_save(live: Live) -> None:
    live.open_table("OP2")
    answer = live.done("/v1/tables/OP2/close", {"closer": OPENER, "roll_to": "2026-03-15"}, "supervisor")
    assert answer["over_short"] == 0
    row = live.get("/v1/tables/OP2", "terminal", min_position=answer["position"]).json()["rows"][0]
    assert (row["state"], row["gaming_day"]) == ("open", "2026-03-15")


def test_a_finished_round_is_recorded_and_settled(live: Live) -> None:
    live.open_table("FR1")
    answer = live.post("/v1/tables/FR1/rounds", RECORD)
    assert answer.status_code == 201
    body = answer.json()
    settled = live.post("/v1/settlements", {**RECORD, "table": SIGN}).json()
    assert body["settlement"] == settled
    whole = live.get(f"/v1/rounds/{body['round']}", "security", min_position=body["position"]).json()
    assert whole["settlement"] == settled
    assert whole["record"]["boxes"][0]["ante"] == 1000
    again = live.post("/v1/settlements", whole["record"])
    assert again.json() == settled
    story = live.get(f"/v1/rounds/{body['round']}/story", "security").json()
    types = [event["type"] for event in story["events"]]
    assert types[0] == "table.round_opened"
    assert types[-1] == "table.round_closed"
    assert all(e["data"].get("clause") for e in story["events"] if e["type"] == "table.payout_made")


@pytest.mark.parametrize("field", ["table", "progressive"])
def test_what_comes_from_the_log_may_not_be_given(live: Live, field: str) -> None:
    given = {"table": SIGN, "progressive": {"meter": 1, "seed": 0}}[field]
    answer = live.post("/v1/tables/FR1/rounds", {**RECORD, field: given})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_record")


def test_roulette_is_recorded_by_the_same_door(live: Live) -> None:
    live.open_table("RO1", "roulette-ua")
    body = live.done("/v1/tables/RO1/rounds", ROULETTE)
    assert body["settlement"]["bets"][0]["paid"] == 8500


def test_a_live_round_with_an_outside_shoe_step_by_step(live: Live) -> None:
    live.open_table("LV1")
    at = "/v1/tables/LV1/rounds"
    opened = live.post(at, {"boxes": [{"box": 1, "player": "A", "ante": 1000}], "shoe": "external"})
    assert opened.status_code == 201
    assert {"round", "position", "next"} <= opened.json().keys()
    busy = live.post(at, RECORD)
    assert (busy.status_code, busy.json()["code"]) == (409, "round_in_progress")
    live.done(f"{at}/current/cards", {"box": 1, "cards": "As Ad Qh 7c 2d"})
    shown = live.done(f"{at}/current/cards", {"upcard": "3h"})
    assert {"do": "bet", "box": 1}.items() <= next(a for a in shown["next"] if a["do"] == "bet").items()
    limits = live.get("/v1/limits", "supervisor", table="LV1", min_position=shown["position"]).json()
    (row,) = limits["rows"]
    assert row["table"] == "LV1"
    assert {"round", "box", "staked", "cap", "most_payable", "headroom", "insurance_max", "capped_today"} <= row.keys()
    live.done(f"{at}/current/actions", {"box": 1, "do": "bet"})
    done = live.done(f"{at}/current/dealer", {"cards": "Ah Kc 8c 7s 3h"})
    assert done["next"] == []
    assert done["settlement"] == live.post("/v1/settlements", {**RECORD, "table": SIGN}).json()


def test_a_live_round_from_the_house_shoe_is_voided_by_a_supervisor(live: Live) -> None:
    live.open_table("LV2")
    at = "/v1/tables/LV2/rounds"
    live.done(at, {"boxes": [{"box": 1, "ante": 1000}]})
    refused = live.post(f"{at}/current/cards", {"box": 1, "cards": "As Ad Qh 7c 2d"})
    assert refused.json()["code"] == "house_shoe"
    dealt = live.done(f"{at}/current/cards")
    assert dealt["next"]
    voided = live.done(f"{at}/current/void", {"reason": "a glass was spilled"}, "supervisor")
    assert voided["settlement"]["boxes"][0]["void"] is True
    none = live.post(f"{at}/current/void", {"reason": "once more"}, "supervisor")
    assert (none.status_code, none.json()["code"]) == (409, "no_open_round")


def test_the_two_shapes_of_a_round_are_told_apart(live: Live) -> None:
    live.open_table("LV3")
    at = "/v1/tables/LV3/rounds"
    no_cards = live.post(at, {"ruleset": "caribbean-ee", "boxes": [{"box": 1, "ante": 1000}]})
    assert no_cards.json()["code"] in ("bad_record", "wrong_card_count", "missing_decision")
    both = live.post(at, {**RECORD, "shoe": "house"})
    assert both.json()["code"] == "bad_body"
    nothing = live.post(at, {"dealer": {"cards": "Ah Kc 8c 7s 3h"}})
    assert nothing.json()["code"] == "bad_record"
    bare = live.post(at, {"boxes": [{"box": 1, "ante": 1000}]})
    assert "next" in bare.json()


def test_a_fill_needs_five_people(live: Live) -> None:
    live.open_table("FI1")
    asked = live.post("/v1/tables/FI1/fills", BLIND_CHIPS, "supervisor")
    assert asked.status_code == 201
    assert asked.json()["state"] == "requested"
    slip = asked.json()["slip"]
    early = live.post(f"/v1/slips/{slip}/carry", role="security")
    assert (early.status_code, early.json()["code"]) == (409, "slip_state")
    steps = (("prepare", "cashier"), ("carry", "security"), ("count", "terminal"))
    for step, role in steps:
        answer = live.post(f"/v1/slips/{slip}/{step}", role=role)
        assert answer.status_code == 200
        assert answer.json()["slip"] == slip
    same = live.post(f"/v1/slips/{slip}/receive", role="supervisor")
    assert (same.status_code, same.json()["code"]) == (403, "same_person")
    tray = live.get("/v1/tables/FI1", "terminal", min_position=answer.json()["position"]).json()["rows"][0]["tray"]
    received = live.done(f"/v1/slips/{slip}/receive", role="supervisor.2")
    assert received["state"] == "received"
    after = live.get("/v1/tables/FI1", "terminal", min_position=received["position"]).json()["rows"][0]["tray"]
    assert after - tray == 100000


def test_a_credit_is_voided_before_it_is_carried(live: Live) -> None:
    live.open_table("FI2")
    slip = live.done("/v1/tables/FI2/credits", BLIND_CHIPS, "supervisor")["slip"]
    assert live.post(f"/v1/slips/{slip}/void", {"reason": ""}, "cashier").json()["code"] == "bad_body"
    assert live.done(f"/v1/slips/{slip}/void", {"reason": "wrong table"}, "cashier")["state"] == "void"
    gone = live.post("/v1/slips/fill-2026-03-14-0999/prepare", role="cashier")
    assert (gone.status_code, gone.json()["code"]) == (404, "unknown_slip")


def test_chips_cross_the_edge_and_limits_change(live: Live) -> None:
    live.open_table("CH1")
    assert live.post("/v1/tables/CH1/buy-ins", {"player": "A", "amount": 5000, "tender": "cash"}).status_code == 201
    live.done("/v1/tables/CH1/tips", {"amount": 100})
    last = live.done("/v1/tables/CH1/limits", {"min": 1000, "max": 10000}, "supervisor")["position"]
    row = live.get("/v1/tables/CH1", "cashier", min_position=last).json()["rows"][0]
    assert (row["min"], row["max"]) == (1000, 10000)
    hold = live.get("/v1/hold", "finance", table="CH1", min_position=last).json()
    (figures,) = hold["rows"]
    assert figures["drop"] == 5000
    assert figures["win"] is None
    assert "win" in figures["missing"]
    wanted = "site table ruleset gaming_day currency rounds handle taken paid win drop hold win_per_handle"
    assert {*wanted.split(), "theoretical_win", "sd", "z", "grade", "missing"} <= figures.keys()


@pytest.mark.parametrize("by", ["table", "ruleset", "day", "hour", "session"])
def test_hold_by_every_dimension(live: Live, by: str) -> None:
    assert live.get("/v1/hold", "auditor", by=by).status_code == 200
    assert (
        live.get("/v1/hold", "auditor", by=by, **{"from": "2026-03-01", "to": "2027-03-31T00:00:00Z"}).status_code
        == 200
    )


def test_events_by_position_with_the_exact_bytes(live: Live) -> None:
    live.open_table("EV1")
    body = live.done("/v1/tables/EV1/rounds", RECORD)
    page = live.get("/v1/events", after=0, limit=5).json()
    assert len(page["events"]) == 5
    assert page["next"] == page["events"][-1]["position"]
    of_round = live.get("/v1/events", round=body["round"], raw=1, min_position=body["position"]).json()["events"]
    assert of_round[0]["type"] == "table.round_opened"
    wanted = "position event_id stream version type recorded_at happened_at actor data leaf_bytes"
    assert set(wanted.split()) <= of_round[0].keys()
    with psycopg.connect(live.database.url) as conn:
        for event in of_round:
            leaf = conn.execute("SELECT leaf FROM pitclerk_chain WHERE position = %s", (event["position"],)).fetchone()
            assert leaf is not None
            assert hashlib.sha256(b"\0" + base64.b64decode(event["leaf_bytes"])).digest() == bytes(leaf[0])
    stakes = live.get("/v1/events", table="EV1", type="table.ante_placed").json()["events"]
    assert [e["data"]["amount"] for e in stakes] == [1000]


def test_rulesets_are_listed_and_published(live: Live) -> None:
    listed = live.get("/v1/rulesets", "display").json()["rulesets"]
    found = {r["id"]: r for r in listed}
    assert found["roulette-ua"]["engine"] == "roulette"
    text = found["roulette-ua"]["text"]
    assert live.post("/v1/rulesets", {"text": text}, "admin").json()["code"] == "already_published"
    bad = live.post("/v1/rulesets", {"text": "id = 3"}, "admin")
    assert (bad.status_code, bad.json()["code"]) == (422, "bad_ruleset")
    published = live.post("/v1/rulesets", {"text": text + "\n# the house's own copy\n"}, "admin")
    assert (published.status_code, published.json()["version"]) == (201, 2)


def test_a_late_act_is_flagged_and_a_future_one_refused(live: Live) -> None:
    live.open_table("AT1", at="2026-03-14T18:00:00Z")
    live.done("/v1/tables/AT1/tips", {"amount": 100, "at": "2026-03-14T20:00:00+01:00"})
    late = live.done("/v1/tables/AT1/rounds", {**RECORD, "at": "2026-03-14T18:30:00Z"})
    event = live.get("/v1/events", round=late["round"], min_position=late["position"]).json()["events"][0]
    assert event["late"] is True
    assert event["happened_at"] == "2026-03-14T18:30:00Z"
    future = live.post("/v1/tables/AT1/tips", {"amount": 100, "at": "2126-03-14T18:00:00Z"})
    assert (future.status_code, future.json()["code"]) == (422, "bad_time")
    vague = live.post("/v1/tables/AT1/tips", {"amount": 100, "at": "2026-03-14T18:00:00"})
    assert (vague.status_code, vague.json()["code"]) == (422, "bad_body")


def test_settlements_of_one_record_and_of_many(live: Live) -> None:
    before = live.events()
    bad = {**RECORD, "boxes": [{**RECORD["boxes"][0], "cards": "As As Qh 7c 2d"}]}  # type: ignore[index, dict-item]
    refused = live.post("/v1/settlements", bad, "display", key=None)
    assert refused.status_code == 422
    assert refused.headers["content-type"] == "application/problem+json"
    problem = refused.json()
    assert problem["error"]["code"] == problem["code"] == "duplicate_card"
    assert problem["error"]["box"] == 1
    lines = [RECORD, bad, ROULETTE] * 300
    with live.client("terminal") as client:
        answer = client.post(
            "/v1/settlements",
            content=b"\n".join(msgspec.json.encode(line) for line in lines) + b"\n\n",
            headers={"content-type": "application/x-ndjson"},
        )
    assert answer.status_code == 200
    out = [msgspec.json.decode(line) for line in answer.content.splitlines()]
    assert len(out) == len(lines)
    assert out[0]["boxes"][0]["net"] == 3000
    assert out[1] == {"error": problem["error"]}
    assert out[2]["bets"][0]["paid"] == 8500
    assert live.events() == before


def test_it_says_whether_it_lives_and_is_ready(live: Live) -> None:
    assert live.get("/healthz", None).json() == {"status": "ok"}
    ready = live.get("/readyz", None)
    assert ready.status_code == 200
    assert ready.json()["status"] == "ok"
    measured = live.get("/metrics", None)
    assert "pitclerk_http_requests_total" in measured.text
    assert "pitclerk_projection_lag_events" in measured.text


def test_small_answers_are_not_held_back(live: Live) -> None:
    taken = []
    with live.client("display") as client:
        for _ in range(40):
            began = time.perf_counter()
            client.get("/healthz")
            taken.append(time.perf_counter() - began)
    assert sorted(taken)[20] < 0.035, "Nagle's algorithm and a late acknowledgement would make it 40 ms"
