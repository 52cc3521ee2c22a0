"""Whoever reads a report or a round leaves one line: who, as what, which, asked how, at which position."""

from __future__ import annotations

import json
from typing import Any, Final

import typer

from api.auth.roles import ANY, DOORS
from api.cli.app import app
from api.cli.reading import Reading
from tests.api.live import RECORD, serving
from tests.cli.conftest import Played
from tests.cli.program import pitclerk
from tests.databases import Database

SHOWS_NOTHING: Final = {
    *("serve", "migrate", "settings", "simulate", "demo", "import", "seal", "verify", "lag", "rebuild", "sign"),
    *("settle", "payout", "edge"),
}
"""Commands that show nothing of the log but positions and counts."""

ASKED: Final[dict[str, dict[str, Any]]] = {
    "GET /v1/gaming-days/{day}/known": {"at_position": 5},
    "GET /v1/money-rules": {"gaming_day": "2026-03-14"},
    "GET /v1/master-game-report": {"gaming_day": "2026-03-14"},
    "GET /v1/statistics": {"gaming_day": "2026-03-14"},
    "GET /v1/explain": {"figure": "handle"},
    "GET /v1/jackpots/{jackpot}/reconciliation": {"gaming_day": "2026-03-14"},
    "GET /v1/search": {"player": "A"},
    "GET /v1/rounds/{round}/evidence": {"wait_ms": 20000},
}
OF_A_HIT: Final = "hits/{hit}"
"""What belongs to a hit has no example here: nobody has won a jackpot."""


def test_every_report_over_http_is_noted_once_it_was_shown(pg: Database, lines: list[Any]) -> None:
    doors = [door for door, who in DOORS.items() if door.startswith("GET ") and OF_A_HIT not in door and who != ANY]
    shown = set[str]()
    with serving(pg) as live:
        live.open_progressive("P1")
        live.open_table("V1", progressive="P1")
        round_id = live.done("/v1/tables/V1/rounds", RECORD)["round"]
        live.settle_down()
        names = {"table": "V1", "round": round_id, "jackpot": "P1", "progressive": "P1", "day": "2026-03-14"}
        for door in doors:
            role = min(DOORS[door])
            path = door.removeprefix("GET ").format_map(names | {"slip": "fill-2026-03-14-1"})
            answer = live.get(path, role, **ASKED.get(door, {}))
            written = [line for line in lines if line["event"] == "report_viewed"][len(shown) :]
            if answer.status_code == 404:
                assert written == [], "nothing was shown"
                continue
            assert answer.status_code == 200, (path, answer.text)
            shown.add(door)
            (line,) = written
            given = {name: str(of) for name, of in ASKED.get(door, {}).items()}
            in_path = {name: of for name, of in names.items() if f"{{{name}}}" in door}
            assert (line["report"], line["actor"], line["role"]) == (door, f"t.{role}", role)
            assert line["asked"] == {**in_path, **given}
            assert line["position"] > 0
            assert line["request"] == answer.headers["x-request-id"]
        live.get("/v1/jackpots", "display")
        live.get("/v1/journal", "terminal")
    assert len([line for line in lines if line["event"] == "report_viewed"]) == len(shown), "refused, or for everybody"
    assert len(doors) - len(shown) <= 2, set(doors) - shown


def test_every_command_that_shows_the_log_notes_it() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    noting = {name for name, command in commands.items() if isinstance(command, Reading)}
    assert noting | SHOWS_NOTHING | {"token", "rules", "staff"} == set(commands)
    assert not noting & SHOWS_NOTHING


def test_a_command_says_who_looked_at_what(played: Played) -> None:
    given = pitclerk("explain", "handle", "--json", home=played.home)
    (line,) = [json.loads(text) for text in given.err.splitlines() if '"report_viewed"' in text]
    assert (line["report"], line["role"], line["asked"]) == ("explain", "operator", {"what": "handle"})
    assert line["actor"].startswith("cli.")
    assert line["position"] == given.json()["position"]
    assert "report_viewed" not in pitclerk("explain", "nothing-of-this-name", home=played.home).err


def test_a_replay_is_noted_too(played: Played) -> None:
    given = pitclerk("replay", "--from", "2", "--jobs", "2", "--json", home=played.home)
    (line,) = [json.loads(text) for text in given.err.splitlines() if '"report_viewed"' in text]
    assert (line["report"], line["asked"]) == ("replay", {"from": 2, "jobs": 2})
    assert line["position"] == given.json()["position"]
