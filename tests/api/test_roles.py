"""Every door, every role: who may, who may not, and that a refusal records nothing."""

from __future__ import annotations

import re

import httpx
import pytest

from api.auth.roles import ANY, DOORS, ROLES, STAFF
from tests.api.live import Live

EXAMPLES = {
    "table": "T1",
    "jackpot": "J1",
    "progressive": "J1",
    "slip": "fill-2026-03-14-0001",
    "approval": "progressive.J1.1",
    "hit": "T1-2026-03-14-1-1.1.1",
    "round": "T1-2026-03-14-1-1",
    "day": "2026-03-14",
    "exception": "over_short.17",
    "window": "W1",
    "transfer": "W1-2026-03-14-1-t1",
    "drop": "drop-2026-03-14-0001",
}
CLOSED = [(door, role) for door, allowed in DOORS.items() for role in ROLES if role not in allowed]
OPEN = [(door, role) for door, allowed in DOORS.items() for role in allowed if "stream" not in door]


def ask(live: Live, door: str, role: str | None) -> httpx.Response:
    """Knock at a door with neither key nor body: past its gate something else is wrong, or it is a read."""
    method, path = door.split(" ")
    path = re.sub(r"\{(\w+)\}", lambda name: EXAMPLES[name[1]], path)
    with live.client(role) as client:
        return client.request(method, path)


@pytest.mark.parametrize(("door", "role"), CLOSED)
def test_a_role_that_may_not_is_refused(live: Live, door: str, role: str) -> None:
    answer = ask(live, door, role)
    assert answer.status_code == 403
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "role_required"
    assert role in answer.json()["detail"]


@pytest.mark.parametrize(("door", "role"), OPEN)
def test_a_role_that_may_comes_past_the_gate(live: Live, door: str, role: str) -> None:
    answer = ask(live, door, role)
    assert answer.status_code not in (401, 403, 500), answer.text
    if door.startswith("POST") and door != "POST /v1/settlements":
        assert answer.json()["code"] == "idempotency_key_required"


@pytest.mark.parametrize("door", DOORS)
def test_without_a_token_nothing_opens(live: Live, door: str) -> None:
    answer = ask(live, door, None)
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
    assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Basic abc", "Bearer nonsense", "Bearer " + "x" * 5000, "pck_x", "Bearer é"]
)
def test_what_is_no_token_is_refused(live: Live, header: str) -> None:
    with live.client(None) as client:
        answer = client.get("/v1/jackpots", headers=[(b"authorization", header.encode())])
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


def test_refusals_at_the_gate_record_nothing(live: Live) -> None:
    before = live.events()
    for door, role in CLOSED[::7]:
        ask(live, door, role)
    assert live.events() == before


def test_the_table_is_what_the_doors_promise() -> None:
    assert ANY - {"display"} == STAFF
    assert DOORS["GET /v1/hold"] == {"supervisor", "finance", "auditor"}
    assert DOORS["GET /v1/events"] == {"auditor"}
    steps = {"prepare": "cashier", "carry": "security", "count": "terminal", "receive": "supervisor", "void": "cashier"}
    for step, role in steps.items():
        assert DOORS[f"POST /v1/slips/{{slip}}/{step}"] == {role}
