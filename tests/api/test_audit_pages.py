"""The pages of audit and settling, where no browser is needed: who may see what, what is noted, what is refused."""

from __future__ import annotations

import base64
import zlib

import msgspec
import psycopg
import pytest
import structlog

from api.pages.audit.felt import felt_after
from api.pages.audit.story import steps_of
from api.pages.audit.verifier import Verifier
from api.pages.settle import link
from api.pages.settle.examples import EXAMPLES
from api.problems import ProblemError
from projections.reads import rounds
from tests.api.live import RECORD, Live, serving
from tests.databases import Databases

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


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_the_felt_after_the_last_step_is_what_the_round_came_to(live: Live, example: tuple[str, str]) -> None:
    record = msgspec.json.decode(example[1])
    sign = record.pop("table")
    table = f"F{record['ruleset'][:8]}"
    progressive = {}
    if any("jackpot" in box for box in record.get("boxes", ())):
        live.open_progressive("FELT")
        progressive = {"progressive": "FELT"}
    live.open_table(table, record["ruleset"], **{**sign, "min": 100}, **progressive)
    name = live.done(f"/v1/tables/{table}/rounds", record)["round"]
    live.settle_down()
    with psycopg.connect(live.database.url, autocommit=True) as conn:
        story = rounds.round_story(conn, name)
    assert story is not None
    felt = felt_after((step.event, step.data) for step in steps_of(story.events))
    row = story.round
    assert (felt.staked, felt.total("taken"), felt.total("returned")) == (row.staked, row.taken, row.returned)
    assert (felt.total("paid"), felt.house_net, felt.stands) == (row.paid, row.house_net, 0)
    with live.signed_in("auditor") as client:
        assert 'data-same="true"' in client.get(f"/settle?round={name}").text


def test_a_changed_row_is_found_by_the_page_s_verification_which_runs_once_at_a_time(databases: Databases) -> None:
    with databases.fresh() as database, serving(database) as live:
        live.open_table("VP1")
        live.settle_down()
        verifier = Verifier(live.house)
        assert verifier.standing is None
        assert verifier.start("ann")
        again = verifier.start("bob")
        assert verifier.wait(30)
        standing = verifier.standing
        assert standing is not None
        assert standing.by == ("bob" if again else "ann"), "a second one begins only when the first is over"
        assert standing.verdict is not None
        assert standing.verdict.ok
        with psycopg.connect(database.superuser_url) as admin:
            admin.execute("ALTER TABLE pitclerk_events DISABLE TRIGGER ALL")
            admin.execute("UPDATE pitclerk_events SET topic = 'table.tip_dropped' WHERE notification_id = 5")
        assert verifier.start("ann")
        assert verifier.wait(30)
        changed = verifier.standing
        assert changed is not None
        assert changed.verdict is not None
        assert (changed.verdict.ok, changed.verdict.first_bad) == (False, 5)
        with live.signed_in("auditor") as client:
            assert 'data-holds="false"' in client.get("/audit/events/5").text
            assert client.get("/audit/events/5/proof").status_code == 409


def test_only_staff_load_a_recorded_round_and_it_is_noted(live: Live, played: str) -> None:
    with structlog.testing.capture_logs() as logs, live.signed_in("pit1") as client:
        text = client.get(f"/settle?round={played}").text
    assert 'data-same="true"' in text
    assert [entry["asked"] for entry in logs if entry["event"] == "report_viewed"] == [{"round": played}]
    with live.signed_in("kiosk") as client:
        refused = client.get(f"/settle?round={played}")
    assert refused.status_code == 403
    assert "data-same" not in refused.text


def test_the_cards_of_a_link_do_not_reach_the_log(live: Live) -> None:
    with structlog.testing.capture_logs() as logs, live.signed_in("pit1") as client:
        assert client.get(f"/settle?r={link.packed(RECORD)}").status_code == 200
    assert link.packed(RECORD) not in repr(logs)


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
