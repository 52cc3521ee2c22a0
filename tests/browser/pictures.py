"""Takes the pictures of the documents: the demonstration's pages as somebody of each role sees them.

`python -m tests.browser.pictures` writes docs/images/*.png; run it when a page has changed its looks.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from playwright.sync_api import sync_playwright

from tests.browser.conftest import ARGUMENTS, chromium
from tests.cli.program import start

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

IMAGES: Final = Path(__file__).parents[2] / "docs" / "images"
DEALT_S: Final = 40
FLAGS: Final = ("--rounds-per-second", "25", "--seed", "7")


class Picture(NamedTuple):
    """name: of the file. person None: a guest. path: may name a table or a round of the running floor."""

    name: str
    person: str | None
    path: str
    scheme: str = "dark"
    language: str = "en"


TABLE: Final = "caribbean-ee-ak-7-1"

PICTURES: Final = (
    Picture("floor", None, "/"),
    Picture("table", "pit1", f"/tables/{TABLE}"),
    Picture("settle", None, "/settle?example=caribbean-ee"),
    Picture("cage", "cage1", "/cage", "light"),
    Picture("jackpots", "finance1", "/jackpots"),
    Picture("display", None, "/display"),
    Picture("finance", "finance1", "/finance", "light"),
    Picture("inbox", "pit2", "/inbox", language="et"),
    Picture("audit", "auditor", "/audit/rounds/{round}"),
    Picture("floor-uk", "pit1", "/", "light", "uk"),
)


def take(browser: Browser, url: str, picture: Picture, password: str) -> None:
    """One picture, in a browser of its own."""
    context = browser.new_context(
        base_url=url,
        viewport={"width": 1280, "height": 800},
        color_scheme="light" if picture.scheme == "light" else "dark",
        locale=picture.language,
    )
    page = context.new_page()
    if picture.person is not None:
        _sign_in(page, picture.person, password)
    page.goto(_path(page, picture.path))
    page.wait_for_load_state("load")
    page.wait_for_timeout(1500)  # charts and the feed's first frames; a picture decides nothing
    page.screenshot(path=IMAGES / f"{picture.name}.png")
    context.close()


def _path(page: Page, path: str) -> str:
    """The path, with the last round of the table in its place."""
    if "{round}" not in path:
        return path
    page.goto(f"/tables/{TABLE}")
    link = page.locator('a[href^="/audit/rounds/"]').first.get_attribute("href")
    assert link is not None
    return link


def _sign_in(page: Page, person: str, password: str) -> None:
    page.goto("/sign-in")
    page.fill('[name="person"]', person)
    page.fill('[name="password"]', password)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: "/sign-in" not in address)


def main() -> None:
    """All of them."""
    with tempfile.TemporaryDirectory(prefix="pitclerk-pictures-", ignore_cleanup_errors=True) as directory:
        people = Path(directory) / "people.json"
        demo = start("demo", "--port", "0", "--people", str(people), *FLAGS, home=Path(directory) / "home")
        try:
            assert demo.stdout is not None
            url = demo.stdout.readline().split()[1]
            password = next(iter(json.loads(people.read_text()).values()))["password"]
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
                browser.new_page().wait_for_timeout(1000 * DEALT_S)
                for picture in PICTURES:
                    take(browser, url, picture, password)
                browser.close()
        finally:
            demo.terminate()
            demo.wait(timeout=30)


if __name__ == "__main__":
    main()
