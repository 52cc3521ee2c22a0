"""Tables named `.` and `..` can be opened; every client that tidies paths (curl, browsers) then asks another door."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.api.conftest import live
from tests.api.live import OPENER, SIGN

if TYPE_CHECKING:
    from tests.api.live import Live

__all__ = ["live"]


@pytest.mark.parametrize("name", ["%2E", "%2E%2E"])
def test_a_path_segment_that_means_another_place_names_no_table(live: Live, name: str) -> None:
    body = {"ruleset": "caribbean-ee", **SIGN, "gaming_day": "2026-03-14", "opener": OPENER}
    assert live.post(f"/v1/tables/{name}/open", body, "supervisor").status_code in (400, 404, 422)
