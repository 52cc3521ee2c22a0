"""A hit's paper at the doors: displays that showed it, flags with their threshold, prints, and a proof that travels."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import zxingcpp
from typer.testing import CliRunner

from api.cli.app import app as program
from api.seals import keys
from domain.proof import prove, read
from tests.api.live import Live
from tests.api.test_feed import ROYAL
from tests.api.test_progressives import play
from tests.api.test_progressives import read as read_view

DAY = "2026-03-14"
DISPLAYS = 60


@pytest.fixture(scope="module", autouse=True)
def _floor(live: Live) -> None:
    live.done("/v1/gaming-days", {"day": DAY}, "supervisor")
    live.open_progressive("PAPER")
    live.open_table("H1", progressive="PAPER")


def door(live: Live, record: dict[str, Any] = ROYAL) -> str:
    return f"/v1/jackpots/PAPER/hits/{play(live, record, 'H1')['round']}.1.1"


def after(live: Live, hit: str) -> dict[str, Any]:
    return dict(read_view(live, hit)["after"])


def slip(live: Live, hit: str) -> str:
    live.settle_down()
    answer = live.get(f"{hit}/slip", "cashier")
    assert answer.status_code == 200, answer.text
    return answer.text


def modules(page: str) -> list[list[int]]:
    """The matrix that the page's SVG draws, by its own path: 1 is black."""
    drawn = re.search(r'<svg[^>]*viewBox="0 0 (\d+) \d+".*?<path[^>]* d="([^"]+)"', page, re.DOTALL)
    assert drawn is not None
    size = int(drawn[1])
    matrix = [[0] * size for _ in range(size)]
    x = y = 0.0
    for letter, numbers in re.findall(r"([Mmh])([-\d. ]+)", drawn[2]):
        given = [float(n) for n in numbers.split()]
        if letter == "h":
            for column in range(int(x), int(x + given[0])):
                matrix[int(y)][column] = 1
            x += given[0]
        else:
            x, y = (given[0], given[1]) if letter == "M" else (x + given[0], y + given[1])
    return matrix


def scanned(page: str, scale: int = 4) -> str:
    """What another library reads from the code as printed."""
    matrix = modules(page)
    rows = [bytes(0 if module else 255 for module in row for _ in range(scale)) for row in matrix]
    image = memoryview(b"".join(row * scale for row in rows)).cast("B", (len(matrix) * scale, len(matrix) * scale))
    (found,) = zxingcpp.read_barcodes(image)
    return str(found.text)


def test_displays_that_speak_at_once_share_their_saves(live: Live) -> None:
    hit = door(live)
    before = live.events()

    def say(number: int) -> Any:
        return live.post(f"{hit}/displays", {"display": f"led-{number}"}, "display").json()

    with ThreadPoolExecutor(20) as threads:
        said = list(threads.map(say, range(DISPLAYS)))
    assert all(one["position"] for one in said)
    assert live.events() - before < DISPLAYS, "many displays in one event"
    again = live.post(f"{hit}/displays", {"display": "led-3"}, "display")
    assert (again.status_code, again.json()["shown_at"]) == (200, said[3]["shown_at"])
    shown = after(live, hit)["shown"]
    assert sorted(one["display"] for one in shown) == sorted(f"led-{n}" for n in range(DISPLAYS))
    assert {one["display"]: one["shown_at"] for one in shown}["led-3"] == said[3]["shown_at"]


def test_only_a_display_says_so_and_only_of_a_hit(live: Live) -> None:
    hit = door(live)
    assert live.post(f"{hit}/displays", {"display": "x"}, "cashier").json()["code"] == "role_required"
    unknown = "/v1/jackpots/PAPER/hits/H1-2026-03-14-1-999.1.1/displays"
    assert live.post(unknown, {"display": "x"}, "display").json()["code"] == "unknown_hit"
    assert (
        live.post("/v1/jackpots/none/hits/x.1.1/displays", {"display": "x"}, "display").json()["code"] == "unknown_hit"
    )
    late = {"display": "x", "at": "2999-01-01T00:00:00Z"}
    assert live.post(f"{hit}/displays", late, "display").json()["code"] == "bad_time"


def test_flags_are_decided_by_the_rules_of_the_hit_s_day_and_name_their_threshold(live: Live) -> None:
    first = door(live)
    tax = {"code": "jackpot_tax_form", "operator": ">=", "amount": 60_000, "rule": "W-2G", "times_stake": 300}
    rules = {"valid_from": DAY, "thresholds": [tax], "reason": "the country asks for a form"}
    asked = live.done("/v1/money-rules", rules, "finance")
    live.done(f"/v1/approvals/{asked['approval']}", {"decision": "approve"}, "finance.2")
    second = door(live)
    third = first.replace(".1.1", ".2.1")  # three of a kind: 4 times the stake

    def flags(hit: str) -> list[Any]:
        return [(f["code"], f["raised"], (f["threshold"] or {}).get("rule")) for f in after(live, hit)["flags"]]

    mlr = "MLR 2017 reg. 27(5)"
    assert flags(first) == [("jackpot_tax_form", False, None), ("jackpot_aml", True, mlr)], "later rules change no past"
    assert flags(second) == [("jackpot_tax_form", True, "W-2G"), ("jackpot_aml", False, None)]
    assert flags(third)[1] == ("jackpot_aml", False, mlr)
    assert "REQUIRED: &gt;= 600.00 and 300 times the stake W-2G" in slip(live, second)


def test_supervisor_dealer_and_payer_are_three_people(live: Live) -> None:
    hit = door(live)
    live.done(f"{hit}/steps", {"step": "hand_verified"}, "supervisor.2")
    live.done(f"{hit}/steps", {"step": "deck_checked", "note": "52 cards"}, "security")
    paid = live.done(f"{hit}/pay", {"paid_by": "cage", "instrument": "cheque"}, "cashier")
    record = read_view(live, hit)
    people = record["after"]
    assert (record["dealer"], people["supervisor"], people["payer"], people["table_supervisor"]) == (
        "t.terminal",
        "t.supervisor.2",
        "t.cashier",
        "t.supervisor",
    )
    assert (people["deck_check"], people["dispute"]) == ("passed", "none")
    assert (people["payment"]["slip"], people["payment"]["instrument"]) == (paid["slip"], "cheque")


def test_a_slip_says_which_print_it_is(live: Live) -> None:
    hit = door(live)
    assert "NOT PRINTED YET" in slip(live, hit)
    assert live.done(f"{hit}/prints", {}, "cashier")["label"] == "ORIGINAL"
    first = slip(live, hit)
    assert 'class="print" data-print="1">ORIGINAL' in first
    assert live.done(f"{hit}/prints", {}, "supervisor")["label"] == "REPRINT 1"
    again = slip(live, hit)
    assert 'class="print again" data-print="2">REPRINT 1 <span>printed by t.supervisor' in again
    assert [one["label"] for one in after(live, hit)["prints"]] == ["ORIGINAL", "REPRINT 1"]
    paid = live.done(f"{hit}/pay", {}, "cashier")["slip"]
    live.done(f"/v1/slips/{paid}/prints", {}, "cashier")
    found = read_view(live, f"/v1/slips/{paid}/prints")
    assert (found["kind"], [(one["label"], one["actor"]) for one in found["prints"]]) == (
        "hand_pay",
        [("ORIGINAL", "t.cashier")],
    )
    assert live.post("/v1/slips/fill-2026-03-14-0999/prints", {}, "cashier").json()["code"] == "unknown_slip"


def test_the_code_on_a_slip_proves_the_hit_to_whoever_has_the_public_key(live: Live, tmp_path: Path) -> None:
    hit = door(live)
    before = slip(live, hit)
    assert 'data-proof="none"' in before
    assert "the proof follows with the next checkpoint" in before
    live.get("/v1/audit/checkpoint", "display")
    page = slip(live, hit)
    text = scanned(page)
    assert text == read_view(live, hit)["proof"]
    house = keys.read(live.house.settings.signing_key_file).verifier
    proven = prove(read(text.encode()), [house], keys.check)
    assert (proven.topic, proven.position) == ("table.jackpot_hit", read_view(live, hit)["hit"]["position"])
    assert b'"hand":"royal flush"' in proven.state
    saved = tmp_path / "scanned.txt"
    saved.write_text(text)
    checked = CliRunner().invoke(program, ["verify", "--proof", str(saved), "--key", str(house)])
    assert (checked.exit_code, "table.jackpot_hit" in checked.output) == (0, True), checked.output
    saved.write_text(text.replace(text[200:203], "ABC", 1))
    assert CliRunner().invoke(program, ["verify", "--proof", str(saved), "--key", str(house)]).exit_code == 1
    live.done(f"{hit}/prints", {}, "cashier")
    live.get("/v1/audit/checkpoint", "display")
    assert scanned(slip(live, hit)) == text, "a reprint carries the same proof"


def test_the_code_obeys_the_page_s_security_policy(live: Live) -> None:
    hit = door(live)
    live.get("/v1/audit/checkpoint", "display")
    page = slip(live, hit)
    drawn = page[page.index("<svg") : page.index("</svg>")]
    assert not re.search(r"style|<script|\son\w+=|href", drawn)
