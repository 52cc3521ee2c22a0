"""The pages of audit and settling, where no browser is needed: who may see what, what is noted, what is refused."""

from __future__ import annotations

import base64
import zlib

import msgspec
import pytest
import structlog

from api.pages.settle import link
from api.problems import ProblemError
from tests.api.live import RECORD, Live

AUDIT = (
    "/audit?player=A",
    "/audit/rounds/{round}",
    "/audit/rounds/{round}/evidence",
    "/audit/rounds/{round}/evidence?format=json",
    "/audit/tables/{table}",
    "/audit/tables/{table}?at=3",
    "/audit/compare?first=1",
    "/audit/events?table={table}",
    "/audit/events/3",
    "/audit/events/3/proof",
    "/audit/verify",
    "/audit/checkpoints",
    "/audit/sample?seed=1",
    "/audit/people",
)


@pytest.fixture(scope="module")
def played(live: Live) -> str:
    live.open_table("AP1")
    name = str(live.done("/v1/tables/AP1/rounds", RECORD)["round"])
    live.settle_down()
    return name


@pytest.mark.parametrize("path", AUDIT)
def test_every_reading_is_noted_with_who_and_what(live: Live, played: str, path: str) -> None:
    with structlog.testing.capture_logs() as logs, live.signed_in("auditor") as client:
        answer = client.get(path.format(round=played, table="AP1"))
    assert answer.status_code == 200, answer.text
    (noted,) = [entry for entry in logs if entry["event"] == "report_viewed"]
    assert (noted["actor"], noted["role"]) == ("auditor", "auditor")
    for name in ("player", "at", "seed", "first"):
        if f"?{name}=" in path:
            assert name in noted["asked"]
    assert noted["position"] >= 0


@pytest.mark.parametrize("path", AUDIT)
def test_dealers_and_cashiers_see_none_of_it(live: Live, played: str, path: str) -> None:
    with structlog.testing.capture_logs() as logs, live.signed_in("dealer") as client:
        answer = client.get(path.format(round=played, table="AP1"))
    assert answer.status_code == 403
    assert not [entry for entry in logs if entry["event"] == "report_viewed"]


@pytest.mark.parametrize(
    "path",
    [
        "/audit?amount=ten",
        "/audit?box=x",
        "/audit?from=yesterday",
        "/audit?player=%27%3B",
        "/audit/compare?first=90&second=1",
        "/audit/compare?first=noon",
        "/audit/events?from=x",
        "/audit/sample?seed=x",
        "/audit/sample?seed=1&first=2026-13-01",
        "/audit/tables/AP1?at=noon",
        "/audit/tables/AP1?at=0",
    ],
)
def test_what_cannot_be_read_is_said_on_the_page_with_the_fields_kept(live: Live, played: str, path: str) -> None:
    assert played
    with live.signed_in("auditor") as client:
        answer = client.get(path)
    assert answer.status_code == 200
    assert 'data-problem="bad_parameter"' in answer.text


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/audit/rounds/none", "unknown_round"),
        ("/audit/rounds/none/evidence", "unknown_round"),
        ("/audit/tables/none", "unknown_table"),
        ("/audit/events/99999999", "unknown_position"),
        ("/audit/events/99999999/proof", "unknown_position"),
        ("/audit/events/-1", "bad_parameter"),
        ("/audit/checkpoints/123456", "unknown_checkpoint"),
    ],
)
def test_what_is_not_there_is_refused(live: Live, path: str, code: str) -> None:
    with live.signed_in("auditor") as client:
        answer = client.get(path)
    assert answer.status_code in (400, 404)
    assert code in answer.text


def test_evidence_is_the_same_in_every_language(live: Live, played: str) -> None:
    path = f"/audit/rounds/{played}/evidence"
    with live.signed_in("auditor") as client:
        texts = {client.get(path, headers={"accept-language": language}).text for language in ("en", "el", "uk")}
    assert len(texts) == 1


def test_only_staff_load_a_recorded_round_and_it_is_noted(live: Live, played: str) -> None:
    with structlog.testing.capture_logs() as logs, live.signed_in("pit1") as client:
        text = client.get(f"/settle?round={played}").text
    assert 'data-same="true"' in text
    assert [entry["asked"] for entry in logs if entry["event"] == "report_viewed"] == [{"round": played}]
    with live.signed_in("kiosk") as client:
        refused = client.get(f"/settle?round={played}")
    assert refused.status_code == 403
    assert "data-same" not in refused.text


def test_a_link_holds_its_record_exactly_and_unfolds_into_no_more_than_a_record() -> None:
    packed = link.packed(RECORD)
    assert packed is not None
    assert link.unpacked(packed) == msgspec.json.encode(RECORD)
    assert link.packed({"ruleset": "".join(map(str, range(10_000)))}) is None
    bomb = zlib.compressobj(9, wbits=-15)
    data = bomb.compress(b" " * 50_000_000) + bomb.flush()
    for text in (base64.urlsafe_b64encode(data[:4000]).decode(), packed[:-5], "%%%", "é", "A" * 7000):
        with pytest.raises(ProblemError):
            link.unpacked(text)
