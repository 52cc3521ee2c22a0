"""Settle a round as a floor manager does in a dispute: by clicks, by keys, as a link, against what was recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.api.live import RECORD
from tests.browser.looks import assert_accessible, assert_fits

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.api.live import Live
    from tests.browser.conftest import Opened

pytestmark = pytest.mark.browser

HAND = ["As", "Ad", "Qh", "7c", "2d"]
DEALER = ["Ah", "Kc", "8c", "7s", "3h"]


def settled(page: Page) -> int:
    """What the house won by the settlement that the page shows once it is there."""
    page.wait_for_selector("[data-result][data-settled=yes]")
    return int(page.locator("[data-house-net]").get_attribute("data-house-net") or 0)


def ante(page: Page, box: int, amount: str) -> None:
    page.click(f'[data-box="{box}"] [data-do="join"]')
    page.fill(f'[data-box="{box}"] [data-amount="ante"]', amount)


def test_a_caribbean_round_is_clicked_together_and_its_link_says_the_same(opened: Opened) -> None:
    page = opened("manager")
    page.goto("/settle")
    page.select_option("[data-game]", "caribbean-ee")
    ante(page, 1, "10")
    for card in HAND:
        page.click(f'[data-card="{card}"]')
    expect(page.locator('[data-card="As"]')).to_be_disabled()
    page.click('[data-box="1"] [data-do="bet"]')
    for card in DEALER:
        page.click(f'[data-card="{card}"]')
    assert settled(page) == -3000
    expect(page.locator('[data-settled="1"] .clause').first).to_have_text("C.ante")
    expect(page.locator('[data-settled="1"] .guide')).to_contain_text("25.00")
    assert_accessible(page)
    assert_fits(page)
    link = page.locator("[data-share]").get_attribute("href")
    assert page.evaluate("location.pathname + location.search") == link, "the address is the link already"

    other = opened()
    other.goto(link or "")
    assert int(other.locator("[data-house-net]").get_attribute("data-house-net") or 0) == -3000
    expect(other.locator('[data-box="1"] [data-amount="ante"]')).to_have_value("10.00")
    expect(other.locator('[data-box="1"] [data-do="bet"]')).to_have_attribute("aria-pressed", "true")
    assert other.locator('[data-slots="dealer"] .card').count() == 5
    other.click('[data-box="1"] [data-do="fold"]')
    assert settled(other) == 1000, "the round goes on from where the link left it"


def test_a_round_of_russian_poker_is_typed_with_a_swap(opened: Opened) -> None:
    page = opened(language="uk")
    page.goto("/settle")
    page.select_option("[data-game]", "russian-ua")
    ante(page, 1, "10,00")
    page.keyboard.press("Enter")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.type("AsKdQh7c2d")
    page.click('[data-box="1"] [data-do="swap"]')
    throwing = page.locator('[data-box="1"] .throwing button')
    throwing.nth(3).click()
    page.locator('[data-box="1"] .throwing button').nth(4).click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.type("9h9sbAhKc8c7s3h")
    assert settled(page) == -3000
    page.keyboard.press("Backspace")
    expect(page.locator("[data-board]")).to_have_attribute("data-state", "incomplete")
    page.keyboard.type("4h")
    assert settled(page) == -3000
    assert_accessible(page)


def test_a_spin_is_laid_and_called_by_clicks(opened: Opened) -> None:
    page = opened("pit1")
    page.goto("/settle")
    page.select_option("[data-game]", "roulette-ua")
    page.click('[data-on="straight 17"]')
    page.click('[data-on="straight 17"]')
    page.click('[data-on="split 14-17"]')
    page.locator('[data-on="dozen 2"]').press("Enter")
    page.click("[data-announced] >> text=orphelins")
    page.check("[name=mode][value=call]")
    page.click('[data-on="straight 17"]')
    # two on the number, one on the split, one on the dozen, five units of which two splits win
    assert settled(page) == -(2 * 3500 + 1700 + 200 + 2 * 1700 - 300)
    assert_accessible(page)
    assert_fits(page)
    link = page.locator("[data-share]").get_attribute("href")
    other = opened()
    other.goto(link or "")
    assert other.locator("[data-bets] li").count() == 4
    other.click("[data-no-spin]")
    assert settled(other) == 0
    other.click("[data-bets] li >> nth=0 >> button")
    expect(other.locator("[data-bets] li")).to_have_count(3)


def test_a_recorded_round_is_settled_again_and_what_would_have_been_is_told_beside_it(
    opened: Opened, live: Live
) -> None:
    live.open_table("ST1")
    name = live.done("/v1/tables/ST1/rounds", RECORD)["round"]
    live.settle_down()
    page = opened("pit1")
    page.goto("/settle")
    page.fill("#load-round", name)
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-same="true"]')
    page.click('[data-box="1"] [data-do="fold"]')
    page.wait_for_selector('[data-same="false"]')
    assert settled(page) == 1000
    guest = opened()
    guest.goto(f"/settle?round={name}")
    guest.wait_for_selector('[data-problem="role_required"]')
    assert guest.locator("[data-house-net]").count() == 0


def test_without_script_the_form_settles_and_a_link_still_opens(browser: Browser, live: Live) -> None:
    context = browser.new_context(base_url=live.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/settle?example=russian")
    assert page.locator("[data-house-net]").get_attribute("data-house-net") == "-3500"
    link = page.locator("[data-share]").get_attribute("href") or ""
    page.goto(link)
    assert page.locator("[data-house-net]").get_attribute("data-house-net") == "-3500"
    page.goto(link[: len(link) // 2])
    assert page.locator('[data-problem="bad_parameter"]').count() == 1
    assert page.locator("[data-board]").is_hidden()
    context.close()
