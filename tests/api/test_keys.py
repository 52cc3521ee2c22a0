"""Idempotency keys: the same request is recorded once and answered alike, however often and however fast it comes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.api.live import Live

PATH = "/v1/tables/KEY1/buy-ins"
BODY = {"player": "A", "amount": 5000}


@pytest.fixture(scope="module", autouse=True)
def _table(live: Live) -> None:
    live.open_table("KEY1")
    live.open_table("KEY2")


def test_the_same_again_is_answered_alike_and_recorded_once(live: Live) -> None:
    first = live.post(PATH, BODY, key="same")
    recorded = live.events()
    again = live.post(PATH, BODY, key="same")
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers["idempotent-replay"] == "true"
    assert "idempotent-replay" not in first.headers
    assert live.events() == recorded


def test_another_body_or_path_under_the_same_key_is_refused(live: Live) -> None:
    live.post(PATH, BODY, key="other")
    for path, body in ((PATH, {**BODY, "amount": 5050}), ("/v1/tables/KEY2/buy-ins", BODY)):
        before = live.events()
        answer = live.post(path, body, key="other")
        assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_key_reused")
        assert live.events() == before


def test_a_key_belongs_to_its_token(live: Live) -> None:
    first = live.post(PATH, BODY, "terminal", key="mine").json()
    other = live.post(PATH, BODY, "terminal.2", key="mine").json()
    assert other["position"] > first["position"]


def test_a_refused_request_keeps_no_key(live: Live) -> None:
    refused = live.post(PATH, {**BODY, "amount": 10**11}, key="again")
    assert refused.json()["code"] in ("tray_short", "chip_multiple")
    assert live.post(PATH, BODY, key="again").status_code == 201


def test_an_answer_of_202_is_kept_too(live: Live) -> None:
    levels = [{"level": 1, "seed": 100, "increment_ppm": 1, "reserve_ppm": 0, "limit": None}]
    body = {"id": "KP", "currency": "EUR", "levels": levels}
    first = live.post("/v1/progressives", body, "admin", key="propose")
    again = live.post("/v1/progressives", body, "admin", key="propose")
    assert (first.status_code, again.status_code, again.content) == (202, 202, first.content)


def test_two_at_once_are_one(live: Live) -> None:
    for n in range(10):
        before = live.events()
        with ThreadPoolExecutor(4) as threads:
            answers = list(threads.map(lambda _: live.post(PATH, BODY, key=f"race-{n}"), range(4)))  # noqa: B023
        assert {a.status_code for a in answers} == {201}
        assert len({a.content for a in answers}) == 1
        assert sum("idempotent-replay" in a.headers for a in answers) == 3
        assert live.events() == before + 1


def test_a_missing_or_malformed_key_is_said(live: Live) -> None:
    before = live.events()
    assert live.post(PATH, BODY, key=None).json()["code"] == "idempotency_key_required"
    for key in (b"a b", b"x" * 201, "é".encode(), b"tab\there"):
        with live.client("terminal") as client:
            answer = client.post(PATH, json=BODY, headers=[(b"idempotency-key", key)])
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_idempotency_key"), key
    with live.client("terminal") as client:
        twice = client.post(PATH, json=BODY, headers=[("idempotency-key", "a"), ("idempotency-key", "b")])
    assert twice.json()["code"] == "bad_idempotency_key"
    assert live.events() == before
    longest = "~!" * 100
    assert live.post(PATH, BODY, key=longest).status_code == 201


def test_a_replay_is_answered_even_when_the_act_would_now_be_refused(live: Live) -> None:
    live.open_table("KEY3")
    first: httpx.Response = live.post("/v1/tables/KEY3/close", {"closer": []}, "supervisor", key="close")
    again = live.post("/v1/tables/KEY3/close", {"closer": []}, "supervisor", key="close")
    assert (again.status_code, again.content) == (201, first.content)
    assert again.headers["idempotent-replay"] == "true"
