"""A page of another role was refused as if to a guest: a guest's menu, and a way on that was refused as well."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

import pytest

from api import logs
from tests.api.live import Live, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.databases import Databases


@pytest.fixture(scope="module")
def live(databases: Databases) -> Iterator[Live]:
    """With pages that guests may see, as in a demonstration."""
    logs.configure("json", level=logging.WARNING)
    with databases.fresh() as database, serving(database, pages_open=True) as service:
        yield service


@pytest.mark.parametrize(("person", "first"), [("kiosk", "/display"), ("cage1", "/")])
def test_who_may_not_see_a_page_is_still_signed_in_and_led_to_one_they_may_see(
    live: Live, person: str, first: str
) -> None:
    with live.signed_in(person) as client:
        refused = client.get("/finance")
        assert (refused.status_code, 'data-problem="role_required"' in refused.text) == (403, True)
        assert 'action="/sign-out"' in refused.text
        menu = re.findall(r'<a href="([^"]+)"', refused.text.partition("<nav")[2].partition("</nav>")[0])
        assert menu[0] == first
        assert f'<a class="button quiet" href="{first}"' in refused.text
        assert [path for path in menu if client.get(path).status_code != 200] == []
