"""Log lines: one a request, with who and what and how long, and never a token or a card."""

from __future__ import annotations

import io
import json
import logging
import time
from collections.abc import Iterator
from typing import Any, Literal

import httpx
import pytest

from api import logs
from tests.api.live import RECORD, Live


class Written:
    """What is logged at level info while it is open."""

    def __init__(self) -> None:
        self._stream = io.StringIO()

    def begin(self, style: Literal["json", "console"] = "json") -> None:
        logs.configure(style, level=logging.INFO)
        (handler,) = logging.getLogger().handlers
        assert isinstance(handler, logging.StreamHandler)
        handler.setStream(self._stream)

    @property
    def text(self) -> str:
        return self._stream.getvalue()

    def line_of(self, answer: httpx.Response) -> dict[str, Any]:
        """The line of an answered request; it is written just after the answer has gone out."""
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            for line in self.text.splitlines():
                entry = json.loads(line)
                if entry["event"] == "request" and entry["request"] == answer.headers["x-request-id"]:
                    return dict(entry)
            time.sleep(0.005)  # bounded by the deadline above
        raise AssertionError("the request has no line")


@pytest.fixture
def written(live: Live) -> Iterator[Written]:
    log = Written()
    log.begin()
    yield log
    logs.configure("json", level=logging.WARNING)


def test_one_line_a_request(live: Live, written: Written) -> None:
    live.open_table("LOG1")
    with live.client("terminal") as client:
        headers = {"idempotency-key": live.key(), "x-request-id": "till-7.42"}
        answer = client.post("/v1/tables/LOG1/rounds", json=RECORD, headers=headers)
    assert answer.headers["x-request-id"] == "till-7.42"
    line = written.line_of(answer)
    assert (line["request"], line["actor"], line["role"]) == ("till-7.42", "t.terminal", "terminal")
    assert (line["status"], line["position"]) == (201, answer.json()["position"])
    assert line["door"] == "POST /v1/tables/{table}/rounds"
    assert line["ms"] > 0


def test_a_refusal_names_its_code(live: Live, written: Written) -> None:
    answer = live.post("/v1/tables/NEVER/rounds", RECORD)
    line = written.line_of(answer)
    assert (line["status"], line["code"]) == (409, "table_closed")
    assert line["request"] == answer.headers["x-request-id"]


def test_an_unsafe_request_id_is_replaced(live: Live) -> None:
    with live.client(None) as client:
        answer = client.get("/healthz", headers={"x-request-id": "a b<script>"})
    assert answer.headers["x-request-id"] not in ("", "a b<script>")


def test_neither_tokens_nor_cards_are_logged(live: Live, written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> object:
        raise ZeroDivisionError("a fault of ours")

    live.open_table("LOG2")
    live.done("/v1/tables/LOG2/rounds", {"boxes": [{"box": 1, "ante": 1000}], "shoe": "external"})
    for style in ("json", "console"):
        written.begin(style)  # type: ignore[arg-type]
        live.post("/v1/tables/LOG2/rounds/current/cards", {"box": 1, "cards": "As Kd Qh 7c 2d"})
        with monkeypatch.context() as patched:
            patched.setattr("domain.application.Application.handle", fail)
            broken = live.post("/v1/tables/LOG2/rounds/current/cards", {"box": 1, "cards": "As Kd Qh 7c 2d"})
        assert (broken.status_code, broken.json()["code"]) == (500, "internal_error")
        assert "ZeroDivision" not in broken.text
        assert "ZeroDivisionError" in written.text, "the trace is in the log"
        assert broken.headers["x-request-id"] in written.text
        assert "As Kd" not in written.text
        assert not any(token in written.text for token in live.tokens.values())
