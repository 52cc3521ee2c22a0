"""The amount of a correction, a ruling or an odd stake had no currency: a table's page showed none at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.api.conftest import live
from tests.api.live import RECORD

if TYPE_CHECKING:
    from tests.api.live import Live

__all__ = ["live"]

YES = {"decision": "approve"}


def test_every_amount_in_the_inbox_says_in_which_currency_it_is(live: Live) -> None:
    live.open_table("NC1", currency="UAH")
    played = live.done("/v1/tables/NC1/rounds", RECORD)
    folded = {**RECORD, "boxes": [{**RECORD["boxes"][0], "play": [{"do": "fold"}]}]}
    ask = {"round": played["round"], "reason": "the player had folded", "record": folded}
    asked = live.done("/v1/tables/NC1/corrections", ask, "supervisor")
    live.done(f"/v1/approvals/{asked['approval']}", YES, "supervisor.2")
    ruling = {"ruling": "the guest is paid 10.00", "reason": "goodwill", "payments": [{"box": 1, "amount": 1000}]}
    asked = live.done("/v1/tables/NC1/rulings", ruling, "admin")
    live.done(f"/v1/approvals/{asked['approval']}", YES, "supervisor")
    fill = {"chips": [{"denomination": 50, "count": 20}]}
    live.done("/v1/tables/NC1/fills", fill, "supervisor")
    closed = live.done("/v1/tables/NC1/close", {"closer": []}, "supervisor")
    seen = live.get("/v1/exceptions", table="NC1", min_position=closed["position"]).json()["rows"]
    of = {row["code"]: row["currency"] for row in seen if row["amount"] is not None}
    assert of == dict.fromkeys(("correction", "ruling", "over_short", "unsigned_slip"), "UAH")
