"""Whatever comes in, what goes out is an answer or a problem document with a code of the list; never a 500."""

from __future__ import annotations

import json
import socket
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.problems import KINDS
from domain.refusals import CODES
from tests.api.live import RECORD, Live

PATH = "/v1/tables/BAD1/buy-ins"


@pytest.fixture(scope="module", autouse=True)
def _table(live: Live) -> None:
    live.open_table("BAD1")


def raw(live: Live, body: bytes, path: str = PATH, **headers: str) -> httpx.Response:
    given = {"content-type": "application/json", "idempotency-key": live.key(), **headers}
    with live.client("terminal") as client:
        return client.post(path, content=body, headers={k.replace("_", "-"): v for k, v in given.items() if v})


def is_problem(answer: httpx.Response) -> bool:
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    body = answer.json()
    assert {"type", "title", "status", "detail", "code"} <= body.keys()
    kind = KINDS[body["code"]]
    assert (body["status"], body["title"]) == (answer.status_code, kind.title) == (kind.status, kind.title)
    return True


BROKEN = {
    "no json": b"{",
    "two values": b'{"player":"A","amount":1}{}',
    "not utf-8": b'{"player":"\xff","amount":50}',
    "utf-16": '{"player":"A","amount":50}'.encode("utf-16"),
    "a mark first": b"\xef\xbb\xbf" + b'{"player":"A","amount":50}',
    "NaN": b'{"player":"A","amount":NaN}',
    "infinity": b'{"player":"A","amount":-Infinity}',
    "deep": b'{"player":"A","amount":' + b"[" * 100_000 + b"}",
    "deep and closed": b"[" * 5000 + b"]" * 5000,
    "twice": b'{"player":"A","amount":50,"amount":5000}',
    "twice inside": b'{"player":{"a":1,"a":2},"amount":50}',
    "twice, escaped": b'{"player":"A","amount":50,"\\u0061mount":5000}',
    "lone surrogate": b'{"player":"\\ud800","amount":50}',
    "control": b'{"player":"a\nb","amount":50}',
    "nul": b"\x00",
    "single quotes": b"{'player':'A','amount':50}",
}
MISSHAPEN = {
    "a list": [],
    "a number": 7,
    "null": None,
    "nothing": {},
    "unknown field": {"player": "A", "amount": 50, "more": 1},
    "a float": {"player": "A", "amount": 50.0},
    "an exponent": {"player": "A", "amount": 1e300},
    "text for a number": {"player": "A", "amount": "50"},
    "a yes for a number": {"player": "A", "amount": True},
    "negative": {"player": "A", "amount": -50},
    "zero": {"player": "A", "amount": 0},
    "too much": {"player": "A", "amount": 10**12 + 1},
    "beyond 64 bits": {"player": "A", "amount": 2**64 + 50},
    "a name": {"player": "Jane Doe <jane@example.org>", "amount": 50},
    "a long name": {"player": "x" * 41, "amount": 50},
    "empty name": {"player": "", "amount": 50},
    "another tender": {"player": "A", "amount": 50, "tender": "cheque"},
    "no time": {"player": "A", "amount": 50, "at": "yesterday"},
    "no calendar": {"player": "A", "amount": 50, "at": "9999-12-31T23:59:59-12:00"},
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN.keys())
def test_what_is_no_json_is_said_to_be_none(live: Live, body: bytes) -> None:
    before = live.events()
    answer = raw(live, body)
    assert is_problem(answer)
    assert answer.json()["code"] == "bad_json"
    assert live.events() == before


@pytest.mark.parametrize("body", MISSHAPEN.values(), ids=MISSHAPEN.keys())
def test_what_has_another_shape_is_refused_whole(live: Live, body: Any) -> None:
    before = live.events()
    answer = raw(live, json.dumps(body).encode())
    assert is_problem(answer)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_body")
    assert live.events() == before


def test_a_number_of_many_digits_costs_nothing(live: Live) -> None:
    answer = raw(live, b'{"player":"A","amount":' + b"9" * 900_000 + b"}")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_body")


def test_the_detail_says_where(live: Live) -> None:
    body = {"chips": [{"denomination": 100, "count": "ten"}]}
    answer = live.post("/v1/tables/BAD1/fills", body, "supervisor")
    assert "chips[0].count" in answer.json()["detail"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
STORMED = [
    ("terminal", "/v1/tables/BAD1/buy-ins"),
    ("terminal", "/v1/tables/BAD1/rounds"),
    ("terminal", "/v1/tables/BAD1/rounds/current/actions"),
    ("supervisor", "/v1/tables/BAD1/open"),
    ("supervisor", "/v1/tables/BAD1/fills"),
    ("admin", "/v1/progressives"),
    ("terminal", "/v1/settlements"),
]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    where=st.sampled_from(STORMED),
    body=st.binary(max_size=200)
    | json_values.map(lambda v: json.dumps(v).encode())
    | st.dictionaries(
        st.sampled_from(["boxes", "shoe", "ruleset", "dealer", "bets", "result", "at", "player", "amount", "id"]),
        json_values,
    ).map(lambda v: json.dumps(v).encode()),
)
def test_a_storm_of_nonsense_is_never_our_fault(live: Live, where: tuple[str, str], body: bytes) -> None:
    role, path = where
    before = live.events()
    with live.client(role) as client:
        headers = {"content-type": "application/json", "idempotency-key": live.key()}
        answer = client.post(path, content=body, headers=headers)
    assert 400 <= answer.status_code < 500, answer.text
    assert is_problem(answer)
    assert live.events() == before


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(["after", "limit", "by", "from", "to", "table", "wait_ms", "gaming_day", "x"]), value=st.text()
)
def test_a_storm_of_parameters_is_never_our_fault(live: Live, name: str, value: str) -> None:
    for path in ("/v1/hold", "/v1/events", "/v1/limits", "/v1/tables"):
        answer = live.get(path, "auditor", **{name: value})
        assert answer.status_code < 500, answer.text
        if answer.status_code != 200:
            assert is_problem(answer)


def test_too_much_is_refused_before_it_is_read(live: Live) -> None:
    big = b'{"player":"' + b"x" * 2_000_000 + b'"}'
    assert raw(live, big).json()["code"] == "body_too_large"

    def pieces() -> Any:
        for _ in range(40):
            yield b" " * 50_000

    with live.client("terminal") as client:
        headers = {"content-type": "application/json", "idempotency-key": live.key()}
        answer = client.post(PATH, content=pieces(), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
    line = json.dumps({**RECORD, "x": "y" * 1_500_000}).encode()
    assert raw(live, line, "/v1/settlements", content_type="application/x-ndjson").json()["code"] == "body_too_large"


def test_a_body_of_another_type_is_refused(live: Live) -> None:
    body = b'{"player":"A","amount":50}'
    for kind in ("text/plain", "application/xml", "application/x-www-form-urlencoded", "application/x-ndjson"):
        answer = raw(live, body, content_type=kind)
        assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
    assert raw(live, body, content_encoding="gzip").json()["code"] == "unsupported_media_type"
    assert raw(live, body, content_type="application/json; charset=utf-8").status_code == 201
    assert raw(live, body, content_type="").status_code == 201


def test_what_is_not_there_is_a_problem_too(live: Live) -> None:
    for path in ("/v2", "/v1/nothing", "/v1/tables/a/b/c", "/static/none.css", "/v1/tables/"):
        answer = live.get(path, "auditor")
        assert is_problem(answer)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    with live.client("terminal") as client:
        wrong = client.put("/v1/tables/BAD1/rounds", json={})
    assert is_problem(wrong)
    assert wrong.json()["code"] == "method_not_allowed"
    assert wrong.headers["allow"] == "POST"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/v1/tables?limit=3", "unknown_parameter"),
        ("/v1/hold?by=moon", "bad_parameter"),
        ("/v1/hold?from=now", "bad_parameter"),
        ("/v1/events?limit=1001", "bad_parameter"),
        ("/v1/events?limit=0", "bad_parameter"),
        ("/v1/events?after=-1", "bad_parameter"),
        ("/v1/events?after=1&after=2", "bad_parameter"),
        ("/v1/events?after=99999999999999999999999", "bad_parameter"),
        ("/v1/tables?wait_ms=600000", "bad_parameter"),
        ("/v1/tables/no%20such%20name", "bad_parameter"),
        ("/v1/tables/" + "x" * 41, "bad_parameter"),
        ("/v1/tables/NONE", "unknown_table"),
        ("/v1/rounds/NONE-2026-03-14-1-1", "unknown_round"),
        ("/v1/rounds/NONE-2026-03-14-1-1/story", "unknown_round"),
    ],
)
def test_a_read_says_what_is_wrong_with_its_question(live: Live, path: str, code: str) -> None:
    answer = live.get(path, "auditor")
    assert is_problem(answer)
    assert answer.json()["code"] == code


def test_a_position_not_reached_in_time_is_said(live: Live) -> None:
    answer = live.get("/v1/tables", "auditor", min_position=10**9, wait_ms=50)
    assert (answer.status_code, answer.json()["code"]) == (504, "not_caught_up")
    assert answer.json()["position"] > 0


@pytest.mark.parametrize(
    ("request_bytes", "status", "code"),
    [
        (b"NONSENSE\r\n\r\n", 400, "bad_http"),
        (b"GET / HTTP/1.1\r\nhost: a\r\nx: " + b"y" * 70_000, 431, "headers_too_large"),
        (b"GET /v1/tables HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n", 400, "bad_http"),
    ],
)
def test_what_is_no_http_is_answered_too(live: Live, request_bytes: bytes, status: int, code: str) -> None:
    where = urlsplit(live.url)
    with socket.create_connection((where.hostname, where.port), timeout=10) as connection:
        connection.sendall(request_bytes)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert int(head.split()[1]) == status
    assert json.loads(body)["code"] == code


@pytest.mark.parametrize("host", ["[", "[::1", "a b", "::1::", "localhost:x", "%00"])
@pytest.mark.parametrize("path", ["/", PATH, "/v1/tables"])
def test_a_strange_host_is_nobody_s_fault_but_its_own(live: Live, path: str, host: str) -> None:
    with live.client("terminal") as client:
        method = "POST" if path == PATH else "GET"
        answer = client.request(method, path, headers={"host": host, "idempotency-key": live.key()})
    assert answer.status_code < 500, answer.text


def test_a_recording_request_takes_no_parameters(live: Live) -> None:
    answer = live.post(f"{PATH}?amount=5", {"player": "A", "amount": 50})
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_parameter")


def test_every_refusal_of_the_domain_has_its_status() -> None:
    assert KINDS.keys() >= CODES
    for code, kind in KINDS.items():
        assert 400 <= kind.status < 600, code
        assert kind.title, code
        assert kind.meaning.endswith("."), code


def test_each_code_has_its_page(live: Live) -> None:
    answer = live.get("/v1/tables/NONE", "auditor").json()
    page = live.get(answer["type"], None)
    assert page.status_code == 200
    assert "unknown_table" in page.text
    assert live.get("/problems", None).text.count("<tr>") > len(KINDS)
