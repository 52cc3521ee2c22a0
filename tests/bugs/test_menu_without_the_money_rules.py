"""The casino manager proposes the money rules, and no entry of their menu led to the page where that is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.api.conftest import live

if TYPE_CHECKING:
    from tests.api.live import Live

__all__ = ["live"]


def test_the_managers_menu_leads_to_the_money_rules(live: Live) -> None:
    with live.signed_in("manager") as client:
        menu = client.get("/").text.partition("<nav")[2].partition("</nav>")[0]
        assert 'href="/finance/rules"' in menu
        assert client.get("/finance/rules").status_code == 200
