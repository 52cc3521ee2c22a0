"""Signing in, as people do it: name, password, and the first page in their language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest
from playwright.sync_api import expect

from tests.api.live import PASSWORD
from tests.browser.looks import assert_accessible, assert_fits

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.api.live import Live
    from tests.browser.conftest import Opened

pytestmark = pytest.mark.browser


def test_somebody_signs_in_without_a_mouse_and_out_again(page: Page, live: Live) -> None:
    live.enter("pit1")
    page.goto("/sign-in?next=/settle")
    assert_accessible(page)
    assert_fits(page)
    page.keyboard.type("pit1")
    page.keyboard.press("Tab")
    page.keyboard.type("not the password")
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-problem="sign_in_failed"]')
    assert page.input_value('[name="person"]') == "pit1", "the name need not be typed again"
    page.fill('[name="password"]', PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/settle")
    page.click("summary:has-text('Piret Pit')")
    page.click("text=Sign out")
    page.wait_for_url("**/sign-in")
    page.goto("/sign-in")
    assert page.locator("summary:has-text('Piret Pit')").count() == 0


def test_a_live_page_says_when_its_session_has_ended(opened: Opened, live: Live) -> None:
    page = opened("cage1")
    page.goto("/cage")
    expect(page.locator("[data-fresh]")).to_have_attribute("data-state", "live")
    with psycopg.connect(live.database.url) as conn:
        conn.execute("UPDATE staff.sessions SET ended_at = clock_timestamp() WHERE person = 'cage1'")
    expect(page.locator("[data-fresh]")).to_have_text("signed out – sign in again", timeout=30_000)
