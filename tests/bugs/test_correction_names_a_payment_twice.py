"""Two right amounts for one stake in one correction contradict each other; the last is taken in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.api.conftest import live
from tests.api.live import RECORD

if TYPE_CHECKING:
    from tests.api.live import Live

__all__ = ["live"]


def test_one_stake_has_one_right_payment(live: Live) -> None:
    live.open_table("CT1")
    played = live.done("/v1/tables/CT1/rounds", RECORD)
    payments = [{"box": 1, "kind": "bet", "paid": 10}, {"box": 1, "kind": "bet", "paid": 20}]
    ask = {"round": played["round"], "reason": "paid wrongly", "payments": payments}
    assert live.post("/v1/tables/CT1/corrections", ask, "supervisor").status_code == 422
