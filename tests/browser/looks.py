"""What every page must pass when it is looked at: axe-core's serious rules, and no scrolling sideways."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTHS = (390, 1280, 2560)
_axe = Axe()


def assert_accessible(page: Page) -> None:
    """No serious or critical finding of axe-core on the page as it stands."""
    found = [
        f"{v['id']}: {v['help']}: {[node['html'][:120] for node in v['nodes'][:4]]}"
        for v in _axe.run(page).response["violations"]
        if v["impact"] in ("serious", "critical")
    ]
    assert found == [], "\n".join(found)


def assert_fits(page: Page, widths: tuple[int, ...] = WIDTHS) -> None:
    """The page never scrolls sideways, on a phone, at 1280 and on a wide screen."""
    before = page.viewport_size
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, f"at {width} the page is {over} px too wide"
    if before is not None:
        page.set_viewport_size(before)


def assert_looks(page: Page) -> None:
    """Accessible by day and by night, and fitting: for pages whose colours are their own."""
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert_accessible(page)
    assert_fits(page)
