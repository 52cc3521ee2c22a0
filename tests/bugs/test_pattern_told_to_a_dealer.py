"""A player's name with a space was answered with `Expected str matching regex`, on the page of a dealer as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from api.http.wording import plain
from domain.commands import Day, Name, Player
from tests.api.conftest import live

if TYPE_CHECKING:
    from tests.api.live import Live

__all__ = ["live"]

SAID = "Expected a reference of 1 to 40 letters A to Z, digits, `_` or `-`"


def test_what_a_reference_may_hold_is_said_in_words(live: Live) -> None:
    live.open_table("PD1")
    refused = live.post("/v1/tables/PD1/buy-ins", {"player": "Mrs Jones", "amount": 500})
    assert (refused.status_code, refused.json()["detail"]) == (422, f"player: {SAID}")
    refused = live.get("/v1/search", player="Mrs Jones")
    assert (refused.status_code, refused.json()["detail"]) == (400, f"player: {SAID}")


@pytest.mark.parametrize("kind", [Day, Name, Player])
def test_the_words_are_those_of_the_patterns_in_use(kind: object) -> None:
    (meta,) = kind.__metadata__  # type: ignore[attr-defined]
    assert "regex" not in plain(f"Expected `str` matching regex '{meta.pattern}'")


def test_a_pattern_without_words_stands_as_it_is() -> None:
    assert plain("Expected `str` matching regex '^x$'") == "Expected `str` matching regex '^x$'"
