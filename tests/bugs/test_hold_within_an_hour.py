"""`from` and `to` of /v1/hold may lie within an hour, and figures are kept by the hour: the answer says which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.api.conftest import live
from tests.api.live import RECORD

if TYPE_CHECKING:
    from tests.api.live import Live

__all__ = ["live"]


def test_an_interval_is_widened_to_whole_hours_and_says_so(live: Live) -> None:
    live.open_table("HW1")
    live.done("/v1/tables/HW1/rounds", {**RECORD, "at": "2026-03-14T21:10:00Z"})
    position = live.done("/v1/tables/HW1/rounds", {**RECORD, "at": "2026-03-14T22:50:00Z"})["position"]
    asked = {"table": "HW1", "min_position": position}
    for span, hours, rounds in (
        ({"from": "2026-03-14T21:30:00Z"}, {"from": "2026-03-14T21:00:00Z"}, 2),
        ({"to": "2026-03-14T21:30:00Z"}, {"to": "2026-03-14T22:00:00Z"}, 1),
        ({"to": "2026-03-14T22:00:00Z"}, {"to": "2026-03-14T22:00:00Z"}, 1),
        ({"from": "2026-03-14T22:10:00Z"}, {"from": "2026-03-14T22:00:00Z"}, 1),
    ):
        answer = live.get("/v1/hold", "finance", **span, **asked).json()
        assert {name: answer[name] for name in hours} == hours
        assert sum(row["rounds"] for row in answer["rows"]) == rounds
