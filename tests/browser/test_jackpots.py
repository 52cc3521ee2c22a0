"""Jackpots in a real browser: a hit verified, paid and printed twice; a progressive's life by two people; the kiosk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.api.live import PASSWORD
from tests.api.test_feed import PLAIN, ROYAL
from tests.browser.looks import assert_accessible, assert_fits, assert_looks

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.api.live import Live
    from tests.browser.conftest import Opened

pytestmark = pytest.mark.browser


def signs(page: Page, form: str, person: str) -> None:
    """Somebody else signs a form at this screen."""
    page.fill(f'[data-form="{form}"] [name="second_person"]', person)
    page.fill(f'[data-form="{form}"] [name="second_password"]', PASSWORD)


def hit_of(live: Live) -> str:
    return f"{live.done('/v1/tables/B1/rounds', ROYAL)['round']}.1.1"


def test_a_hit_is_verified_paid_by_the_cage_printed_and_printed_again_in_romanian(live: Live, opened: Opened) -> None:
    hit = hit_of(live)
    live.settle_down()
    for person in ("pit1", "guard"):
        live.enter(person)
    page = opened("cage1", "ro")
    page.goto("/jackpots")
    assert page.locator("html").get_attribute("lang") == "ro"
    assert page.locator("[data-reserve]").count() == 0, "the reserve is not the cage's to see"
    assert_accessible(page)
    assert_fits(page)
    page.click(f'[data-waiting="{hit}"] a')

    page.select_option('[name="step"]', "hand_verified")
    signs(page, "step", "pit1")
    page.click("[data-verify]")
    page.wait_for_selector('[data-step="hand_verified"]')
    page.select_option('[name="step"]', "deck_checked")
    page.select_option('[name="result"]', "failed")
    signs(page, "step", "guard")
    page.click("[data-verify]")
    page.wait_for_selector('[data-step="deck_checked"][data-result="failed"]')
    page.click("[data-pay]")
    page.wait_for_selector('[data-problem="check_failed"]')
    page.select_option('[name="step"]', "deck_checked")
    page.fill('[name="note"]', "a second deck, complete")
    signs(page, "step", "guard")
    page.click("[data-verify]")
    page.wait_for_selector('[data-step="deck_checked"][data-result="passed"]')
    assert_looks(page)

    page.click("[data-pay]")
    page.wait_for_selector('[data-hit][data-state="paid"]')
    page.click("[data-print-it]")
    page.wait_for_url("**/slip")
    assert page.locator("[data-print]").get_attribute("data-print") == "1"
    page.goto(f"/jackpots/GRAND/hits/{hit}")
    page.click("[data-print-it]")
    page.wait_for_url("**/slip")
    assert "REPRINT 1" in page.locator(".print.again").inner_text()
    printed = page.pdf(format="A4")
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") == 1


def test_a_progressive_lives_by_two_people_at_one_screen(live: Live, opened: Opened) -> None:
    live.enter("finance1")
    page = opened("manager")
    page.goto("/jackpots")
    page.click("[data-new]")
    assert_accessible(page)
    assert_fits(page)
    page.fill('[name="id"]', "MINI")
    page.fill('[name="seed_1"]', "500")
    page.fill('[name="increment_1"]', "14.5")
    page.fill('[name="reserve_1"]', "2")
    page.fill('[name="second_person"]', "manager")
    page.fill('[name="second_password"]', PASSWORD)
    page.click("[data-propose]")
    page.wait_for_selector('[data-problem="same_person"]')
    assert live.get("/v1/progressives/MINI", "admin").status_code == 404, "nothing is proposed before both are known"
    page.fill('[name="second_person"]', "finance1")
    page.fill('[name="second_password"]', PASSWORD)
    page.click("[data-propose]")
    page.wait_for_selector('.chip[data-state="running"]')

    page.click('[data-change="stop"] summary')
    page.fill('[data-form="stop"] [name="reason"]', "the tables are moved")
    page.click('[data-do="stop"]')
    page.wait_for_selector('.chip[data-state="stopped"]')
    page.click('[data-change="adjustments"] summary')
    page.fill('[data-form="adjustments"] [name="amount"]', "10.50")
    page.select_option('[name="cause"]', "house_gift")
    page.fill('[data-form="adjustments"] [name="reason"]', "a birthday")
    page.click('[data-do="adjustments"]')
    page.wait_for_selector("[data-waiting]")
    assert_accessible(page)
    assert_fits(page)

    finance = opened("finance1")
    finance.goto("/jackpots/MINI/life")
    finance.click('[data-waiting] button[value="approve"]')
    finance.wait_for_selector('[data-event="adjusted"]')
    finance.goto("/jackpots/MINI")
    expect(finance.locator("[data-reserve]").first).to_be_visible()
    expect(finance.locator("[data-explained]")).to_have_attribute("data-explained", "yes")
    assert_looks(finance)
    page.goto("/jackpots/MINI/life")
    page.click('[data-change="start"] summary')
    page.click('[data-do="start"]')
    page.wait_for_selector('.chip[data-state="running"]')


def test_a_hit_stays_on_the_display_until_it_is_rejected_with_a_reason(live: Live, opened: Opened) -> None:
    kiosk = opened("kiosk")
    kiosk.goto("/display?jackpot=GRAND")
    sign = kiosk.locator('[data-meter="GRAND/1"]')
    expect(kiosk.locator("[data-fresh]")).to_have_text("live")
    assert kiosk.locator("[data-meter]").count() == 1, "one jackpot was asked for"
    hit = hit_of(live)
    expect(sign.locator("[data-won]")).to_be_visible()
    live.done("/v1/tables/B1/rounds", PLAIN)
    kiosk.reload()
    expect(sign.locator("[data-won]")).to_be_visible()
    live.settle_down()
    assert_accessible(kiosk)

    live.enter("pit2")
    page = opened("pit1")
    page.goto(f"/jackpots/GRAND/hits/{hit}")
    expect(page.locator("[data-shown]")).to_have_attribute("data-shown", "1")
    page.select_option('[name="step"]', "hand_verified")
    page.click("[data-verify]")
    page.wait_for_selector('[data-step="hand_verified"]')
    page.click("details summary:has-text('Reject')")
    page.fill('[name="reason"]', "the hand was misread")
    page.click("button.danger")
    page.wait_for_selector('[data-problem="same_person"]')
    signs(page, "reject", "pit2")
    page.click("button.danger")
    page.wait_for_selector('[data-hit][data-state="rejected"]')
    expect(sign.locator("[data-won]")).to_be_hidden()


def test_a_display_sees_the_display_and_nothing_else(live: Live, opened: Opened) -> None:
    live.enter("kiosk")
    kiosk = opened()
    kiosk.goto("/sign-in")
    kiosk.fill('[name="person"]', "kiosk")
    kiosk.fill('[name="password"]', PASSWORD)
    kiosk.keyboard.press("Enter")
    kiosk.wait_for_url("**/display")
    expect(kiosk.locator("[data-fresh]")).to_have_text("live")
    for path in ("/", "/jackpots", "/jackpots/GRAND", "/cage", "/settle"):
        answer = kiosk.request.get(path)
        assert answer.status == 403, path
    assert_fits(kiosk)
