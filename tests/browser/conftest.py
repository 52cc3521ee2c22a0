"""A real Chromium, or a loud word that these tests were not run."""

from __future__ import annotations

import logging
import shutil
from typing import TYPE_CHECKING

import pytest

from api import logs
from tests.api.live import Live, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.databases import Databases

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; where there is none, the tests that need it say so."""
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("NOT RUN: no Chromium. Install it (apt-get install chromium): these pages are untested without")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield running
        running.close()


@pytest.fixture(scope="module")
def live(databases: Databases) -> Iterator[Live]:
    """A service with open pages, a jackpot and a table that feeds it."""
    logs.configure("json", level=logging.WARNING)
    with databases.fresh() as database, serving(database, pages_open=True) as service:
        service.open_progressive("GRAND")
        service.open_table("B1", progressive="GRAND")
        service.settle_down()
        yield service


@pytest.fixture
def page(browser: Browser, live: Live) -> Iterator[Page]:
    """A fresh page of the service; whatever it complains of fails the test."""
    context = browser.new_context(base_url=live.url, viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield opened
    context.close()
    assert [c for c in complaints if "ERR_" not in c] == []
