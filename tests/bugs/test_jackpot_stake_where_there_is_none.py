"""A recorded round and `settle` name the same first fault of a record, with its box (round-record.md, Errors)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.api.conftest import live
from tests.api.live import SIGN

if TYPE_CHECKING:
    from tests.api.live import Live

__all__ = ["live"]

DEALER = {"cards": "Ah Kc 8c 7s 3h"}
HAND = {"cards": "As Kd Qh 7c 2d", "play": [{"do": "bet"}]}


@pytest.mark.parametrize(
    "boxes",
    [
        [{"box": 2, "ante": 1000, "jackpot": 50, **HAND}],
        [{"box": 1, "ante": 525, **HAND}, {"box": 2, "ante": 1000, "jackpot": 50, **HAND, "cards": "2c 3d 4h 6c 9d"}],
    ],
)
def test_the_door_and_settle_name_the_same_fault(live: Live, boxes: list[dict[str, object]]) -> None:
    table = f"JN{len(boxes)}"
    live.open_table(table, "russian-ua")
    record = {"ruleset": "russian-ua", "boxes": boxes, "dealer": DEALER}
    recorded = live.post(f"/v1/tables/{table}/rounds", record).json()
    settled = live.post("/v1/settlements", {**record, "table": SIGN}, key=None).json()["error"]
    assert (recorded["code"], recorded.get("box")) == (settled["code"], settled.get("box"))
