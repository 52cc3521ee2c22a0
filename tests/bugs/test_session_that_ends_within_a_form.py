"""A form sent after its session had ended was refused without a way to sign in and come back to the form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from api.auth.sessions import COOKIE
from tests.api.conftest import live

if TYPE_CHECKING:
    from tests.api.live import Live

__all__ = ["live"]


@pytest.mark.parametrize(
    ("referer", "back"),
    [
        ("{url}/tables/SE1?hour=1", "/tables/SE1%3Fhour%3D1"),
        ("https://elsewhere.example/trap", "/"),
        ("{url}", "/"),
        (None, "/"),
    ],
)
def test_the_refusal_leads_to_the_sign_in_and_from_there_back_to_the_page_of_the_form(
    live: Live, referer: str | None, back: str
) -> None:
    headers = {"referer": referer.format(url=live.url)} if referer else {}
    with live.client(None, cookies={COOKIE: "ended"}) as client:
        answer = client.post("/tables/SE1/buy-in", data={"proof": "old", "amount": "5"}, headers=headers)
    assert (answer.status_code, 'data-problem="sign_in_failed"' in answer.text) == (401, True)
    assert f'<a class="button" href="/sign-in?next={back}">' in answer.text
