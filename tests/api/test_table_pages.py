"""The pages of a table without a browser: who may do what there, what each form records, what is said if it cannot."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import msgspec
import pytest

from projections.reads.felt import felt
from tests.api.live import PASSWORD, RECORD, Live, serving
from tests.api.sse import Display
from tests.databases import Databases

DENOMINATION = "chips.10000"


@pytest.fixture(scope="module")
def live(databases: Databases) -> Iterator[Live]:
    with databases.fresh() as database, serving(database, pages_open=True) as service:
        service.open_progressive("TP")
        service.enter("pit2")
        yield service


def fields_of(text: str) -> dict[str, str]:
    """What the last form of a page carries without anybody typing."""
    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', text)
    return {name: value for name, value in hidden if name in ("proof", "key")}


def post(client: httpx.Client, path: str, **fields: str) -> httpx.Response:
    """Fill a page's form in and send it."""
    page = client.get(path)
    assert page.status_code == 200, page.text
    given = {name.replace("__", "."): value for name, value in fields.items()}
    return client.post(path.partition("?")[0], data={**fields_of(page.text), **given})


def said(client: httpx.Client, answer: httpx.Response) -> str:
    """What the page that follows says was done."""
    assert answer.status_code == 303, re.findall(r"data-problem.*", answer.text)
    client.cookies.update(answer.cookies)
    page = client.get(answer.headers["location"])
    assert page.status_code == 200
    found = re.search(r"data-said>([^<]*)<", page.text)
    assert found, page.text
    return found[1]


def test_a_table_opens_and_closes_by_its_forms(live: Live) -> None:
    with live.signed_in("pit1") as pit:
        assert 'data-offer="open"' in pit.get("/tables/F1").text
        answer = post(
            pit, "/tables/F1/open", ruleset="caribbean-ee", currency="EUR", chip="0.50", min="5", max="200",
            cap="10 000.00", progressive="TP", opener__10000="50", opener_free_0="12.50", opener_free_0_count="8",
        )  # fmt: skip
        assert "F1" in said(pit, answer)
        row = live.get("/v1/tables/F1").json()["rows"][0]
        assert (row["opener"], row["max_payout_per_box"], row["progressive"]) == (510000, 1000000, "TP")
        assert "good from the next round" in said(pit, post(pit, "/tables/F1/limits", min="10", max="300", cap=""))
        row = live.get("/v1/tables/F1").json()["rows"][0]
        assert (row["min"], row["max"], row["max_payout_per_box"]) == (1000, 30000, None)
        assert "+100.00" in said(pit, post(pit, "/tables/F1/count", chips__10000="52"))
        closed = said(pit, post(pit, "/tables/F1/close", closer__10000="50"))
        assert "5\u202f000.00" in closed
        assert "−100.00" in closed
        assert pit.get("/tables/F1/close").status_code == 409, "it is closed"


@pytest.mark.parametrize(
    ("person", "path", "status"),
    [
        ("pit1", "/tables/N0/open", 200),
        ("dealer", "/tables/N0/open", 403),
        ("cage1", "/tables/N0/fill", 403),
        ("pit1", "/tables/N0/fill", 409),
        ("pit1", "/tables/N0/buy-in", 403),
        ("dealer", "/tables/N0", 404),
        ("pit1", "/tables/N0", 200),
        (None, "/tables/N0/close", 303),
    ],
)
def test_who_may_not_is_told_so(live: Live, person: str | None, path: str, status: int) -> None:
    with live.client(None) if person is None else live.signed_in(person) as client:
        assert client.get(path).status_code == status


def test_a_table_offers_to_each_what_the_role_may_do_now(live: Live) -> None:
    live.open_table("F2")
    live.settle_down()
    offered = {}
    for person in ("pit1", "dealer", "manager", "cage1"):
        with live.signed_in(person) as client:
            offered[person] = re.findall(r'data-offer="([a-z-]+)"', client.get("/tables/F2").text)
    assert offered == {
        "pit1": ["fill", "credit", "limits", "count", "correct", "rule", "close"],
        "dealer": ["deal", "buy-in", "tip"],
        "manager": ["rule"],
        "cage1": [],
    }


def test_what_a_role_may_not_read_is_not_on_its_page(live: Live) -> None:
    live.open_table("F3")
    live.done("/v1/tables/F3/rounds", RECORD)
    live.settle_down()
    with live.signed_in("cage1") as cage, live.signed_in("finance1") as finance:
        told, whole = cage.get("/tables/F3").text, finance.get("/tables/F3").text
        floor = cage.get("/").text
    assert "data-hour" in whole
    assert 'href="/audit/rounds/F3-2026-03-14-1-1"' in whole
    assert "data-hour" not in told
    assert "/audit/rounds/" not in told
    assert 'data-cell="tray"' in floor
    assert 'data-cell="win"' not in floor


def test_chips_cross_the_table_s_edge(live: Live) -> None:
    live.open_table("W1", "roulette-ua", min=100, max_payout_per_box=None)
    live.settle_down()
    with live.signed_in("dealer") as dealer, live.signed_in("pit1") as pit:
        assert "250.00 EUR" in said(dealer, post(dealer, "/tables/W1/buy-in", amount="250", player="P7"))
        assert "5.00 EUR" in said(dealer, post(dealer, "/tables/W1/tip", amount="5"))
        issued = post(
            dealer, "/tables/W1/colour", form="issue", colour="blue", player="P7", count="40", value="1", tender="cash"
        )
        assert "40.00 EUR" in said(dealer, issued)
        assert 'data-colour="blue"' in dealer.get("/tables/W1").text
        back = post(dealer, "/tables/W1/colour", form="cash-in", held="blue", back="12")
        assert "12.00 EUR" in said(dealer, back)
        assert 'data-colour="blue"' not in dealer.get("/tables/W1").text
        asked = said(pit, post(pit, "/tables/W1/fill", chips__10000="20"))
        assert "fill-2026-03-14-" in asked
        assert 'data-slip="fill-2026-03-14-' in pit.get("/tables/W1").text
        refused = post(pit, "/tables/W1/credit", chips__10000="9000")
        assert 'data-problem="tray_short"' in refused.text
        assert 'value="9000"' in refused.text, "what was typed is kept"


def test_a_payment_is_put_right_by_two_supervisors(live: Live) -> None:
    live.open_table("F4")
    round_id = live.done("/v1/tables/F4/rounds", RECORD)["round"]
    live.settle_down()
    path = f"/tables/F4/correct?round={round_id}"
    second = {"second_person": "pit2", "second_password": PASSWORD}
    with live.signed_in("pit1") as pit:
        page = pit.get(path)
        assert 'name="paid.1.bet"' in page.text
        fields = {"round": round_id, "reason": "paid as a pair", "paid__1__bet": "40"}
        refused = post(pit, path, **fields, second_person="pit1", second_password=PASSWORD)
        assert 'data-problem="same_person"' in refused.text
        live.enter("cage1")
        refused = post(pit, path, **fields, second_person="cage1", second_password=PASSWORD)
        assert 'data-problem="role_required"' in refused.text
        assert round_id in said(pit, post(pit, path, **fields, **second))
        row = next(row for row in live.get(f"/v1/rounds/{round_id}").json()["events"] if "corrected" in row["type"])
        assert row["actor"] == "pit2"
        ruled = post(pit, "/tables/F4/rule", ruling="goodwill", reason="a long wait", box_0="1", amount_0="7", **second)
        assert "7.00 EUR" in said(pit, ruled)


@pytest.mark.parametrize(
    ("ruleset", "more", "steps"),
    [
        ("russian-ua", {}, [("cards", {}), ("actions", {"do": "bet", "box": 1}), ("dealer", {})]),
        ("texas-ua", {}, [("cards", {}), ("actions", {"do": "bet", "box": 1}), ("cards", {})]),
        (
            "roulette-ua",
            {"min": 100, "max_payout_per_box": None},
            [("actions", {"do": "wager", "on": "straight 7", "amount": 500})],
        ),
    ],
)
def test_what_the_page_offers_next_is_what_the_door_answers(
    live: Live, ruleset: str, more: dict[str, object], steps: list[tuple[str, dict[str, object]]]
) -> None:
    table = f"N-{ruleset}"
    live.open_table(table, ruleset, **more)
    boxes = [] if ruleset == "roulette-ua" else [{"box": 1, "ante": 1000, "player": "P1"}]
    answer = live.done(f"/v1/tables/{table}/rounds", {"boxes": boxes, "shoe": "house"})
    for step, body in [("", {}), *steps]:
        if step:
            answer = live.done(f"/v1/tables/{table}/rounds/current/{step}", body)
        live.settle_down()
        on_felt = live.house.read(lambda conn: felt(conn, table))
        told = [] if on_felt is None else on_felt.next
        assert msgspec.to_builtins(told) == answer["next"]
        if on_felt is not None and boxes:
            staked = {row["box"]: row["staked"] for row in live.get("/v1/limits", table=table).json()["rows"]}
            assert {box.box: sum(box.stakes.values()) for box in on_felt.boxes} == staked


def test_no_hand_is_told_before_it_is_turned_over(live: Live) -> None:
    live.open_table("H1")
    live.done("/v1/tables/H1/rounds", {"boxes": [{"box": 1, "ante": 1000}, {"box": 2, "ante": 1000}], "shoe": "house"})
    live.done("/v1/tables/H1/rounds/current/cards", {})
    live.settle_down()
    with live.client(None) as guest, live.signed_in("dealer") as dealer:
        seen = guest.get("/tables/H1").text
        assert seen.count('class="card back"') == 10
        assert len(re.findall(r'class="card(?: red)?"', seen)) == 1, "the dealer's open card and no other"
        assert 'class="card back"' not in dealer.get("/tables/H1/deal").text
        with Display(live, path="/live/tables/H1") as display:
            frames = display.wait(lambda frames: any(frame.event == "table" for frame in frames), 12)
    told = next(frame for frame in frames if frame.event == "table").data
    assert told["state"] == "in_play"
    assert told["parts"]["felt"].count('class="card back"') == 10


def test_a_round_dealt_by_hand_is_written_down_card_by_card(live: Live) -> None:
    live.open_table("X1", "oasis-ua")
    live.settle_down()
    path = "/tables/X1/deal"
    with live.signed_in("dealer") as dealer:
        opened = post(dealer, path, do="open", ante__1="10", player__1="P1", shoe="external")
        assert opened.status_code == 303
        wrong = post(dealer, path, do="cards", box="1", cards="As Ad Qh 7c")
        assert 'data-problem="wrong_card_count"' in wrong.text
        assert 'value="As Ad Qh 7c"' in wrong.text, "what was typed is kept"
        unmarked = {"do": "swap", "box": "1", "in": "Ks"}
        for fields in (
            {"do": "cards", "box": "1", "cards": "As Ad Qh 7c 2d"},
            {"do": "cards", "upcard": "3h"},
            {"do": "swap", "box": "1", "out__2d": "1", "in": "Ac"},
            {"do": "bet", "box": "1"},
            {"do": "dealer", "cards": "Ah Kc 8c 7s 3h"},
        ):
            if fields["do"] == "swap":
                assert 'data-problem="bad_body"' in post(dealer, path, **unmarked).text, "no card is marked"
            answer = post(dealer, path, **fields)
            assert answer.status_code == 303, re.findall(r'data-problem="\w+".*', answer.text)
        settled = dealer.get(answer.headers["location"]).text
    assert 'data-settled="X1-2026-03-14-1-1"' in settled
    assert "three of a kind" in settled


def test_a_side_stake_without_an_ante_is_asked_about(live: Live) -> None:
    live.open_table("X2", progressive="TP")
    live.settle_down()
    with live.signed_in("dealer") as dealer:
        refused = post(dealer, "/tables/X2/deal", do="open", ante__1="10", jackpot__2="1")
        assert 'data-problem="bad_body"' in refused.text
        assert 'name="ante.2" type="text" value=""' in refused.text
    assert live.get("/v1/tables/X2").json()["rows"][0]["live_round"] is None
