"""A real Chromium, or a loud word that these tests were not run."""

from __future__ import annotations

import logging
import shutil
from typing import TYPE_CHECKING

import pytest

from api import logs
from api.auth.sessions import COOKIE
from tests.api.live import Live, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.databases import Databases

    Opened = Callable[..., Page]

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


def chromium() -> str | None:
    """Where Chromium is, if it is."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; where there is none, the tests that need it say so."""
    path = chromium()
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
def page(opened: Opened) -> Page:
    """A fresh page of the service, as a guest."""
    return opened()


@pytest.fixture
def opened(browser: Browser, live: Live) -> Iterator[Opened]:
    """Opens pages, each a browser of its own: a guest's or somebody's; whatever one complains of fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(person: str | None = None, language: str = "en") -> Page:
        context = browser.new_context(base_url=live.url, viewport={"width": 1280, "height": 800}, locale=language)
        contexts.append(context)
        if person is not None:
            with live.signed_in(person) as client:
                secret = client.cookies[COOKIE]
            context.add_cookies([{"name": COOKIE, "value": secret, "url": live.url, "httpOnly": True}])
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        return page

    yield open_page
    for context in contexts:
        context.close()
    # A refused form is answered with its 4xx, which the console notes as a failed load.
    assert [c for c in complaints if "ERR_" not in c and "status of 4" not in c] == []
