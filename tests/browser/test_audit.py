"""Audit, as an auditor does in a dispute: search, step through the round, take the evidence, look back, verify."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from api.evidence import document_of
from api.seals import keys
from domain.note import verifier_key
from domain.proof import prove, read
from projections.evidence import verify
from tests.api.live import RECORD
from tests.browser.looks import assert_accessible, assert_fits
from tests.cli.program import PROGRAM

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.api.live import Live
    from tests.browser.conftest import Opened

pytestmark = pytest.mark.browser

ROUNDS = "/v1/tables/{}/rounds"


def with_player(player: str, act: str = "bet") -> dict[str, Any]:
    return {**RECORD, "boxes": [{**RECORD["boxes"][0], "player": player, "play": [{"do": act}]}]}


def corrected(live: Live, table: str, player: str) -> str:
    """A round that two supervisors have put right; its id."""
    live.open_table(table)
    live.done(ROUNDS.format(table), with_player("OTHER"))
    name = str(live.done(ROUNDS.format(table), with_player(player))["round"])
    live.done(ROUNDS.format(table), with_player("OTHER"))
    ask = {"round": name, "reason": "the player had folded", "record": with_player(player, "fold")}
    asked = live.done(f"/v1/tables/{table}/corrections", ask, "supervisor")
    live.done(f"/v1/approvals/{asked['approval']}", {"decision": "approve"}, "supervisor.2")
    live.settle_down()
    return name


def taken(page: Page, selector: str) -> bytes:
    """What a link that downloads brings."""
    with page.expect_download() as download:
        page.click(selector)
    return Path(download.value.path()).read_bytes()


def test_a_disputed_round_is_found_stepped_through_and_its_evidence_verified_offline(
    opened: Opened, live: Live
) -> None:
    name = corrected(live, "AU1", "VIP7")
    page = opened("auditor", "el")
    page.goto("/audit")
    page.fill("[name=player]", "VIP7")
    page.fill("[name=amount]", "10,00")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-found]")
    assert_accessible(page)
    assert_fits(page)
    page.click(f'[data-found] a:has-text("{name}") >> nth=0')
    story = page.locator("[data-part=story]")
    expect(story).to_have_attribute("data-step", "2")
    page.keyboard.press("Home")
    expect(story).to_have_attribute("data-step", "1")
    expect(page.locator("[data-seat]")).to_have_count(0)
    for step in range(2, 4):
        page.keyboard.press("ArrowRight")
        expect(story).to_have_attribute("data-step", str(step))
    expect(page.locator('[data-seat="1"] .card')).to_have_count(5)
    expect(page.locator('[data-money="stands"]')).to_have_text("10,00")
    page.keyboard.press("End")
    expect(page.locator('[data-money="house"]')).to_contain_text("+10,00")  # as it was put right
    assert page.evaluate("location.pathname") == f"/audit/rounds/{name}"
    assert_accessible(page)
    assert_fits(page)

    for form in ("html", "json"):
        document = document_of(taken(page, f'[data-evidence="{form}"]'))
        trusted = [keys.read(live.house.settings.signing_key_file).verifier]
        assert verify(document, trusted, keys.check).round == name
    page.keyboard.press("PageUp")
    page.wait_for_url(lambda url: name not in url)
    page.keyboard.press("PageDown")
    page.wait_for_url(f"**/{name}")


def test_a_table_is_slid_through_time_and_asked_what_has_become_known_since(opened: Opened, live: Live) -> None:
    corrected(live, "AU2", "VIP8")
    page = opened("auditor")
    page.goto("/audit/tables/AU2")
    state = page.locator("[data-part=state]")
    last = int(state.get_attribute("data-event") or 0)
    tray = page.locator("[data-fact=tray]")
    now = int(tray.get_attribute("data-amount") or 0)
    page.locator("[data-range]").focus()
    page.keyboard.press("ArrowLeft")
    expect(state).to_have_attribute("data-event", str(last - 1))
    page.keyboard.press("Home")
    expect(state).to_have_attribute("data-event", "1")
    before = int(tray.get_attribute("data-amount") or 0)
    assert before == 5_100_000, "the opener"
    assert before != now
    page.fill("[data-number]", str(last))
    expect(tray).to_have_attribute("data-amount", str(now))
    assert_accessible(page)
    assert_fits(page)
    page.fill("[data-number]", "2")
    expect(state).to_have_attribute("data-event", "2")
    page.click("[data-part=state] a[href^='/audit/compare']")
    page.wait_for_selector("[data-figure=paid]")
    page.locator("[data-figure=paid] summary").first.click()
    expect(page.locator("[data-figure=paid]").first).to_contain_text("the player had folded")
    assert_accessible(page)
    assert_fits(page)


def test_the_log_is_verified_to_the_same_head_as_the_command_s(opened: Opened, live: Live) -> None:
    page = opened("auditor")
    page.goto("/audit/verify")
    assert_accessible(page)
    page.get_by_role("button", name="Verify the log").click()
    verdict = page.locator("[data-verdict=ok]")
    expect(verdict).to_be_visible(timeout=30_000)
    command = subprocess.run(
        [PROGRAM, "verify", "--json"],
        env={**os.environ, "PITCLERK_DATABASE_URL": live.database.url, "PITCLERK_HOME": str(live.house.settings.home)},
        capture_output=True,
        timeout=120,
        check=True,
    )
    told = json.loads(command.stdout)
    assert verdict.get_attribute("data-position") == str(told["position"])
    assert verdict.get_attribute("data-head") == told["head"]
    assert_accessible(page)
    assert_fits(page)


def test_an_event_is_taken_away_with_its_proof_and_its_checkpoint(opened: Opened) -> None:
    page = opened("auditor")
    page.goto("/audit/events")
    page.click("[data-position] >> nth=1 >> a.position")
    expect(page.locator("[data-holds=true]")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    proof = read(taken(page, "text=Proof"))
    page.goto("/audit/checkpoints")
    key = verifier_key(page.locator(".hashes code").first.inner_text())
    assert prove(proof, [key], keys.check).position == proof.position
    row = page.locator(f'tr[data-size="{proof.size}"]')
    assert taken(page, f'tr[data-size="{proof.size}"] a >> nth=0').decode() == proof.checkpoint
    expect(row).to_be_visible()
    assert_accessible(page)
    assert_fits(page)


@pytest.mark.parametrize("path", ["/audit/sample?seed=7", "/audit/people"])
def test_the_other_pages_can_be_read_by_everybody(opened: Opened, path: str) -> None:
    page = opened("auditor")
    page.goto(path)
    assert page.locator("h1").count() == 1
    assert_accessible(page)
    assert_fits(page)


def test_without_script_steps_and_slider_work_by_links_and_fields(opened: Opened, live: Live) -> None:
    name = corrected(live, "AU3", "VIP9")
    signed_in = opened("auditor")
    browser = signed_in.context.browser
    assert browser is not None, "the context is a browser's"
    context = browser.new_context(base_url=live.url, java_script_enabled=False)
    context.add_cookies(signed_in.context.cookies())  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"/audit/rounds/{name}?step=3")
    page.click("[data-key=ArrowRight]")
    expect(page.locator("[data-part=story]")).to_have_attribute("data-step", "4")
    page.goto("/audit/tables/AU3")
    page.fill("[data-number]", "1")
    page.click("[data-go]")
    expect(page.locator("[data-part=state]")).to_have_attribute("data-event", "1")
    context.close()
