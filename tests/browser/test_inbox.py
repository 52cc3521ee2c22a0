"""The inbox in a real browser: an exception is found, looked into and acknowledged, its trail kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.looks import assert_accessible, assert_fits

if TYPE_CHECKING:
    from tests.api.live import Live
    from tests.browser.conftest import Opened

pytestmark = pytest.mark.browser

DAY = "2026-03-14"
SHORT = [{"denomination": 10000, "count": 499}, {"denomination": 50, "count": 2000}]


@pytest.fixture(scope="module", autouse=True)
def short(live: Live) -> None:
    """Two tables that closed short, one of them by somebody who then looks into it."""
    for table in ("I1", "I2"):
        live.open_table(table)
        live.done(f"/v1/tables/{table}/close", {"closer": SHORT}, "supervisor")
    live.settle_down()


def test_an_exception_is_acknowledged_with_what_was_found(opened: Opened) -> None:
    page = opened("finance1")
    page.goto("/inbox")
    page.fill('[name="day"]', DAY)
    page.fill('[name="table"]', "I1")
    page.select_option('[name="code"]', "over_short")
    page.click(".filters button")
    item = page.locator("[data-exception]")
    expect(item).to_have_count(1)
    expect(item).to_have_attribute("data-state", "open")
    expect(item.locator(".amount")).to_contain_text("−100.00")
    assert_accessible(page)
    assert_fits(page)
    item.locator('[name="note"]').fill("the camera shows a mispaid box")
    page.keyboard.press("Enter")
    expect(page.locator("[data-said]")).to_be_visible()
    expect(item).to_have_count(0)
    assert "table=I1" in page.url, "the reader stays where they were"
    page.select_option('[name="state"]', "acknowledged")
    page.click(".filters button")
    expect(item.locator(".trail")).to_contain_text("the camera shows a mispaid box")
    expect(item.locator(".trail")).to_contain_text("finance1")


def test_a_note_too_short_is_refused_and_kept(opened: Opened) -> None:
    page = opened("finance2", "ru")
    page.emulate_media(color_scheme="dark")
    page.goto("/inbox?table=I2&code=over_short")
    note = page.locator('[name="note"]')
    note.fill("ok")
    page.keyboard.press("Enter")
    expect(page.locator("[data-problem]")).to_be_visible()
    assert note.input_value() == "ok"
    expect(page.locator("[data-exception]")).to_have_count(1)
    assert_accessible(page)
