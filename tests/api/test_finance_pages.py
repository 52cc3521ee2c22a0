"""Finance's pages without a browser: who may see them, what they refuse, and that figures unknown are never zero."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace

import httpx
import pytest

from api.pages.finance import cells
from tests.api.live import RECORD, Live, serving
from tests.databases import Databases

UNBEGUN, DAY = "2026-03-14", "2026-04-01"


@pytest.fixture(scope="module")
def live(databases: Databases) -> Iterator[Live]:
    """A service with a table on a day that nobody began, and with a gaming day whose table is still on it."""
    with databases.fresh() as database, serving(database, pages_open=True) as live:
        live.open_table("N1", gaming_day=UNBEGUN)
        live.done("/v1/tables/N1/rounds", RECORD)
        live.done("/v1/gaming-days", {"day": DAY}, "supervisor")
        live.open_table("N2", gaming_day=DAY)
        live.done("/v1/tables/N2/buy-ins", {"player": "rich", "amount": 250_000})
        live.settle_down()
        yield live


@pytest.fixture(scope="module")
def finance(live: Live) -> Iterator[httpx.Client]:
    with live.signed_in("finance1") as client:
        yield client


def form_of(text: str, action: str) -> dict[str, str]:
    """The hidden fields of a form on a page."""
    part = text[text.index(f'action="{action}"') :]
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', part.partition("</form>")[0]))


@pytest.mark.parametrize(
    ("person", "path"), [("pit1", "/finance"), ("cage1", "/inbox"), ("dealer", "/finance/journal")]
)
def test_the_money_room_is_closed_to_others(live: Live, person: str, path: str) -> None:
    with live.signed_in(person) as client:
        answer = client.get(path)
    assert answer.status_code == 403
    assert "/finance" not in answer.text.partition("</nav>")[0]


def test_a_guest_of_a_demonstration_is_asked_to_sign_in(live: Live) -> None:
    for path in ("/finance", "/inbox"):
        assert live.get(path, None).headers["location"] == f"/sign-in?next={path}"


def test_a_day_that_nobody_began_is_shown_as_such(finance: httpx.Client) -> None:
    assert f'href="/finance/days/{UNBEGUN}"' in finance.get("/finance").text
    text = finance.get(f"/finance/days/{UNBEGUN}").text
    assert 'data-state="unbegun"' in text
    assert 'data-row="N1"' in text
    assert "data-step" not in text, "nothing can be done with it"


def test_what_is_not_known_is_named_and_no_zero(finance: httpx.Client) -> None:
    text = finance.get(f"/finance/days/{DAY}").text
    row = text[text.index('data-row="N2"') :].partition("</tr>")[0]
    assert row.count("data-unknown") == 5, "closer, drop counted, over/short, win, hold"
    assert "closer" in row


def test_the_log_refuses_a_close_whatever_the_page_showed(live: Live, finance: httpx.Client) -> None:
    before = live.events()
    at = f"/finance/days/{DAY}/close"
    fields = form_of(finance.get(f"/finance/days/{DAY}").text, at)
    answer = finance.post(at, data=fields, headers={"origin": live.url})
    assert answer.status_code == 409
    assert 'data-problem="day_running"' in answer.text
    assert 'data-row="N2"' in answer.text, "the page is shown again"
    assert live.events() == before


def test_reportable_cash_is_marked_by_the_rule_that_asks_for_it(finance: httpx.Client) -> None:
    text = finance.get(f"/finance/cash?day={DAY}&show=reportable").text
    row = text[text.index('data-player="rich"') :].partition("</tr>")[0]
    assert "data-reportable" in row
    assert "MLR 2017 reg. 27(5)" in row


@pytest.mark.parametrize("chosen", ["csv", "xlsx", "parquet", "beancount"])
def test_the_books_are_taken_away_with_their_heads(finance: httpx.Client, chosen: str) -> None:
    answer = finance.get(f"/finance/export?format={chosen}&from={UNBEGUN}&to={DAY}")
    assert answer.status_code == 200
    assert f'filename="test-{UNBEGUN}-to-{DAY}.{chosen}"' in answer.headers["content-disposition"]
    if chosen in ("csv", "beancount"):
        assert all(name in answer.text for name in ("Site", "Gaming days", "Position", "Chain head"))


@pytest.mark.parametrize(
    "path",
    [
        "/finance/export?format=doc",
        "/finance/explain?figure=win&hour=2026-03-14T20:00:00Z",
        "/finance/journal?from=yesterday",
        "/finance/journal?from=2026-03-15&to=2026-03-14",
        f"/finance/days/{DAY}/known?at=soon",
        "/finance/cash?player=%3Cscript%3E",
        "/inbox?table=%3Cscript%3E",
    ],
)
def test_a_question_that_cannot_be_read_is_refused_on_a_page(finance: httpx.Client, path: str) -> None:
    answer = finance.get(path)
    assert answer.status_code == 400
    assert 'lang="en"' in answer.text
    assert "<script>" not in answer.text


def test_what_is_not_there_is_said(finance: httpx.Client) -> None:
    assert finance.get("/finance/days/2020-01-01").status_code == 404
    assert finance.get("/finance/events/999999").status_code == 404
    assert finance.get("/finance/explain?figure=nonsense").status_code == 404


def test_days_are_read_back_in_time(finance: httpx.Client) -> None:
    text = finance.get(f"/finance?to={UNBEGUN}").text
    assert f'data-day="{UNBEGUN}"' in text
    assert f'data-day="{DAY}"' not in text
    dated = finance.get(f"/finance/statistics?day={DAY}").text
    assert f'href="/finance?to={DAY}"' in dated, "a month opens into its days"


def test_a_figure_of_a_great_many_rounds_opens_into_its_tables_first() -> None:
    few = SimpleNamespace(currency="EUR", rounds=30, missing=[], win=-5)
    many = SimpleNamespace(currency="EUR", rounds=60_000, missing=[], win=None)
    of, parts = cells.scope(gaming_day=DAY, ruleset="a b"), f"/finance/days/{DAY}#tables"
    (cell,) = cells.cells(few, ("win",), of, parts)
    assert (cell.href, cell.tone) == (f"/finance/explain?figure=win&gaming_day={DAY}&ruleset=a%20b", "down")
    (cell,) = cells.cells(many, ("win",), of, parts)
    assert (cell.href, cell.text, cell.known) == (parts, "–", False)
