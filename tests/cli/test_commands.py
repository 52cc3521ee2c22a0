"""The other commands: the shapes that scripts rely on, and exit statuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import psycopg
import pytest

from tests.cli.conftest import ROUNDS, TABLES, Played
from tests.cli.program import pitclerk


def test_settings_have_values_meanings_and_the_owners_addresses(home: Path) -> None:
    document = pitclerk("settings", "--json", home=home, PITCLERK_PORT="8765").json()
    assert (document["PITCLERK_HOME"], document["PITCLERK_PORT"]) == (str(home), "8765")
    assert {"PITCLERK_DATABASE_URL", "PITCLERK_SITE", "PITCLERK_HOST", "PITCLERK_LOG"} <= set(document)
    with psycopg.connect(document["superuser_url"]) as conn:
        row = conn.execute("SELECT current_setting('is_superuser'), current_database()").fetchone()
        assert row is not None
        assert row[0] == "on"
    with psycopg.connect(document["database_url"]) as conn:
        columns = "SELECT count(*) FROM information_schema.columns WHERE column_name = 'notification_id'"
        assert conn.execute(columns).fetchone() == (1,), "the log is found by its column"
    assert "data directory" in pitclerk("settings", home=home).out


def test_settings_of_another_database_have_no_addresses() -> None:
    document = pitclerk("settings", "--json", PITCLERK_DATABASE_URL="postgresql://example.invalid/log").json()
    assert document["PITCLERK_DATABASE_URL"] == "postgresql://example.invalid/log"
    assert not {"database_url", "superuser_url"} & set(document)


def test_simulate_says_what_it_did(played: Played) -> None:
    report = played.report
    assert {"ruleset", "tables", "rounds", "events", "seconds", "position"} <= set(report)
    assert (report["ruleset"], report["tables"], report["rounds"]) == ("all", TABLES, ROUNDS)
    assert report["events"] > 10 * ROUNDS


def test_replay_finds_no_difference(played: Played) -> None:
    done = pitclerk("replay", "--json", home=played.home)
    document = done.json()
    assert (done.status, document["differences"]) == (0, [])
    assert document["rounds"] >= ROUNDS
    assert {"rounds", "events", "differences", "seconds"} <= set(document)


def test_check_finds_every_identity_kept(played: Played) -> None:
    done = pitclerk("check", "--json", home=played.home)
    document = done.json()
    assert (done.status, document["ok"]) == (0, True), document
    assert all({"name", "ok", "detail"} <= set(identity) for identity in document["identities"])
    assert document["position"] >= played.report["position"]


def test_verify_gives_the_head(played: Played) -> None:
    done = pitclerk("verify", "--json", home=played.home)
    document = done.json()
    assert (done.status, document["ok"], document["first_bad"]) == (0, True, None)
    assert re.fullmatch(r"[0-9a-f]{64}", document["head"])


def test_lag_names_every_projection(played: Played) -> None:
    document = pitclerk("lag", "--json", home=played.home).json()
    assert {"jackpot_meters", "table_hold", "box_limits"} <= {one["name"] for one in document["projections"]}
    keys = {"name", "version", "position", "events_behind", "seconds_behind", "state"}
    assert all(keys <= set(one) for one in document["projections"])


def test_export_writes_the_log_in_order(played: Played, tmp_path: Path) -> None:
    out = tmp_path / "log.jsonl"
    document = pitclerk("export", "--format", "jsonl", "--out", str(out), "--json", home=played.home).json()
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert (document["format"], document["file"], document["rows"]) == ("jsonl", str(out), len(rows))
    assert {"position", "head"} <= set(document)
    positions = [row["position"] for row in rows]
    assert positions == sorted(positions)


def test_state_of_a_table_at_a_position(played: Played) -> None:
    document = pitclerk("state", "--table", "texas-ua-11-1", "--json", home=played.home).json()
    assert document["position"] >= played.report["position"]
    assert pitclerk("state", "--table", "no-such-table", "--json", home=played.home).status == 2


def test_a_round_and_a_jackpot_are_explained(played: Played, tmp_path: Path) -> None:
    out = tmp_path / "log.jsonl"
    pitclerk("export", "--out", str(out), home=played.home)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    round_id = next(row["data"]["round"] for row in rows if row["type"] == "table.payout_made")
    document = pitclerk("explain", round_id, "--json", home=played.home).json()
    assert "table.payout_made" in {event["type"] for event in document["events"]}
    assert "payout_made" in pitclerk("explain", round_id, home=played.home).out
    assert pitclerk("explain", "sim-EUR", "--json", home=played.home).json()["jackpots"][0]["id"] == "sim-EUR"
    assert pitclerk("explain", "no-such-thing", home=played.home).status == 2


def test_a_view_is_rebuilt_and_is_the_same(played: Played) -> None:
    pitclerk("check", home=played.home)  # brings the views to the head
    done = pitclerk("rebuild", "table_hold", "--json", home=played.home)
    assert (done.status, done.json()["differences"], done.json()["swapped"]) == (0, [], True)
    assert pitclerk("rebuild", "no-such-view", home=played.home).status == 2


def test_tokens_are_made_listed_and_revoked(home: Path) -> None:
    made = pitclerk("token", "create", "--role", "auditor", "--name", "ann", "--json", home=home).json()
    assert (made["role"], made["name"]) == ("auditor", "ann")
    listed = pitclerk("token", "list", "--json", home=home).json()["tokens"]
    assert made["id"] in {one["id"] for one in listed}
    assert made["token"] not in json.dumps(listed)
    assert pitclerk("token", "revoke", made["id"], "--json", home=home).status == 0
    assert pitclerk("token", "revoke", made["id"], "--json", home=home).status == 1


def test_people_are_let_in_listed_and_ended_and_no_password_is_shown(home: Path) -> None:
    password = "a long and private sentence"
    added = pitclerk("staff", "add", "carmen", "--role", "cashier", "--json", home=home, stdin=f"{password}\n")
    assert added.json() == {"id": "carmen", "role": "cashier", "name": "carmen"}
    again = pitclerk("staff", "add", "carmen", "--role", "cashier", home=home, stdin=f"{password}\n")
    assert (again.status, "has access already" in again.err) == (2, True)
    assert pitclerk("staff", "password", "carmen", home=home, stdin="short\n").status == 2
    assert pitclerk("staff", "password", "carmen", home=home, stdin="another long one\n").status == 0
    listed = pitclerk("staff", "list", "--json", home=home)
    assert [(p["id"], p["ended_at"]) for p in listed.json()["people"] if p["id"] == "carmen"] == [("carmen", None)]
    assert "argon2" not in listed.out
    assert pitclerk("staff", "end", "carmen", "--json", home=home).json() == {"id": "carmen", "done": True}
    assert pitclerk("staff", "end", "carmen", home=home).status == 1


def test_rules_are_listed_shown_and_checked(tmp_path: Path) -> None:
    listed = pitclerk("rules", "list", "--json").json()["rulesets"]
    assert {one["id"] for one in listed} >= {"caribbean-ee-ak", "roulette-ua", "texas-ua", "vesuvius-ro"}
    assert "T.bet" in pitclerk("rules", "show", "texas-ua").out, "read aloud, with its clauses"
    shown = pitclerk("rules", "show", "texas-ua", "--toml").out
    assert 'id = "texas-ua"' in shown
    assert pitclerk("rules", "check", "texas-ua", "--json").json()["ok"] is True
    broken = tmp_path / "texas-ua.toml"
    broken.write_text(shown.replace("[bet]", "[bets]"))
    refused = pitclerk("rules", "check", str(broken))
    assert refused.status == 1
    assert "line" in refused.out


def test_rules_check_says_aloud_that_a_sheet_loses_money() -> None:
    said = pitclerk("rules", "check", "caribbean-ee").out.lower()
    assert "loses" in said
    assert "loses" not in pitclerk("rules", "check", "caribbean-ee-ak").out.lower()


def test_edge_has_each_stake_and_how_it_was_found() -> None:
    document = pitclerk("edge", "roulette-ua", "--json").json()
    assert {"ruleset", "strategy", "house_edge_per_ante", "sd_per_ante", "stakes"} <= set(document)
    assert all({"edge", "method", "standard_error"} <= set(of) for of in document["stakes"].values())


def test_migrate_can_be_repeated(home: Path) -> None:
    assert pitclerk("migrate", home=home).status == 0
    document = pitclerk("migrate", "--json", home=home).json()
    assert document == {"applied": [], "published": []}


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-command"],
        ["replay", "--jobs", "0"],
        ["replay", "--no-such-option"],
        ["export", "--format", "papyrus", "--out", "x"],
        ["rules", "show", "no-such-ruleset"],
        ["rules", "check", "no-such-file.toml"],
        ["edge", "no-such-ruleset"],
        ["token", "create", "--role", "king", "--name", "ann"],
        ["simulate", "--rounds", "0"],
    ],
)
def test_what_cannot_be_done_is_status_2(arguments: list[str]) -> None:
    done = pitclerk(*arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.strip()


def test_an_unknown_ruleset_is_status_2(home: Path) -> None:
    done = pitclerk("simulate", "--ruleset", "no-such-ruleset", "--json", home=home)
    assert (done.status, done.out) == (2, "")
    assert "no-such-ruleset" in done.err


def test_a_database_out_of_reach_is_said_in_one_sentence() -> None:
    done = pitclerk("verify", "--json", PITCLERK_DATABASE_URL="postgresql://nobody@127.0.0.1:1/nothing")
    assert (done.status, done.out) == (2, "")
    assert "Traceback" not in done.err
