"""An approval was shown as `pit2 + pit2`: who agreed stood beside themselves, as if one person had signed twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.api.conftest import live
from tests.api.live import RECORD

if TYPE_CHECKING:
    from tests.api.live import Live

__all__ = ["live"]


def test_who_approved_what_another_proposed_is_named_once(live: Live) -> None:
    live.open_table("OT1")
    played = live.done("/v1/tables/OT1/rounds", RECORD)["round"]
    folded = {**RECORD, "boxes": [{**RECORD["boxes"][0], "play": [{"do": "fold"}]}]}
    ask = {"round": played, "reason": "the player had folded", "record": folded}
    asked = live.done("/v1/tables/OT1/corrections", ask, "supervisor")
    position = live.done(f"/v1/approvals/{asked['approval']}", {"decision": "approve"}, "supervisor.2")["position"]
    live.settle_down()
    who = live.get(f"/v1/rounds/{played}/story", "supervisor").json()["events"][-1]
    assert who["actor"] == who["approver"]
    twice = f"approved by {who['actor']}"
    with live.signed_in("auditor") as client:
        for page in (
            "/audit?table=OT1",
            f"/audit/rounds/{played}",
            "/audit/events?table=OT1",
            f"/finance/events/{position}",
        ):
            text = client.get(page).text
            assert twice in text, page
            assert f"+ {who['actor']}" not in text
