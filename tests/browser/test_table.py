"""A night at a table from the pages: opened, dealt, watched live on the floor, closed with what is over or short."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.api.live import PASSWORD
from tests.browser.cable import Cable
from tests.browser.looks import assert_accessible, assert_fits

if TYPE_CHECKING:
    from tests.api.live import Live
    from tests.browser.conftest import Opened

pytestmark = pytest.mark.browser

SAID = "[data-said]"


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def open_by_keyboard(page: Page, table: str) -> None:
    """From the floor to an open table: its name, its terms, its opener by denomination."""
    page.goto("/")
    page.fill('.open-table [name="table"]', table)
    press(page, "Enter")
    page.click('[data-offer="open"]')
    page.select_option('[name="ruleset"]', "caribbean-ee")
    for name, amount in (("chip", "0.50"), ("min", "5"), ("max", "200"), ("cap", "10000")):
        page.fill(f'[name="{name}"]', amount)
    page.fill('[name="opener.10000"]', "400")
    page.fill('[name="opener.500"]', "600")
    press(page, "ArrowDown")
    expect(page.locator('[name="opener.100"]')).to_be_focused()
    expect(page.locator("[data-total]")).to_contain_text("43\u202f000.00")
    assert_accessible(page)
    assert_fits(page)
    page.click("button:has-text('Open the table')")
    expect(page.locator(SAID)).to_contain_text(table)


def test_a_table_is_opened_dealt_watched_and_closed(opened: Opened, live: Live) -> None:
    pit, dealer, floor = opened("pit1"), opened("dealer"), opened("pit2")
    open_by_keyboard(pit, "T1")
    with Cable(live.url) as cable:
        floor.goto(f"{cable.url}/sign-in")
        floor.fill('[name="person"]', "pit2")
        floor.fill('[name="password"]', PASSWORD)
        press(floor, "Enter")
        floor.wait_for_url(f"{cable.url}/")
        row = floor.locator('[data-table="T1"]')
        state = row.locator('[data-cell="state"] .chip')
        expect(state).to_have_attribute("data-state", "open")

        dealer.goto("/tables/T1")
        dealer.click('[data-offer="buy-in"]')
        expect(dealer.locator('[name="amount"]')).to_be_focused()
        dealer.keyboard.type("500")
        press(dealer, "Tab")
        dealer.keyboard.type("P1")
        press(dealer, "Enter")
        expect(dealer.locator(SAID)).to_contain_text("500.00")

        deal_a_round(dealer, pit, floor)

        # The cable between the floor and the house is cut, and mended.
        fresh = floor.locator("[data-fresh]")
        expect(fresh).to_have_attribute("data-state", "live")
        cable.cut()
        expect(fresh).to_have_attribute("data-state", "stale")
        expect(row.locator('[data-cell="rounds"]')).to_have_text("1")
        deal_again(dealer)
        cable.mend()
        expect(fresh).to_have_attribute("data-state", "live", timeout=15_000)
        expect(row.locator('[data-cell="rounds"]')).to_have_text("2")

        close(pit)
        expect(state).to_have_attribute("data-state", "closed")


def deal_a_round(dealer: Page, pit: Page, floor: Page) -> None:
    """Two boxes by keyboard alone; the supervisor's page and the floor follow."""
    dealer.goto("/tables/T1/deal")
    assert_accessible(dealer)
    assert_fits(dealer)
    expect(dealer.locator('[name="ante.1"]')).to_be_focused()
    dealer.keyboard.type("10")
    dealer.fill('[name="ante.2"]', "20")
    press(dealer, "Enter")
    dealer.wait_for_selector('[data-do="cards"]')
    expect(pit.locator('[data-part="felt"] [data-box="2"] [data-staked]')).to_have_text("20.00")
    expect(floor.locator('[data-table="T1"] [data-cell="state"] .chip')).to_have_attribute("data-state", "in_play")
    press(dealer, "d")
    dealer.wait_for_selector('[data-box="1"].is-next')
    assert_accessible(dealer)
    assert dealer.locator('.box-deal[data-box="1"] .card').count() == 5
    felt = pit.locator('[data-part="felt"]')
    expect(felt.locator('[data-box="1"] .card.back')).to_have_count(5)
    assert felt.locator("[data-box] .card:not(.back)").count() == 0, "no hand is seen before it is turned over"
    expect(felt.locator('[data-box="1"] [data-payable]')).not_to_have_text("–")
    press(dealer, "b")
    dealer.wait_for_selector('[data-box="1"][data-done="bet"]')
    press(dealer, "f")
    dealer.wait_for_selector('[data-do="dealer"]')
    press(dealer, "d")
    dealer.wait_for_selector('[data-settled="T1-2026-11-30-1-1"], [data-settled]')
    assert dealer.locator('[data-box="2"]').get_attribute("data-net") == "-2000", "the folded box lost its ante"
    expect(pit.locator('[data-part="rounds"] [data-round]')).to_have_count(1)
    expect(floor.locator('[data-table="T1"] [data-cell="rounds"]')).to_have_text("1")


def deal_again(dealer: Page) -> None:
    press(dealer, "a")
    dealer.wait_for_url("**/deal?again=*")
    expect(dealer.locator('[name="ante.2"]')).to_have_value("20.00")
    dealer.click('[data-do="open"]')
    for key, wait in (
        ("d", ".is-next [data-do=bet]"),
        ("f", "[data-box='1'][data-done=fold]"),
        ("f", "[data-do=dealer]"),
    ):
        dealer.wait_for_selector("[data-key]")
        press(dealer, key)
        dealer.wait_for_selector(wait)
    press(dealer, "d")
    dealer.wait_for_selector("[data-settled]")


def close(pit: Page) -> None:
    pit.goto("/tables/T1")
    pit.click('[data-offer="close"]')
    expected = int(pit.locator("[data-sheet]").get_attribute("data-expected") or 0)
    pit.fill('[name="closer.10000"]', str(expected // 10000))
    pit.fill('[name="closer.500"]', "1")
    short = str(expected // 10000 * 10000 + 500 - expected)
    expect(pit.locator("[data-difference]")).to_have_attribute("data-difference", short)
    assert_accessible(pit)
    assert_fits(pit)
    pit.click("button:has-text('Close the table')")
    pit.wait_for_selector(SAID)
    expect(pit.locator("[data-over-short]")).to_have_attribute("data-over-short", short)


def test_a_round_is_voided_on_the_dealer_s_screen_by_a_supervisor(opened: Opened, live: Live) -> None:
    """In Romanian: nothing here depends on the words."""
    live.open_table("T2")
    live.settle_down()
    live.enter("pit1")
    dealer = opened("dealer", "ro")
    dealer.goto("/tables/T2/deal")
    expect(dealer.locator('[name="ante.1"]')).to_be_focused()
    dealer.keyboard.type("10,00")
    press(dealer, "Enter")
    dealer.wait_for_selector('[data-do="cards"]')
    dealer.click("details.sheet > summary")
    dealer.fill('[name="reason"]', "o carte a fost arătată")
    dealer.select_option('[name="kind"]', "")
    dealer.fill('[name="second_person"]', "pit1")
    dealer.fill('[name="second_password"]', "not it")
    dealer.click("details.sheet button")
    dealer.wait_for_selector('[data-problem="sign_in_failed"]')
    dealer.fill('[name="second_password"]', PASSWORD)
    dealer.click("details.sheet button")
    dealer.wait_for_selector('[data-settled][data-state="void"]')
    assert live.get("/v1/tables/T2").json()["rows"][0]["live_round"] is None


def test_a_spin_is_dealt_from_the_page(opened: Opened, live: Live) -> None:
    live.open_table("T3", "roulette-ua", min=100, max_payout_per_box=None)
    live.settle_down()
    dealer = opened("dealer")
    dealer.goto("/tables/T3/deal")
    press(dealer, "o")
    for on, field, amount in (("straight 17", "amount", "5"), ("voisins", "unit", "1")):
        dealer.wait_for_selector('[name="on"]')
        dealer.fill('[name="on"]', on)
        dealer.fill(f'[name="{field}"]', amount)
        press(dealer, "Enter")
        dealer.wait_for_selector(f'[data-wager]:has-text("{on}")')
    assert_accessible(dealer)
    dealer.fill('[name="number"]', "17")
    press(dealer, "Enter")
    dealer.wait_for_selector("[data-settled]")
    nets = [row.get_attribute("data-net") for row in dealer.locator("[data-net]").all()]
    assert nets[0] == "17500"


def test_the_floor_is_sorted_and_filtered_by_keyboard(opened: Opened, live: Live) -> None:
    live.open_table("Z1", min=1000, max=50000)
    live.open_table("Z2", "oasis-ua", currency="UAH")
    live.settle_down()
    page = opened("pit1")
    page.goto("/")
    expect(page.locator("[data-fresh]")).to_have_attribute("data-state", "live")
    page.focus('[data-sort="limits"]')
    page.wait_for_selector("[data-columns][data-known]")
    names = "[...document.querySelectorAll('[data-floor] tr:not([hidden])')].map(row => row.dataset.table)"
    press(page, "Enter", "Enter")
    expect(page.locator("th[aria-sort]")).to_have_attribute("aria-sort", "descending")
    assert page.evaluate(names)[0] == "Z1"
    page.select_option('[name="game"]', "oasis-ua")
    assert page.evaluate(names) == ["Z2"]
    page.select_option('[name="game"]', "")
    page.focus("h2")
    press(page, "/")
    page.keyboard.type("z")
    assert sorted(page.evaluate(names)) == ["Z1", "Z2"]
    assert_accessible(page)
    assert_fits(page)
    page.click('[data-table="Z1"] a')
    page.wait_for_url("**/tables/Z1")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_table_s_page_can_be_read_by_all(opened: Opened, live: Live, scheme: str) -> None:
    table = f"R{scheme}"
    live.open_table(table)
    live.done(f"/v1/tables/{table}/rounds", {"boxes": [{"box": 1, "ante": 1000}], "shoe": "house"})
    live.done(f"/v1/tables/{table}/rounds/current/cards", {})
    live.settle_down()
    page = opened("pit1")
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(f"/tables/{table}")
    expect(page.locator("[data-fresh]")).to_have_attribute("data-state", "live")
    assert_accessible(page)
    assert_fits(page)
    cut = "[...document.querySelectorAll('.sheet, .felt-board')].filter(e => e.scrollWidth > e.clientWidth).length"
    assert page.evaluate(cut) == 0, "no figure is cut off at the edge of its sheet"
    live.done(f"/v1/tables/{table}/rounds/current/actions", {"do": "bet", "box": 1})
    live.done(f"/v1/tables/{table}/rounds/current/dealer", {})
    page.wait_for_selector('[data-part="rounds"] [data-state="closed"]')
    expect(page.locator("[data-changed]")).to_be_visible()
    page.reload()
    page.locator("[data-hour]").scroll_into_view_if_needed()
    page.wait_for_selector('[data-chart="hold"][data-drawn]')
    expect(page.locator("[data-missing]")).to_be_visible()
    assert page.locator("[data-hour]").count() == 1
    assert_accessible(page)
    assert_fits(page)
