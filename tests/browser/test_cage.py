"""The cage in a real browser: a fill by five people at one screen, a shift counted, a drop box counted blind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.api.live import PASSWORD
from tests.browser.looks import assert_accessible, assert_fits, assert_looks

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.api.live import Live
    from tests.browser.conftest import Opened

pytestmark = pytest.mark.browser

RULES = {
    "valid_from": "2026-01-01",
    "windows": [
        {"name": "CENTRAL", "currency": "EUR", "imprest": 1_000_000},
        {"name": "VAULT", "currency": "EUR", "imprest": 500_000},
    ],
    "transfers": [{"sender": "CENTRAL", "receiver": "VAULT"}, {"sender": "VAULT", "receiver": "CENTRAL"}],
    "reason": "the cage of the tests",
}


@pytest.fixture(scope="module", autouse=True)
def _windows(live: Live) -> None:
    asked = live.done("/v1/money-rules", RULES, "admin")
    live.done(f"/v1/approvals/{asked['approval']}", {"decision": "approve"}, "finance")
    live.settle_down()


PRINTS = "window.print = () => { document.documentElement.dataset.printed = 'asked' }"
"""The browser's own print dialog, which nobody could answer here."""


class Keys:
    """A keyboard that counts its strokes; Shift with a letter is one more."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.strokes = 0

    def type(self, text: str) -> None:
        for letter in text:
            self.strokes += 2 if letter.isupper() else 1
            self.page.keyboard.type(letter)

    def press(self, key: str) -> None:
        self.strokes += 1
        self.page.keyboard.press(key)


def sign(keys: Keys, person: str, state: str) -> None:
    """The next person comes to the screen: name, Tab, password, Enter; the focus is where they begin."""
    keys.type(person)
    keys.press("Tab")
    keys.type(PASSWORD)
    keys.press("Enter")
    keys.page.wait_for_selector(f'[data-slip][data-state="{state}"]')


def test_a_fill_from_request_to_receipt_by_five_people_at_one_screen_without_a_mouse(
    live: Live, opened: Opened
) -> None:
    for person in ("cage1", "guard", "dealer", "pit2"):
        live.enter(person)
    page = opened("pit1")
    page.add_init_script(PRINTS)
    page.goto("/cage")
    keys = Keys(page)
    keys.type("f b1 100")
    expect(page.locator("[data-says]")).to_contain_text("20 × 100.00 = 2\u202f000.00 EUR")
    keys.press("Enter")
    assert keys.strokes < 10, "a fill is asked for in under ten strokes"
    page.wait_for_url("**/cage/slips/fill-*")
    board = opened("cage1")
    board.goto("/cage")
    assert_looks(board)
    sign(keys, "cage1", "prepared")
    sign(keys, "guard", "carried")
    keys.type("guard")
    keys.press("Tab")
    keys.type(PASSWORD)
    keys.press("Enter")
    page.wait_for_selector('[data-problem="role_required"]')
    page.locator('[name="second_person"]').first.press("Control+a")
    sign(keys, "dealer", "counted")
    sign(keys, "pit2", "received")
    people = page.eval_on_selector_all("[data-signed-by]", "found => found.map(one => one.dataset.signedBy)")
    assert people == ["pit1", "cage1", "guard", "dealer", "pit2"]
    assert_accessible(page)
    assert_fits(page)
    # The slip is printed: the focus is on the button already.
    keys.press("Enter")
    page.wait_for_selector('[data-printed] .print[data-print="1"]')
    for paper in ("A4", "A5"):
        printed = page.pdf(format=paper)
        assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") == 1, paper
    page.click("button")
    page.wait_for_selector('.print.again[data-print="2"]')
    assert "REPRINT 1" in page.locator(".print").inner_text()
    assert page.pdf(format="A5").count(b"/Type /Page\n") == 1
    assert_accessible(page)
    assert_fits(page)


def count(page: Page, part: str, denomination: int, pieces: int) -> None:
    page.fill(f'[name="{part}.{denomination}"]', str(pieces))


def test_a_cashier_opens_trades_and_counts_out_with_over_and_short_as_they_type(live: Live, opened: Opened) -> None:
    page = opened("cage1")
    page.goto("/cage/windows")
    page.click('[data-window="CENTRAL"]')
    count(page, "cash", 20000, 25)
    count(page, "chips", 10000, 49)
    expect(page.locator("[data-difference]")).to_have_text("−100.00")
    page.click("[data-open]")
    page.wait_for_selector('[data-problem="imprest_differs"]')
    assert page.input_value('[name="cash.20000"]') == "25", "what was counted need not be typed again"
    count(page, "chips", 10000, 50)
    expect(page.locator("[data-difference]")).to_have_attribute("data-sign", "even")
    page.click("[data-open]")
    page.wait_for_selector("[data-count-out]")
    page.keyboard.type("250")  # the focus is on the amount; Enter sells
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-cash="525000"]')
    page.fill('[name="amount"]', "100")
    page.click('button[value="redeem"]')
    page.wait_for_selector('[data-cash="515000"]')
    assert_accessible(page)
    assert_fits(page)

    page.fill('[name="send_chips"]', "50")
    page.click("[data-send]")
    page.wait_for_selector('[data-chips="480000"]')
    vault = opened("cage2")
    vault.goto("/cage/windows/VAULT")
    count(vault, "cash", 10000, 50)
    vault.click("[data-open]")
    vault.wait_for_selector("[data-receive]")
    vault.fill('[name="came_chips"]', "40")
    vault.click("[data-receive]")
    vault.wait_for_selector('[data-problem="count_differs"]')
    vault.fill('[name="came_chips"]', "50")
    vault.click("[data-receive]")
    vault.wait_for_selector('[data-chips="5000"]')

    page.goto("/cage/windows/CENTRAL/count")
    count(page, "cash", 20000, 25)
    count(page, "cash", 5000, 3)
    count(page, "chips", 10000, 48)
    expect(page.locator("[data-difference]")).to_have_text("0.00")
    page.fill('[name="chips_free_0"]', "2.50")
    page.fill('[name="chips_free_0_count"]', "2")
    expect(page.locator("[data-difference]")).to_have_text("+5.00")
    assert_looks(page)
    page.click('button[value="close"]')
    page.wait_for_selector('[data-over-short="500"]')
    assert_accessible(page)
    assert_fits(page)


def test_two_cashiers_hand_a_window_over_at_one_screen(live: Live, opened: Opened) -> None:
    live.enter("cage1")
    page = opened("cage2")
    page.goto("/cage/windows/VAULT/count")
    count(page, "cash", 10000, 50)
    count(page, "chips", 5000, 1)
    page.click('button[value="handover"]')
    page.wait_for_selector("[data-take-over]")
    page.click("[data-take-over]")
    expect(page.locator("[data-difference]")).to_have_count(0)
    count(page, "cash", 10000, 50)
    count(page, "chips", 10000, 1)
    take(page, "cage1")
    page.wait_for_selector('[data-problem="count_differs"]')
    count(page, "chips", 10000, 0)
    count(page, "chips", 5000, 1)
    take(page, "cage1")
    page.wait_for_selector('[data-over-short="0"]')


def take(page: Page, person: str) -> None:
    page.fill('[name="second_person"]', person)
    page.fill('[name="second_password"]', PASSWORD)
    page.click('button[value="take-over"]')


def test_the_second_counter_of_a_drop_box_sees_nothing_of_the_first(live: Live, opened: Opened) -> None:
    live.open_table("D1")
    guard = opened("guard")
    guard.goto("/cage/drops")
    guard.fill('[name="table"]', "D1")
    guard.fill('[name="box"]', "BOX-7")
    guard.click("[data-mount]")
    guard.click('[data-move="remove"]')
    guard.wait_for_selector('[data-state="removed"]')
    live.done("/v1/tables/D1/close", {"closer": []}, "supervisor")

    live.enter("finance2")
    counter = opened("finance1")
    counter.goto("/cage/drops")
    counter.click('[data-move="receive"]')
    counter.wait_for_selector('[data-state="received"]')
    counter.click("text=Count >> nth=-1")
    count(counter, "cash", 50000, 3)
    counter.click('button[value="count"]')
    counter.wait_for_selector('[data-state="counting"]')
    assert "1\u202f500" not in counter.content(), "the second counter must not see the first's total"
    assert counter.input_value('[name="cash.50000"]') == ""
    count(counter, "cash", 50000, 3)
    counter.fill('[name="second_person"]', "finance1")
    counter.fill('[name="second_password"]', PASSWORD)
    counter.click('button[value="count"]')
    counter.wait_for_selector('[data-problem="same_person"]')
    counter.fill('[name="second_person"]', "finance2")
    counter.fill('[name="second_password"]', PASSWORD)
    counter.click('button[value="count"]')
    counter.wait_for_selector('tr[data-state="counted"]')
    assert "1\u202f500.00" in counter.content()
    assert_accessible(counter)
    assert_fits(counter)
