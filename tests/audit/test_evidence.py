"""A round's evidence: whole, self-contained, true to its leaf bytes, and worth nothing once a byte is changed."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest

from api.evidence import bundle, document_of, page_of
from api.seals import keys
from api.seals.keys import SigningKey, check
from domain.acts import corrections
from domain.application import Application
from domain.commands import DecideApproval, MakeRuling, OrderedPayment, ProposeCorrection, ReannounceHand
from projections.catch_up import run_until
from projections.connect import connector
from projections.evidence import EvidenceError, read, verify
from tests.api.live import RECORD, serving
from tests.application.scenes import ROYAL, THREE, begin, do, play
from tests.cli.conftest import Played
from tests.cli.program import pitclerk
from tests.databases import Database, Databases

Change = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return keys.obtain(tmp_path_factory.mktemp("key") / "checkpoint.key", "pitclerk/test")


@pytest.fixture(scope="module")
def made(databases: Databases, key: SigningKey) -> dict[str, Any]:
    """The evidence of a round with a jackpot hit that was corrected, announced again and ruled upon."""
    with databases.fresh() as database, Application(database.url, site="test") as app:
        begin(app)
        play(app, "C1", THREE)
        round_id = play(app, "C1", ROYAL)["round"]
        _afterwards(app, round_id)
        play(app, "C1", THREE)
        return _bundle(database, round_id, key)


def _afterwards(app: Application, round_id: str) -> None:
    payment = {"box": 1, "kind": "ante", "paid": 150}
    wanted = msgspec.convert({"round": round_id, "payments": [payment], "reason": "paid short"}, ProposeCorrection)
    asked = do(app, partial(corrections.propose, table="C1", command=wanted), "sue")
    yes = DecideApproval(decision="approve")
    do(app, partial(corrections.decide, approval=asked["approval"], command=yes), "sam")
    again = ReannounceHand(round=round_id, box=1, was="straight flush", now="royal flush", reason="misheard")
    do(app, partial(corrections.reannounce, table="C1", command=again), "sue")
    ruling = MakeRuling(round=round_id, ruling="goodwill", reason="long wait", payments=(OrderedPayment(1, 50),))
    asked = do(app, partial(corrections.propose_ruling, table="C1", command=ruling), "max")
    do(app, partial(corrections.decide, approval=asked["approval"], command=yes), "sue")


def _bundle(database: Database, round_id: str, key: SigningKey) -> dict[str, Any]:
    run_until(database.url)
    with connector(database.url)() as conn:
        document = bundle(conn, round_id, key, "test")
    assert document is not None
    assert read(json.dumps(document).encode()) == document, "made as it will be read"
    return document


def test_it_holds_everything_and_is_proved(made: dict[str, Any], key: SigningKey) -> None:
    told = made["told"]
    assert told["record"]["boxes"][0]["cards"] == ROYAL
    assert told["settlement"]["boxes"][0]["hand"] == "royal flush"
    assert {line["what"] for line in told["money"]} >= {"taken", "returned", "paid", "won"}
    assert all(line["clause"] for line in told["money"] if line["kind"] != "jackpot")
    assert told["meter"][0]["award"] * 1_000_000 <= int(told["meter"][0]["meter_before_u"])
    assert {one["who"] for one in told["people"]} >= {"term", "sue", "sam", "max"}
    after = [event["type"] for event in told["afterwards"]]
    for name in ("correction_proposed", "round_corrected", "amount_corrected", "hand_reannounced", "ruling_made"):
        assert f"table.{name}" in after
    assert told["judged"] == {"differences": [], "shadow": [], "shadow_unsure": None}
    holds = verify(made, [key.verifier], check)
    assert holds.events == len(made["proofs"]) > len(told["events"])
    assert holds.signed_by == [str(key.verifier)]


class _Fetches(HTMLParser):
    """Whatever a page would fetch or run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in ("link", "img", "iframe", "object", "embed") or {"src", "href"} & given.keys():
            self.found.append(tag)
        if tag == "script" and given.get("type") != "application/json":
            self.found.append(tag)
        self.found += [name for name in given if name.startswith("on")]


def test_the_page_needs_nothing_beside_it_and_holds_the_json(made: dict[str, Any]) -> None:
    page = page_of(made)
    parser = _Fetches()
    parser.feed(page)
    assert parser.found == []
    assert "url(" not in page
    assert "@import" not in page
    assert document_of(page.encode()) == made
    assert page_of(made) == page
    for said in ("A♠", "royal flush", "paid short", "goodwill", made["told"]["money"][0]["clause"], made["root"]):
        assert said in page


def _tell_other(document: dict[str, Any]) -> None:
    document["told"]["money"][0]["amount"] += 1


def _leave_out(document: dict[str, Any]) -> None:
    gone = document["told"]["events"][3]["position"]
    document["proofs"] = [one for one in document["proofs"] if one["position"] != gone]


def _leave_out_sheet(document: dict[str, Any]) -> None:
    document["proofs"] = [one for one in document["proofs"] if b"ruleset_published" not in _bytes(one)]


def _change_bytes(document: dict[str, Any]) -> None:
    one = document["proofs"][-1]
    one["leaf_bytes"] = base64.b64encode(_bytes(one).replace(b'"round"', b'"rounD"', 1)).decode()


def _other_path(document: dict[str, Any]) -> None:
    document["proofs"][0]["path"], document["proofs"][1]["path"] = (
        document["proofs"][1]["path"],
        document["proofs"][0]["path"],
    )


def _other_size(document: dict[str, Any]) -> None:
    document["size"] -= 1


def _other_root(document: dict[str, Any]) -> None:
    lines = document["checkpoint"].split("\n")
    lines[2] = base64.b64encode(bytes(32)).decode()
    document["checkpoint"] = "\n".join(lines)


def _other_round(document: dict[str, Any]) -> None:
    document["round"] = document["round"][:-1] + "9"


def _nothing(document: dict[str, Any]) -> None:
    document["proofs"] = []


def _bytes(proof: dict[str, Any]) -> bytes:
    return base64.b64decode(proof["leaf_bytes"])


@pytest.mark.parametrize(
    "change",
    [
        _tell_other,
        _leave_out,
        _leave_out_sheet,
        _change_bytes,
        _other_path,
        _other_size,
        _other_root,
        _other_round,
        _nothing,
    ],
)
def test_whatever_is_changed_is_found(made: dict[str, Any], key: SigningKey, change: Change) -> None:
    document = json.loads(json.dumps(made))
    change(document)
    with pytest.raises(EvidenceError):
        verify(document, [key.verifier], check)


def test_another_house_did_not_sign_it(made: dict[str, Any], tmp_path: Path) -> None:
    other = keys.obtain(tmp_path / "other.key", "pitclerk/test")
    with pytest.raises(EvidenceError, match="not signed by any of the keys"):
        verify(made, [other.verifier], check)


def test_a_page_that_shows_something_else_is_found(made: dict[str, Any]) -> None:
    page = page_of(made)
    assert re.search(r"<td>royal flush", page)
    with pytest.raises(EvidenceError, match="shows something else"):
        document_of(re.sub(r"<td>royal flush", "<td>pair", page, count=1).encode())
    with pytest.raises(EvidenceError, match="holds 0 bundles"):
        document_of(b"<html></html>")
    for rubbish in (b"", b"[]", b"{", b'{"format": "other"}', b"\xff"):
        with pytest.raises(EvidenceError):
            document_of(rubbish)


def test_a_round_of_every_game_has_evidence(played: Played, tmp_path: Path) -> None:
    """Through the program, as an auditor does: made, then checked with the key alone and no database."""
    vkey = pitclerk("seal", "--vkey", home=played.home).out.strip()
    document = pitclerk("search", "--type", "table.round_closed", "--limit", "40", "--json", home=played.home).json()
    rounds = {row["table"].split("-")[0]: row["round"] for row in document["rows"]}
    for number, round_id in enumerate(sorted(rounds.values())[:3]):
        page = tmp_path / f"{number}.html"
        told = pitclerk("evidence", round_id, "--out", str(page), "--json", home=played.home).json()
        assert told["round"] == round_id
        for file in (page, page.with_suffix(".json")):
            done = pitclerk("verify", "--evidence", str(file), "--key", vkey, "--json", home=tmp_path / "nowhere")
            assert done.status == 0, done.out + done.err
            assert done.json()["events"] == told["events"]
    data = page.read_bytes()
    page.write_bytes(data.replace(b"Who did what", b"Who did that"))
    bad = pitclerk("verify", "--evidence", str(page), "--key", vkey, "--json", home=tmp_path / "nowhere")
    assert (bad.status, bad.json()["ok"]) == (1, False)
    assert pitclerk("evidence", "no-such", "--out", str(page), home=played.home).status == 2
    assert pitclerk("verify", "--evidence", str(page), home=tmp_path / "nowhere").status == 2, "no key at all"


def test_the_door_gives_both_forms_and_notes_who_looked(pg: Database, lines: list[Any]) -> None:
    with serving(pg) as live:
        live.open_table("E1")
        round_id = live.done("/v1/tables/E1/rounds", RECORD)["round"]
        path = f"/v1/rounds/{round_id}/evidence"
        answer = live.get(path, wait_ms=20000)
        page = live.get(path, format="html", wait_ms=20000)
        assert answer.status_code == 200, answer.text
        assert page.headers["content-type"].startswith("text/html")
        trusted = [keys.read(live.house.settings.signing_key_file).verifier]
        for data in (answer.content, page.content):
            assert verify(document_of(data), trusted, check).round == round_id
        views = [line for line in lines if line["event"] == "report_viewed"]
        report = "GET /v1/rounds/{round}/evidence"
        assert [(line["report"], line["actor"], line["asked"]["round"]) for line in views] == [
            (report, "t.auditor", round_id)
        ] * 2
        assert live.get("/v1/rounds/nowhere-1/evidence").json()["code"] == "unknown_round"
        assert live.get(path, "terminal").status_code == 403


def test_a_row_changed_behind_the_programs_back_gives_no_evidence(pg: Database, key: SigningKey) -> None:
    from projections.reads.tree import LogDiffersError

    with Application(pg.url, site="test") as app:
        begin(app)
        round_id = play(app, "C1", THREE)["round"]
    _bundle(pg, round_id, key)
    with psycopg.connect(pg.superuser_url, autocommit=True) as conn:
        conn.execute("ALTER TABLE pitclerk_events DISABLE TRIGGER ALL")
        conn.execute(
            "UPDATE pitclerk_events SET state = convert_to(replace(convert_from(state, 'UTF8'), 'Kc', 'Kd'), 'UTF8')"
            " WHERE topic = 'table.dealer_revealed'"
        )
    with connector(pg.url)() as reader, pytest.raises(LogDiffersError):
        bundle(reader, round_id, key, "test")
