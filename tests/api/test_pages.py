"""Pages without a browser: what they say, what they refuse, and the headers they travel with."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from api.pages import words
from api.pages.settle.examples import EXAMPLES
from tests.api.live import RECORD, Live, serving
from tests.api.sse import Display
from tests.databases import Databases

PAGES = ("/", "/display", "/settle", "/problems")


@pytest.fixture(scope="module")
def shown(databases: Databases) -> Iterator[Live]:
    """A service whose pages are open, with something on the floor."""
    with databases.fresh() as database, serving(database, pages_open=True) as live:
        live.open_progressive("PP")
        live.open_table("PG1", progressive="PP")
        live.done("/v1/tables/PG1/rounds", RECORD)
        live.settle_down()
        yield live


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_whole_strict_and_ours_alone(shown: Live, path: str) -> None:
    answer = shown.get(path, None)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    text = answer.text
    assert 'lang="en"' in text
    assert "<style" not in text
    assert not re.search(r"<script(?![^>]*\ssrc=)", text), "no inline script"
    assert not re.search(r"\sstyle=|\son\w+=", text), "no inline style or handler"
    for address in re.findall(r'(?:src|href|action)="([^"]*)"', text):
        assert address.startswith(("/", "#")), "nothing from elsewhere"
        if address.startswith("/static/"):
            assert shown.get(address, None).status_code == 200


def test_the_floor_shows_its_tables_and_meters(shown: Live) -> None:
    text = shown.get("/", None).text
    assert 'data-table="PG1"' in text
    assert 'data-meter="PP/1"' in text
    assert f"{words.amount(1000000, 'EUR')}" in text
    assert "Caribbean Stud (Estonia)" in text
    assert "−30.00" in text, "the player won 30.00"


def test_the_page_s_feed_brings_floor_and_pulse(shown: Live) -> None:
    with Display(shown, path="/live/floor") as display:
        frames = display.wait(lambda frames: {"floor", "meter", "pulse"} <= {f.event for f in frames}, 12)
        floor = next(f for f in frames if f.event == "floor").data
        assert floor["tables"][0]["table"] == "PG1"
        assert next(f for f in frames if f.event == "pulse").data["stale"] is False


@pytest.mark.parametrize("path", ["/", "/display", "/settle", "/live/jackpots", "/live/floor"])
def test_pages_are_closed_unless_opened_and_only_for_this_machine(live: Live, shown: Live, path: str) -> None:
    closed = live.get(path, None)
    if path.startswith("/live/"):
        assert closed.json()["code"] == "unauthenticated"
    else:
        assert (closed.status_code, closed.headers["location"]) == (303, f"/sign-in?next={path}")
    for header in ({"host": "casino.example"}, {"x-forwarded-for": "10.0.0.1"}, {"sec-fetch-site": "cross-site"}):
        with shown.client(None) as client:
            answer = client.get(path, headers=header)
        assert answer.status_code == 403, header
        assert "loopback_only" in answer.text, header


def test_metrics_are_for_this_machine(live: Live) -> None:
    with live.client(None) as client:
        assert client.get("/metrics", headers={"x-forwarded-for": "10.0.0.1"}).json()["code"] == "loopback_only"


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_an_example_settles_and_says_why(shown: Live, example: tuple[str, str]) -> None:
    before = shown.events()
    with shown.client(None) as client:
        answer = client.post("/settle", data={"record": example[1]})
    assert answer.status_code == 200
    assert 'class="clause"' in answer.text
    assert "House" in answer.text
    assert shown.events() == before


def test_a_round_in_fields_settles_like_its_record(shown: Live) -> None:
    fields = {
        "ruleset": "russian-ua",
        "currency": "EUR",
        "chip": "0.50",
        "ante_1": "10.00",
        "cards_1": "As Kd Qh 7c 2d",
        "out_1": "7c 2d",
        "in_1": "9h 9s",
        "decision_1": "bet",
        "ante_2": "5",
        "cards_2": "5c 5d 5h Jc 4s",
        "insure_2": "20",
        "decision_2": "bet",
        "ante_4": "5,00",
        "cards_4": "Td 8d 6c 3s 2h",
        "decision_4": "fold",
        "dealer_cards": "Ah Kc 8c 7s 3h",
    }
    with shown.client(None) as client:
        text = client.post("/settle", data=fields).text
    assert "+30.00" in text
    assert "−35.00" in text
    assert "&#34;ruleset&#34;: &#34;russian-ua&#34;" in text, "the record is there to be kept"


def test_roulette_in_fields(shown: Live) -> None:
    fields = {"ruleset": "roulette-ua", "on_1": "split 8-11", "stake_1": "5.00", "on_2": "voisins", "stake_2": "1"}
    with shown.client(None) as client:
        text = client.post("/settle", data={**fields, "result": "8"}).text
        assert "+85.00" in text
        assert "not a number from 0 to 36" in client.post("/settle", data={**fields, "result": "x"}).text


@pytest.mark.parametrize(
    "fields",
    [
        {"record": "{"},
        {"record": ""},
        {"record": "[1]"},
        {"ruleset": "none"},
        {"ruleset": "russian-ua", "ante_1": "ten"},
        {"ruleset": "russian-ua", "ante_1": "1.005"},
        {"ruleset": "russian-ua", "ante_1": "1e400"},
        {"ruleset": "russian-ua", "ante_1": "NaN"},
        {"ruleset": "<script>alert(1)</script>", "ante_1": "1"},
        {},
    ],
)
def test_what_cannot_be_settled_is_said_on_the_page(shown: Live, fields: dict[str, str]) -> None:
    with shown.client(None) as client:
        answer = client.post("/settle", data=fields, headers={"content-type": "application/x-www-form-urlencoded"})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert "<script>alert" not in answer.text


def test_figures_as_people_read_them() -> None:
    assert words.amount(-1234567, "EUR") == "−12\u202f345.67"
    assert words.signed(5, "EUR") == "+0.05"
    assert words.percent(-0.1234) == "−12.3 %"
    assert words.amount(None, "EUR") == words.percent(None) == words.number(None) == "–"
    assert [card.name for card in words.cards("Td As")] == ["ten of diamonds", "ace of spades"]
    assert words.cards("Zz") == []
