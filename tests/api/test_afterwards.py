"""Afterwards, at the doors: corrections and rulings by two supervisors, a progressive's changes, a rejected hit."""

from __future__ import annotations

from tests.api.live import RECORD, Live

ROUNDS = "/v1/tables/{}/rounds"
ROYAL = {
    "ruleset": "caribbean-ee-ak",
    "boxes": [{"box": 1, "ante": 1000, "jackpot": 50, "cards": "As Ks Qs Js Ts", "play": [{"do": "bet"}]}],
    "dealer": {"cards": "Ah Kc 8c 7s 3h"},
}


def test_a_correction_is_agreed_by_another_supervisor_and_seen_in_the_round(live: Live) -> None:
    live.open_table("AF1")
    played = live.done(ROUNDS.format("AF1"), RECORD)
    right = {**RECORD, "boxes": [{**RECORD["boxes"][0], "play": [{"do": "fold"}]}]}
    ask = {"round": played["round"], "reason": "the player had folded", "record": right}
    asked = live.post("/v1/tables/AF1/corrections", ask, "supervisor")
    assert (asked.status_code, asked.json()["needs"]) == (202, "supervisor")
    path = f"/v1/approvals/{asked.json()['approval']}"
    yes = {"decision": "approve"}
    assert live.post(path, yes, "supervisor").json()["code"] == "same_person"
    assert live.post(path, yes, "finance").json()["code"] == "role_required"
    agreed = live.done(path, yes, "supervisor.2")
    story = live.get(f"/v1/rounds/{played['round']}/story", "supervisor", min_position=agreed["position"]).json()
    types = [event["type"] for event in story["events"]]
    assert "table.payout_made" in types
    assert "table.amount_corrected" in types


def test_a_ruling_is_the_managers_and_a_supervisors(live: Live) -> None:
    live.open_table("AF2")
    ruling = {"ruling": "the guest is paid 10.00", "reason": "goodwill", "payments": [{"box": 1, "amount": 1000}]}
    asked = live.done("/v1/tables/AF2/rulings", ruling, "admin")
    assert live.done(f"/v1/approvals/{asked['approval']}", {"decision": "approve"}, "supervisor")["paid"] == 1000


def test_a_stopped_progressive_takes_no_stakes_until_it_starts(live: Live) -> None:
    live.open_progressive("PS")
    live.open_table("AF3", "caribbean-ee-ak", progressive="PS")
    live.done("/v1/progressives/PS/stop", {"reason": "before a change of rates"}, "supervisor")
    assert live.post(ROUNDS.format("AF3"), ROYAL).json()["code"] == "progressive_stopped"
    change = {"levels": [{"level": 1, "seed": 500000, "increment_ppm": 100000}], "reason": "new season"}
    asked = live.done("/v1/progressives/PS/terms", change, "admin")
    live.done(f"/v1/approvals/{asked['approval']}", {"decision": "approve"}, "finance")
    position = live.done("/v1/progressives/PS/start", {}, "finance")["position"]
    shown = live.get("/v1/jackpots/PS", "display", min_position=position).json()["jackpots"][0]
    assert shown["state"] == "NORMAL"
    assert live.post(ROUNDS.format("AF3"), ROYAL).status_code == 201


def test_a_rejected_hit_puts_the_meter_back_on_the_displays(live: Live) -> None:
    live.open_progressive("PR")
    live.open_table("AF4", "caribbean-ee-ak", progressive="PR")
    hit = f"{live.done(ROUNDS.format('AF4'), ROYAL)['round']}.1.1"
    live.done(f"/v1/jackpots/PR/hits/{hit}/steps", {"step": "hand_verified"}, "security")
    refused = live.post(f"/v1/jackpots/PR/hits/{hit}/reject", {"reason": "no"}, "supervisor")
    assert refused.status_code == 422
    back = live.done(f"/v1/jackpots/PR/hits/{hit}/reject", {"reason": "a marked deck"}, "supervisor")
    shown = live.get("/v1/jackpots/PR", "display", min_position=back["position"]).json()["jackpots"][0]
    assert shown["state"] == "NORMAL"
    assert shown["levels"][0]["display"] == 1000035
    assert live.post(f"/v1/jackpots/PR/hits/{hit}/pay", {"paid_by": "cage"}, "cashier").json()["code"] == "hit_rejected"
