"""What the cage's and the jackpots' pages let whom see and do, without a browser."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from tests.api.live import OPENER, PASSWORD
from tests.api.test_feed import ROYAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from tests.api.live import Live
    from tests.databases import Databases


@pytest.fixture(scope="module")
def live(databases: Databases) -> Iterator[Live]:
    from tests.api.live import serving

    with databases.fresh() as database, serving(database, pages_open=True) as service:
        service.open_progressive("GRAND")
        service.open_table("B1", progressive="GRAND")
        service.settle_down()
        yield service


def form(page: httpx.Response, which: str) -> dict[str, str]:
    """The hidden fields of one form of a page."""
    found = re.search(rf'data-form="{which}".*?</form>', page.text, re.S)
    assert found is not None, f"no form {which}"
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', found[0])
    return {name: unescape(value) for name, value in hidden}


def problem(page: httpx.Response) -> str:
    found = re.search(r'data-problem="([a-z_]+)"', page.text)
    return "" if found is None else found[1]


def send(client: httpx.Client, path: str, which: str, /, **fields: str) -> httpx.Response:
    """Fill a form of a page in and send it."""
    return client.post(path, data={**form(client.get(path), which), **fields}, follow_redirects=True)


def asked(live: Live, kind: str = "fills") -> str:
    answer: dict[str, Any] = live.done(f"/v1/tables/B1/{kind}", {"chips": OPENER[:1]}, "supervisor")
    live.settle_down()
    return str(answer["slip"])


def test_guests_of_a_demonstration_see_jackpots_without_reserve_and_no_cage(live: Live) -> None:
    with live.client(None) as guest:
        page = guest.get("/jackpots/GRAND")
        assert page.status_code == 200
        assert "data-reserve" not in page.text
        assert "data-explained" not in page.text
        assert guest.get("/jackpots/GRAND/life").status_code in (303, 403)
        assert guest.get("/cage").headers["location"].startswith("/sign-in")
    with live.signed_in("finance1") as finance:
        page = finance.get("/jackpots/GRAND")
        assert "data-reserve" in page.text
        assert 'data-explained="yes"' in page.text


def test_a_slip_is_void_before_transport_by_another_than_who_asked_with_a_reason_and_not_after(live: Live) -> None:
    slip = asked(live)
    live.enter("cage2")
    with live.signed_in("cage1") as cage:
        path = f"/cage/slips/{slip}"
        page = send(cage, path, "void", reason=" ")
        assert (page.status_code, problem(page)) == (422, "bad_body")
        page = send(cage, path, "own")
        assert 'data-state="prepared"' in page.text
        page = send(cage, path, "void", reason="asked for twice", second_person="cage2", second_password=PASSWORD)
        assert 'data-state="void"' in page.text
        assert "asked for twice" in page.text
        assert 'data-form="sign"' not in page.text, "nothing comes after void"

        carried = asked(live)
        live.done(f"/v1/slips/{carried}/prepare", {}, "cashier")
        live.done(f"/v1/slips/{carried}/carry", {}, "security")
        live.settle_down()
        assert 'data-form="void"' not in cage.get(f"/cage/slips/{carried}").text


def test_a_step_out_of_turn_and_a_second_signature_are_refused_on_the_page(live: Live) -> None:
    slip = asked(live, "credits")
    live.enter("guard")
    with live.signed_in("cage1") as cage:
        path = f"/cage/slips/{slip}"
        ready = form(cage.get(path), "sign")
        page = cage.post(path, data={**ready, "step": "carry", "second_person": "guard", "second_password": PASSWORD})
        assert problem(page) == "slip_state"
        assert "guard" in page.text, "what was typed is kept"
        send(cage, path, "own")
        page = send(cage, path, "sign", step="carry", second_person="cage1", second_password=PASSWORD)
        assert problem(page) == "role_required"
        page = send(cage, path, "sign", step="carry", second_person="guard", second_password="not the password")
        assert problem(page) == "sign_in_failed"


def test_a_cashier_types_a_fill_and_a_supervisor_signs_it_at_the_same_screen(live: Live) -> None:
    live.enter("pit1")
    with live.signed_in("cage1") as cage:
        page = send(cage, "/cage", "command", line="f b1 100")
        assert page.url.path == "/cage"
        assert "20 × 100.00" in page.text
        path = str(page.url.raw_path.decode())
        page = send(cage, path, "command", line="f b1 100", second_person="pit1", second_password=PASSWORD)
        assert re.search(r"/cage/slips/fill-2026-03-14-\d{4}$", page.url.path)
        assert 'data-signed-by="pit1"' in page.text
        assert problem(send(cage, "/cage", "command", line="f b9 100")) == "bad_body"


def test_numbers_have_no_gap_on_the_board_and_paper_is_numbered(live: Live) -> None:
    slip = asked(live)
    with live.signed_in("cage1") as cage:
        board = cage.get("/cage")
        assert f'data-slip="{slip}"' in board.text
        assert "no gap" in board.text
        for number, label in ((1, "ORIGINAL"), (2, "REPRINT 1"), (3, "REPRINT 2")):
            path = f"/cage/slips/{slip}/paper"
            key = re.search(r'name="key" value="([^"]+)"', cage.get(path).text)
            proof = re.search(r'name="proof" value="([^"]+)"', cage.get(path).text)
            assert key is not None
            assert proof is not None
            page = cage.post(path, data={"key": key[1], "proof": proof[1]}, follow_redirects=True)
            assert f'data-print="{number}"' in page.text
            assert label in page.text
    assert [one["label"] for one in live.get(f"/v1/slips/{slip}/prints", "cashier").json()["prints"]][-1] == "REPRINT 2"


def test_a_hit_is_paid_out_of_the_cashiers_own_window(live: Live) -> None:
    rules = {"valid_from": "2026-01-01", "windows": [{"name": "W1", "currency": "EUR", "imprest": 2_000_000}]}
    proposal = live.done("/v1/money-rules", {**rules, "reason": "a window to pay from"}, "admin")
    live.done(f"/v1/approvals/{proposal['approval']}", {"decision": "approve"}, "finance")
    hit = live.done("/v1/tables/B1/rounds", ROYAL)["round"] + ".1.1"
    live.settle_down()
    with live.signed_in("cage1") as cage:
        send(cage, "/cage/windows/W1", "open", **{"cash.20000": "100"})
        page = cage.get(f"/jackpots/GRAND/hits/{hit}")
        assert form(page, "pay")["window"] == "W1"
        page = send(cage, f"/jackpots/GRAND/hits/{hit}", "pay")
        assert 'data-state="paid"' in page.text
        assert "hand_pay-" in page.text
        window = cage.get("/cage/windows/W1")
        assert hit in window.text
        assert 'data-cash="99' in window.text, "10 000.70 have left the cash of 20 000"
        # Without script a button adds up, and records nothing.
        before = live.events()
        counting = "/cage/windows/W1/count"
        added = send(cage, counting, "count", do="check", **{"cash.20000": "49", "chips.10000": "1"})
        assert 'data-sign="short"' in added.text
        assert "9\u202f900.00" in added.text
        assert live.events() == before
        # From the board a cashier prepares out of the window they work, and is told that it holds no chips.
        slip = asked(live)
        assert form(cage.get("/cage"), f"sign-{slip}")["window"] == "W1"
        fields = form(cage.get("/cage"), f"sign-{slip}")
        refused = cage.post(f"/cage/slips/{slip}", data=fields)
        assert problem(refused) == "window_short"
        page_of_slip = cage.post(
            f"/cage/slips/{slip}", data={**form(refused, "own"), "window": ""}, follow_redirects=True
        )
        assert 'data-state="prepared"' in page_of_slip.text
    number = re.search(r"hand_pay-\d{4}-\d{2}-\d{2}-\d{4}", page.text)
    assert number is not None
    with live.signed_in("auditor") as auditor:
        assert auditor.get(f"/cage/slips/{number[0]}").headers["location"] == f"/jackpots/GRAND/hits/{hit}"
