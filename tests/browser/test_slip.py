"""The slip in a real browser: one printed page, everything readable; and the kiosk outlives its server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.api.live import serving
from tests.api.test_feed import PLAIN, ROYAL
from tests.browser.cable import Cable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.api.live import Live
    from tests.databases import Databases

pytestmark = pytest.mark.browser


def test_a_slip_prints_on_one_page(page: Page, live: Live) -> None:
    round_id = live.done("/v1/tables/B1/rounds", ROYAL)["round"]
    hit = f"{round_id}.1.1"
    door = f"/v1/jackpots/GRAND/hits/{hit}"
    for step, role in (("hand_verified", "supervisor"), ("deck_checked", "security")):
        live.done(f"{door}/steps", {"step": step, "note": "a note of some length " * 8}, role)
    live.done(f"{door}/pay", {"paid_by": "cage"}, "cashier")
    live.done(f"{door}/prints", {}, "cashier")
    live.done(f"{door}/prints", {}, "cashier")
    live.get("/v1/audit/checkpoint", "display")
    live.settle_down()
    refused = []
    page.on("console", lambda said: refused.append(said.text) if said.type == "error" else None)
    page.goto(f"/jackpots/GRAND/hits/{hit}/slip")
    assert page.locator(".print.again").inner_text().startswith("REPRINT 1")
    code = page.locator("svg.qr").bounding_box()
    assert code is not None
    assert code["width"] == code["height"] > 200, "wide enough to be scanned"
    assert refused == [], "the page's security policy lets the code through"
    assert "PAID" in page.locator(".state").inner_text()
    assert page.locator("tbody tr").count() == 3
    for paper in ("A4", "Letter"):
        printed = page.pdf(format=paper)
        assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") == 1, paper
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_kiosk_outlives_its_server(browser: Browser, databases: Databases) -> None:
    """Nobody touches the page: it says that its figures may be old, and goes on with the server that comes next."""
    meter = '[data-meter="KIOSK/1"]'
    with databases.fresh() as database:
        context = browser.new_context()
        with serving(database, pages_open=True) as first, Cable(first.url) as cable:
            first.open_progressive("KIOSK")
            first.open_table("K1", progressive="KIOSK")
            first.settle_down()
            page = context.new_page()
            page.goto(f"{cable.url}/display")
            expect(page.locator("[data-fresh]")).to_have_text("live")
            before = int(page.locator(meter).get_attribute("data-amount") or 0)
            first.stop()
            cable.cut()
            expect(page.locator("[data-fresh]")).to_have_attribute("data-state", "stale")
            with serving(database, pages_open=True) as second:
                cable.mend(second.url)
                second.done("/v1/tables/K1/rounds", PLAIN)
                expect(page.locator("[data-fresh]")).to_have_text("live", timeout=20_000)
                expect(page.locator(meter)).to_have_attribute("data-amount", str(before + 35), timeout=20_000)
        context.close()
