"""A ruling's amounts and boxes have no bounds: one approved ruling of 2^63 - 1 stops table_hold and tables for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.api.conftest import live

if TYPE_CHECKING:
    from tests.api.live import Live

__all__ = ["live"]


@pytest.mark.parametrize("payment", [{"box": 1, "amount": 2**63 - 1}, {"box": 1, "amount": 10**30}])
def test_a_ruling_pays_no_more_than_any_amount_may_be(live: Live, payment: dict[str, int]) -> None:
    table = f"RU{len(str(payment['amount']))}"
    live.open_table(table)
    ask = {"ruling": "pay it", "reason": "because", "payments": [payment]}
    answer = live.post(f"/v1/tables/{table}/rulings", ask, "supervisor")
    assert answer.status_code == 422, answer.text


@pytest.mark.parametrize("box", [-1, 0, 10**20])
def test_a_ruling_names_a_box_that_a_table_can_have(live: Live, box: int) -> None:
    live.open_table(f"RB{abs(box) % 97}{'n' if box < 0 else ''}")
    ask = {"ruling": "pay it", "reason": "because", "payments": [{"box": box, "amount": 500}]}
    answer = live.post(f"/v1/tables/RB{abs(box) % 97}{'n' if box < 0 else ''}/rulings", ask, "supervisor")
    assert answer.status_code == 422, answer.text
