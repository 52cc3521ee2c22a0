"""Finance's day in a real browser: from tables that have not rolled to an audited figure, opened down to its events."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import openpyxl
import pytest
from playwright.sync_api import expect

from tests.api.live import OPENER, PASSWORD, RECORD
from tests.browser.looks import assert_accessible, assert_fits

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.api.live import Live
    from tests.browser.conftest import Opened

pytestmark = pytest.mark.browser

BEFORE, DAY, NEXT = "2026-04-30", "2026-05-01", "2026-05-02"
SHORT = [{"denomination": 10000, "count": 499}, {"denomination": 50, "count": 2000}]


@pytest.fixture(scope="module")
def closed(live: Live) -> list[str]:
    """A gaming day that was closed, and counted only after its close; the drop boxes of its tables G1 and G2."""
    drops = begin(live, BEFORE, ("G1", "G2"))
    for table in ("G1", "G2"):
        live.done(f"/v1/tables/{table}/close", {"closer": SHORT}, "supervisor")
    live.done(f"/v1/gaming-days/{BEFORE}/close", {}, "finance")
    for drop in drops:
        count(live, drop, 30)
    live.settle_down()
    return drops


@pytest.fixture(scope="module")
def begun(live: Live, closed: list[str]) -> list[str]:
    """The gaming day after it, with two tables on it; the drop boxes of F1 and F2."""
    drops = begin(live, DAY, ("F1", "F2"))
    live.settle_down()
    return drops


def begin(live: Live, day: str, tables: tuple[str, ...]) -> list[str]:
    """A gaming day with tables that play; the drop boxes on them."""
    live.done("/v1/gaming-days", {"day": day}, "supervisor")
    drops = []
    for table in tables:
        live.open_table(table, gaming_day=day)
        drops.append(live.done(f"/v1/tables/{table}/drop-boxes", {"box": table}, "security")["drop"])
        live.done(f"/v1/tables/{table}/buy-ins", {"player": "P", "amount": 150_000})
        live.done(f"/v1/tables/{table}/rounds", RECORD)
    return drops


def figure(page: Page, row: str, name: str) -> str:
    """A figure of the master game report as the page shows it."""
    return page.locator(f'[data-row="{row}"] [data-figure="{name}"]').inner_text()


def minor(text: str) -> int:
    """The minor units of an amount on a page."""
    return int(re.sub(r"[^\d-]", "", text.replace("−", "-")))


def count(live: Live, drop: str, pieces: int) -> None:
    """Carried by security, received and counted by two of finance who do not see each other's count."""
    live.done(f"/v1/drop-boxes/{drop}/remove", {}, "security")
    live.done(f"/v1/drop-boxes/{drop}/receive", {}, "finance")
    cash = {"cash": [{"denomination": 5000, "count": pieces}]}
    for person in ("finance", "finance.2"):
        live.done(f"/v1/drop-boxes/{drop}/count", cash, person)


def test_finance_closes_a_day_and_opens_its_figure_down_to_the_events(
    opened: Opened, live: Live, begun: list[str], tmp_path: Path
) -> None:
    page = opened("finance1")
    page.goto("/finance")
    page.fill('[name="day"]', NEXT)
    page.click("form[action='/finance/days'] button")
    page.wait_for_url(f"**/finance/days/{NEXT}")
    page.goto(f"/finance/days/{DAY}")
    act = page.locator('[data-step="close"]')
    expect(act.locator("[data-why]")).to_contain_text("F1, F2")
    expect(act.locator("button")).to_be_disabled()
    expect(page.locator('[data-stage="rolled"]')).to_have_attribute("data-done", "0")
    expect(page.locator('[data-row="F1"] [data-unknown]').first).to_contain_text("–")

    live.done("/v1/tables/F1/close", {"closer": SHORT, "roll_to": NEXT}, "supervisor")
    live.done("/v1/tables/F2/close", {"closer": OPENER}, "supervisor")
    live.settle_down()
    page.reload()
    expect(page.locator('[data-row="F1"] .step')).to_have_attribute("data-state", "rolled")
    expect(page.locator('[data-row="F2"] .step')).to_have_attribute("data-state", "closed")
    act.locator("button").click()
    expect(page.locator("[data-said]")).to_be_visible()
    expect(page.locator("h1 .chip")).to_have_attribute("data-state", "closed")

    audit = page.locator('[data-step="audit"] [data-why]')
    expect(audit).to_contain_text(begun[0])
    for drop in begun:
        count(live, drop, 30)
    live.settle_down()
    page.reload()
    expect(audit).to_contain_text("You closed this day")
    expect(page.locator('[data-stage="counted"]')).to_have_attribute("data-done", "2")
    expect(page.locator('[data-row="F1"]')).to_have_attribute("data-grade", "counted")

    shown = {table: minor(figure(page, table, "win")) for table in ("F1", "F2")}
    with page.expect_download() as caught:
        page.click('[data-export="xlsx"]')
    caught.value.save_as(tmp_path / "books.xlsx")
    assert DAY in caught.value.suggested_filename
    book = openpyxl.load_workbook(tmp_path / "books.xlsx", read_only=True)
    rows = list(book["Master game report"].iter_rows(values_only=True))
    heads = dict(row[:2] for row in rows[:4])
    assert heads["Gaming days"] == DAY
    assert len(str(heads["Chain head"])) == 64
    named = [dict(zip(rows[5], row, strict=True)) for row in rows[6:]]
    assert {row["table"]: round(row["win"] * 100) for row in named} == shown
    total = page.locator('[data-total="EUR"] [data-figure="win"] a')
    assert minor(total.inner_text()) == sum(shown.values())

    page.click('[data-row="F1"] [data-figure="win"]')
    assert (
        minor(page.locator("[data-value]").inner_text())
        == shown["F1"]
        == minor(page.locator("[data-sum]").inner_text())
    )
    parts = page.locator("[data-parts] td.n").all_inner_texts()
    assert sum(map(minor, parts)) == shown["F1"]
    assert_accessible(page)
    assert_fits(page)
    event = page.locator("[data-event]").last
    position = event.get_attribute("data-event")
    event.click()
    expect(page.locator(f'section[data-event="{position}"]')).to_be_visible()
    assert_accessible(page)


def test_what_was_learned_after_the_close_stands_beside_the_fixed_figure(
    opened: Opened, live: Live, closed: list[str]
) -> None:
    page = opened("finance2")
    page.goto(f"/finance/days/{BEFORE}/known")
    counted = page.locator('[data-learned] [data-table="G1"][data-figure="counted_drop"] td').last
    expect(counted).to_contain_text("–")
    assert f"day={BEFORE}" in (page.locator("[data-compare]").get_attribute("href") or "")
    position = live.get("/readyz", None).json()["position"]
    page.fill('[name="at"]', str(position))
    page.click("form.inline button")
    expect(page.locator('[data-learned="nothing"]')).to_be_visible()
    assert_accessible(page)
    assert_fits(page)


def test_a_count_is_corrected_by_two_on_one_screen(opened: Opened, live: Live, closed: list[str]) -> None:
    live.enter("finance2")
    page = opened("finance1")
    page.goto(f"/finance/days/{BEFORE}/adjustments")
    form = page.locator('[data-step="count"]')
    form.locator('[name="drop"]').select_option(closed[1])
    form.locator('[name="total"]').fill("1600")
    form.locator('[name="reason"]').fill("a note stuck in the box")
    form.locator('[name="second_person"]').fill("finance1")
    form.locator('[name="second_password"]').fill(PASSWORD)
    form.locator("button").click()
    expect(page.locator('[data-problem="same_person"]')).to_be_visible()
    assert form.locator('[name="total"]').input_value() == "1600", "what was typed is kept"
    form.locator('[name="second_person"]').fill("finance2")
    form.locator('[name="second_password"]').fill(PASSWORD)
    form.locator("button").click()
    expect(page.locator("[data-adjustments] tbody tr")).to_have_count(1)
    expect(page.locator("[data-adjustments]")).to_contain_text("+100.00")
    form = page.locator('[data-step="figure"]')
    form.locator('[name="session"]').select_option(label=f"G2-{BEFORE}-1 · EUR")
    form.locator('[name="figure"]').select_option("fills")
    form.locator('[name="amount"]').fill("-50")
    form.locator('[name="reason"]').fill("the slip was read as 50 more")
    form.locator('[name="second_person"]').fill("finance2")
    form.locator('[name="second_password"]').fill(PASSWORD)
    form.locator("button").click()
    expect(page.locator("[data-adjustments] tbody tr")).to_have_count(2)
    expect(page.locator("[data-adjustments] tbody tr").last).to_contain_text("+50.00")
    assert_accessible(page)
    assert_fits(page)


def test_the_auditor_signs_the_day_in_estonian(opened: Opened, live: Live, closed: list[str]) -> None:
    page = opened("auditor", "et")
    page.goto("/finance")
    assert page.locator("html").get_attribute("lang") == "et"
    page.click(f'[data-day="{BEFORE}"] th a')
    page.locator('[data-step="audit"] [name="note"]').fill("kõik klapib")
    page.click('[data-step="audit"] button')
    expect(page.locator("h1 .chip")).to_have_attribute("data-state", "audited")
    expect(page.locator('[data-row="G1"]')).to_have_attribute("data-grade", "audited")


def test_money_rules_are_adopted_by_two_on_one_screen(opened: Opened, live: Live) -> None:
    live.enter("finance2")
    page = opened("finance1")
    page.goto(f"/finance/rules?day={NEXT}")
    page.click("[data-propose] summary")
    page.fill('[name="window.0.name"]', "W9")
    page.fill('[name="window.0.imprest"]', "5 000.00")
    page.fill('[name="reason"]', "a new window")
    page.fill('[name="second_person"]', "finance2")
    page.fill('[name="second_password"]', PASSWORD)
    page.click("[data-propose] form button")
    expect(page.locator("[data-windows] tbody tr")).to_have_count(1)
    expect(page.locator("[data-windows]")).to_contain_text("W9")
    assert_accessible(page)
    page.click("[data-propose] summary")
    assert_fits(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_of_finance_can_be_read_by_everybody(opened: Opened, closed: list[str], scheme: str) -> None:
    page = opened("auditor")
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    paths = ("/finance", f"/finance/days/{BEFORE}?by=session", f"/finance/journal?from={BEFORE}&to={BEFORE}")
    for path in (*paths, f"/finance/statistics?day={BEFORE}", f"/finance/cash?day={BEFORE}"):
        page.goto(path)
        assert_accessible(page)
        assert_fits(page)
