"""The pages in a real browser: figures move, hits are seen, lost connections are said, nothing sticks out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest
from playwright.sync_api import Page, expect

from tests.api.test_feed import PLAIN, ROYAL
from tests.browser.cable import Cable

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.api.live import Live

pytestmark = pytest.mark.browser

METER = '[data-meter="GRAND/1"]'


def shown(page: Page) -> int:
    return int(page.locator(METER).get_attribute("data-amount") or 0)


def wait_for_amount(page: Page, least: int) -> None:
    reached = "([meter, least]) => Number(document.querySelector(meter).dataset.amount) >= least"
    page.wait_for_function(reached, arg=[METER, least])


def play(live: Live, times: int = 1) -> None:
    for _ in range(times):
        live.done("/v1/tables/B1/rounds", PLAIN)


@pytest.mark.parametrize("path", ["/display", "/"])
def test_the_meters_move_by_themselves(page: Page, live: Live, path: str) -> None:
    page.goto(path)
    expect(page.locator("[data-fresh]")).to_have_text("live")
    before = shown(page)
    figure = page.locator(f"{METER} [data-figure]")
    text = figure.inner_text()
    play(live, 10)
    page.wait_for_function(
        "([sel, least]) => document.querySelector(sel).dataset.amount >= least", arg=[METER, before + 350]
    )
    assert shown(page) == before + 350, "a meter rolls to its value and not beyond"
    expect(figure).not_to_have_text(text)


def test_a_meter_never_shows_more_than_is_true(page: Page, live: Live) -> None:
    page.goto("/display")
    page.evaluate(
        """() => { window.seen = [];
        new MutationObserver(() => window.seen.push(Number(document.querySelector('[data-meter]').dataset.amount)))
          .observe(document.querySelector('[data-meter]'), {attributes: true}); }"""
    )
    before = shown(page)
    play(live, 20)
    page.wait_for_function(
        "([sel, least]) => document.querySelector(sel).dataset.amount >= least", arg=[METER, before + 700]
    )
    seen = page.evaluate("window.seen")
    assert seen == sorted(seen)
    assert max(seen) == before + 700


def test_the_floor_s_figures_follow_the_play(page: Page, live: Live) -> None:
    page.goto("/")
    row = page.locator('[data-table="B1"]')
    rounds = int(row.locator('[data-cell="rounds"]').inner_text())
    play(live, 3)
    expect(row.locator('[data-cell="rounds"]')).to_have_text(str(rounds + 3))
    live.open_table("B2")
    expect(page.locator('[data-table="B2"] [data-cell="state"]')).to_have_text("open")
    expect(page.locator("[data-summary]")).to_contain_text("2 of 2 tables open")
    live.done("/v1/tables/B2/close", {"closer": []}, "supervisor")
    expect(page.locator('[data-table="B2"] [data-cell="state"]')).to_have_text("closed")


def test_a_hit_is_celebrated_and_waits_to_be_paid(page: Page, live: Live) -> None:
    page.goto("/display")
    award = shown(page) + 70
    live.done("/v1/tables/B1/rounds", ROYAL)
    won = page.locator(f"{METER} [data-won]")
    expect(won).to_be_visible()
    expect(won.locator("[data-award]")).to_have_text(f"{award // 100:,}.{award % 100:02d}".replace(",", "\u202f"))
    expect(won.locator("[data-where]")).to_contain_text("table B1")
    expect(page.locator(f"{METER} [data-note]")).to_contain_text("2.00 EUR won at B1")
    expect(page.locator(METER)).to_have_attribute("data-state", "PENDING")
    expect(page.locator(METER)).to_have_attribute("data-amount", "1000000")
    (hit,) = live.get("/v1/jackpots/GRAND/hits", "cashier", state="pending").json()["hits"]
    live.done(f"/v1/jackpots/GRAND/hits/{hit['hit']}/pay", {"paid_by": "cage"}, "cashier")
    expect(page.locator(METER)).to_have_attribute("data-state", "NORMAL")


def test_a_lost_connection_is_said_and_mended(page: Page, live: Live) -> None:
    with Cable(live.url) as cable:
        page.goto(f"{cable.url}/display")
        fresh = page.locator("[data-fresh]")
        expect(fresh).to_have_text("live")
        cable.cut()
        expect(fresh).to_have_attribute("data-state", "stale")
        expect(fresh).to_contain_text("connection lost")
        before = shown(page)
        play(live, 2)
        cable.mend()
        expect(fresh).to_have_text("live", timeout=15_000)
        expect(page.locator(METER)).to_have_attribute("data-amount", str(before + 70))


def test_figures_that_cannot_be_read_are_said_to_be_old(page: Page, live: Live) -> None:
    page.goto("/display")
    fresh = page.locator("[data-fresh]")
    expect(fresh).to_have_text("live")
    with psycopg.connect(live.database.superuser_url, autocommit=True) as admin:
        admin.execute("ALTER ROLE pitclerk_service CONNECTION LIMIT 0")
        try:
            admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND application_name = 'pitclerk feed'"
            )
            expect(fresh).to_contain_text("figures are behind", timeout=15_000)
        finally:
            admin.execute("ALTER ROLE pitclerk_service CONNECTION LIMIT -1")
    expect(fresh).to_have_text("live", timeout=15_000)


def test_a_round_is_settled_in_fields(page: Page) -> None:
    page.goto("/settle")
    page.get_by_role("link", name="Russian poker").click()
    result = page.locator("[aria-label=Settlement]")
    expect(result).to_contain_text("+30.00")
    expect(result).to_contain_text("Bet pays 1:1 + 1:1 for pair and ace-king")
    page.get_by_text("In fields, or as a record").click()
    page.locator("[data-fields] [name=ruleset]").select_option("roulette-ua")
    expect(page.locator("[name=ante_1]")).to_be_hidden()
    page.locator("[name=on_1]").fill("straight 17")
    page.locator("[name=stake_1]").fill("5")
    page.locator("[name=result]").fill("17")
    page.get_by_role("button", name="Settle the round").click()
    expect(page.locator("[aria-label=Settlement]")).to_contain_text("+175.00")


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("path", ["/", "/display", "/settle?example=russian", "/problems"])
def test_nothing_sticks_out_and_everything_can_be_read(
    browser: Browser, live: Live, path: str, width: int, scheme: str
) -> None:
    context = browser.new_context(
        base_url=live.url,
        viewport={"width": width, "height": 800},
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    page = context.new_page()
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CONTRASTS) == []
    assert page.locator("h1").count() == 1
    for unnamed in ("input:not([type=hidden])", "select", "textarea", "button", "a"):
        for element in page.locator(unnamed).all():
            if element.is_visible():
                assert element.evaluate(NAMED), element.evaluate("e => e.outerHTML")
    context.close()


def test_without_script_the_pages_still_say_everything(browser: Browser, live: Live) -> None:
    context = browser.new_context(base_url=live.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    expect(page.locator('[data-table="B1"]')).to_contain_text("Caribbean Stud (Estonia)")
    page.goto("/display")
    expect(page.locator(METER)).to_contain_text("EUR")
    page.goto("/settle?example=roulette")
    page.get_by_role("button", name="Settle the record").click()
    expect(page.locator("[aria-label=Settlement]")).to_contain_text("House")
    context.close()


NAMED = """e => Boolean((e.labels && e.labels.length) || e.getAttribute('aria-label') || e.textContent.trim())"""

# Every text on the page against the colour behind it: WCAG 2 asks for a contrast of 4.5, of large text 3.
CONTRASTS = """() => {
  const probe = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgba = (colour) => {
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    return [...probe.getImageData(0, 0, 1, 1).data];
  };
  const linear = (v) => v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const over = (top, under) => [0, 1, 2].map((i) => (top[i] * top[3] + under[i] * (255 - top[3])) / 255).concat(255);
  const colours = /(rgba?|color|oklab)\\([^)]*\\)|#[0-9a-f]{3,8}/gi;
  const behind = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      const style = getComputedStyle(e);
      const painted = style.backgroundImage.match(colours);
      layers.push(rgba(painted ? painted.at(-1) : style.backgroundColor));
    }
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 255]);
  };
  const bad = [];
  for (const e of document.body.querySelectorAll('*')) {
    const says = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!says || !e.getBoundingClientRect().width || e.closest('.unseen, .skip, [hidden], option')) continue;
    const style = getComputedStyle(e), back = behind(e);
    const [a, b] = [light(over(rgba(style.color), back)), light(back)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const enough = size >= 24 || (size >= 18.5 && style.fontWeight >= 700) ? 3 : 4.5;
    if (ratio < enough) bad.push(`${e.tagName} ${e.textContent.trim().slice(0, 30)} ${ratio.toFixed(2)}`);
  }
  return bad;
}"""
