"""The seals over HTTP, from the outside: what a stranger with the public key can prove, and what is refused."""

from __future__ import annotations

import base64
from hashlib import sha256
from typing import Any

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from api.seals import keys
from api.seals.sealer import Sealer
from domain.merkle import verify_consistency, verify_inclusion
from domain.note import COSIGNATURE, Checkpoint, VerifierKey, checkpoint, cosign, note, signers
from projections.catch_up import run_until
from tests.api.live import RECORD, Live, serving
from tests.databases import Databases

SIGNATURES = "/v1/audit/checkpoint/signatures"


@pytest.fixture
def played(live: Live) -> int:
    """A table with some rounds; the position of the last event."""
    table = f"A{live.events()}"
    live.open_table(table)
    for _ in range(3):
        last = live.done(f"/v1/tables/{table}/rounds", RECORD)
    return int(last["position"])


def taken(live: Live, **params: Any) -> Checkpoint:
    answer = live.get("/v1/audit/checkpoint", role="display", **params)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain")
    signed = note(answer.text)
    house = keys.read(live.house.settings.signing_key_file).verifier
    assert signers(signed, [house], keys.check) == [house]
    return checkpoint(signed.text)


def test_an_event_is_proved_with_what_the_doors_give(live: Live, played: int) -> None:
    """Every event of the log, as a stranger would do it."""
    sealed = taken(live)
    assert (sealed.origin, sealed.size) == ("pitclerk/test", live.events())
    events: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        page = live.get("/v1/events", raw=1, after=after, limit=1000).json()
        events += page["events"]
        after = page["next"]
    assert len(events) == sealed.size
    for index, event in list(enumerate(events))[-40:]:
        proof = live.get("/v1/audit/proof", "terminal", position=event["position"], size=sealed.size).json()
        leaf = sha256(b"\0" + base64.b64decode(event["leaf_bytes"])).digest()
        assert (proof["leaf"], proof["index"], proof["size"]) == (leaf.hex(), index, sealed.size)
        path = [bytes.fromhex(step) for step in proof["path"]]
        verify_inclusion(leaf, index, sealed.size, path, sealed.root)


def test_a_checkpoint_is_of_the_head_and_continues_the_one_before(live: Live, played: int) -> None:
    before = taken(live)
    live.open_table(f"B{live.events()}")
    after = taken(live)
    assert after.size == live.events() > before.size
    answer = live.get("/v1/audit/consistency", **{"from": before.size, "to": after.size}).json()
    path = [bytes.fromhex(step) for step in answer["path"]]
    verify_consistency(before.size, after.size, before.root, after.root, path)
    assert (answer["from_root"], answer["to_root"]) == (before.root.hex(), after.root.hex())
    assert taken(live, size=before.size) == before
    listed = live.get("/v1/audit/checkpoints", after=before.size - 1, limit=1).json()
    assert [one["size"] for one in listed["checkpoints"]] == [before.size]
    assert listed["next"] == before.size
    assert checkpoint(note(listed["checkpoints"][0]["note"]).text) == before


def test_the_newest_event_is_proved_at_once(live: Live, played: int) -> None:
    table = f"C{live.events()}"
    position = live.open_table(table)["position"]
    answer = live.get("/v1/audit/proof", position=position)
    assert answer.status_code == 200, answer.text
    assert answer.json()["index"] == answer.json()["size"] - 1


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/v1/audit/proof", 400, "bad_parameter"),
        ("/v1/audit/proof?position=0", 404, "unknown_position"),
        ("/v1/audit/proof?position=999999", 404, "unknown_position"),
        ("/v1/audit/proof?position=3&size=2", 422, "no_such_tree"),
        ("/v1/audit/proof?position=3&size=999999", 422, "no_such_tree"),
        ("/v1/audit/proof?position=3&sise=9", 400, "unknown_parameter"),
        ("/v1/audit/consistency?from=0&to=2", 422, "no_such_tree"),
        ("/v1/audit/consistency?from=3&to=2", 422, "no_such_tree"),
        ("/v1/audit/consistency?from=3&to=999999", 422, "no_such_tree"),
        ("/v1/audit/consistency?from=3", 400, "bad_parameter"),
        ("/v1/audit/checkpoint?size=1", 404, "unknown_checkpoint"),
        ("/v1/audit/checkpoint?size=-1", 400, "bad_parameter"),
        ("/v1/audit/checkpoint?min_position=999999&wait_ms=50", 504, "not_caught_up"),
        ("/v1/audit/checkpoints?limit=1001", 400, "bad_parameter"),
    ],
)
def test_what_cannot_be_given_is_refused(live: Live, played: int, path: str, status: int, code: str) -> None:
    answer = live.get(path)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text


WITNESS = Ed25519PrivateKey.from_private_bytes(b"w" * 32)


def witnessed(sealed: Checkpoint, name: str = "witness.example/1") -> dict[str, Any]:
    key = VerifierKey(name, COSIGNATURE, WITNESS.public_key().public_bytes_raw())
    signature = cosign(sealed.text, key, 1_800_000_000, WITNESS.sign)
    return {"size": sealed.size, "signature": str(signature), "verifier_key": str(key)}


def test_a_witness_adds_its_signature(live: Live, played: int) -> None:
    sealed = taken(live)
    body, key = witnessed(sealed), live.key()
    first = live.post(SIGNATURES, body, "auditor", key)
    assert first.status_code == 201, first.text
    assert first.json() == {
        "position": live.get("/v1/audit/proof", position=played).json()["position"],
        "size": sealed.size,
        "name": "witness.example/1",
        "key_id": note(f"x\n\n{body['signature']}\n").signatures[0].key_id.hex(),
    }
    again = live.post(SIGNATURES, body, "auditor", key)
    assert (again.status_code, again.content) == (201, first.content)
    assert again.headers["idempotent-replay"] == "true"
    assert body["signature"] in live.get("/v1/audit/checkpoint", size=sealed.size).text
    other = live.post(SIGNATURES, witnessed(sealed, "witness.example/2"), "auditor", key)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")
    twice = live.post(SIGNATURES, body, "auditor")
    assert (twice.status_code, twice.json()["code"]) == (409, "already_exists")


def test_a_signature_of_something_else_is_refused(live: Live, played: int) -> None:
    sealed = taken(live)
    good = witnessed(sealed, "witness.example/3")
    for change, code in (
        ({"signature": witnessed(Checkpoint(sealed.origin, sealed.size, bytes(32)), "witness.example/3")["signature"]},
         "bad_signature"),
        ({"signature": "nothing"}, "bad_signature"),
        ({"verifier_key": "nothing"}, "bad_signature"),
        ({"verifier_key": witnessed(sealed, "witness.example/4")["verifier_key"]}, "bad_signature"),
        ({"size": 1}, "unknown_checkpoint"),
        ({"size": -1}, "bad_body"),
        ({"more": 1}, "bad_body"),
    ):  # fmt: skip
        answer = live.post(SIGNATURES, {**good, **change}, "auditor")
        assert answer.json()["code"] == code, answer.text
    assert good["signature"] not in live.get("/v1/audit/checkpoint", size=sealed.size).text


def test_a_key_used_at_another_door_is_not_taken_here(live: Live, played: int) -> None:
    key = live.key()
    table = f"D{live.events()}"
    live.open_table(table)
    chips = {"player": "P", "amount": 10000}
    with psycopg.connect(live.database.url) as conn:  # one token of two roles does not exist: borrow the answer's row
        live.post(f"/v1/tables/{table}/buy-ins", chips, "terminal", key)
        conn.execute(
            "INSERT INTO pitclerk_answers SELECT (SELECT id FROM staff.access_tokens WHERE name = 't.auditor'),"
            " key, digest, status, answer, position, recorded_at FROM pitclerk_answers WHERE key = %s",
            (key,),
        )
    answer = live.post(SIGNATURES, witnessed(taken(live)), "auditor", key)
    assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_key_reused")


def test_a_close_is_sealed_by_the_service(live: Live, played: int) -> None:
    table = f"E{live.events()}"
    live.open_table(table)
    closer = [{"denomination": 10000, "count": 500}, {"denomination": 50, "count": 2000}]
    closed = live.done(f"/v1/tables/{table}/close", {"closer": closer}, "supervisor")
    run_until(live.database.url, closed["position"])
    live.house.read(Sealer(live.house).seal)
    listed = live.get("/v1/audit/checkpoints", limit=1000).json()["checkpoints"]
    (one,) = [c for c in listed if c["cause"] == f"session {closed['session']} closed"]
    assert one["position"] <= closed["position"]
    before = len(listed)
    live.house.read(Sealer(live.house).seal)
    assert len(live.get("/v1/audit/checkpoints", limit=1000).json()["checkpoints"]) == before


CHANGE = (
    "ALTER TABLE pitclerk_events DISABLE TRIGGER ALL",
    "UPDATE pitclerk_events SET state = state || ' ' WHERE notification_id = 5",
)


def test_a_changed_log_gets_no_proof_and_no_signature(databases: Databases) -> None:
    """One event is changed after it was sealed, another before: by somebody who is master of the database."""
    with databases.fresh() as database, serving(database) as live:
        live.open_table("T1")
        position = live.done("/v1/tables/T1/rounds", RECORD)["position"]
        sealed = taken(live)
        with psycopg.connect(database.superuser_url) as conn:
            for statement in CHANGE:
                conn.execute(statement.encode())
        answer = live.get("/v1/audit/proof", position=5)
        assert (answer.status_code, answer.json()["code"]) == (409, "log_differs"), answer.text
        assert live.get("/v1/audit/proof", position=position).status_code == 200
        with psycopg.connect(database.url) as conn:  # the service's own right: a row without a chain row
            conn.execute(
                "INSERT INTO pitclerk_events (originator_id, originator_version, topic, state, recorded_at)"
                " SELECT originator_id, originator_version + 1000, topic, state, now() FROM pitclerk_events"
                " WHERE notification_id = %s",
                (position,),
            )
        answer = live.get("/v1/audit/checkpoint")
        assert (answer.status_code, answer.json()["code"]) == (409, "log_differs"), answer.text
        assert taken(live, size=sealed.size) == sealed, "what was signed stays signed"


def test_a_tree_that_does_not_continue_the_signed_one_is_not_signed(databases: Databases) -> None:
    """The log, its chain and the stored tree are made anew without the first event; the checkpoint remains."""
    with databases.fresh() as database, serving(database) as live:
        taken(live)
        with psycopg.connect(database.superuser_url) as conn:
            conn.execute("ALTER TABLE pitclerk_events DISABLE TRIGGER ALL")
            conn.execute("ALTER TABLE pitclerk_chain DISABLE TRIGGER ALL")
            conn.execute("DELETE FROM pitclerk_events WHERE notification_id = 1")
            conn.execute("DELETE FROM pitclerk_chain WHERE position = 1")
            conn.execute("TRUNCATE views.seal_tiles, views.seal_closes, views.seal_differences")
            conn.execute("UPDATE views.positions SET at = 0 WHERE name = 'seal'")
        live.open_table("T1")  # wakes the runner, which finds that it must begin anew
        answer = live.get("/v1/audit/checkpoint", wait_ms=10000)
        assert (answer.status_code, answer.json()["code"]) == (409, "log_differs"), answer.text


def test_a_key_that_everybody_can_read_signs_nothing(databases: Databases) -> None:
    with databases.fresh() as database, serving(database) as live:
        taken(live)
        live.house.settings.signing_key_file.chmod(0o644)
        answer = live.get("/v1/audit/checkpoint")
        assert (answer.status_code, answer.json()["code"]) == (503, "no_signing_key")
