"""A house shoe draws before the engine has judged the step: a swap or a sixth card that cannot be is a 500."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.api.conftest import live

if TYPE_CHECKING:
    from tests.api.live import Live

__all__ = ["live"]


@pytest.mark.parametrize("act", [{"do": "swap", "box": 1, "out": "As"}, {"do": "buy", "box": 1}])
def test_roulette_has_no_cards_to_draw(live: Live, act: dict[str, object]) -> None:
    table = f"HS-{act['do']}"
    live.open_table(table, "roulette-ua")
    live.done(f"/v1/tables/{table}/rounds", {"shoe": "house"})
    answer = live.post(f"/v1/tables/{table}/rounds/current/actions", act)
    assert answer.status_code == 422, answer.text


def test_an_empty_deck_swaps_nothing(live: Live) -> None:
    rounds = "/v1/tables/HS-X/rounds"
    live.open_table("HS-X", "exchange-ru")
    boxes = [{"box": box, "player": f"P{box}", "ante": 500} for box in range(1, 7)]
    opened = live.done(rounds, {"boxes": boxes, "shoe": "house"})
    position = live.done(f"{rounds}/current/cards")["position"]
    for box, count in ((1, 5), (2, 5), (3, 5), (4, 2), (5, 5)):  # 52 - 6 x 5 - 5 of the dealer = 17 to swap
        played = live.get(f"/v1/rounds/{opened['round']}", min_position=position).json()["record"]["boxes"]
        out = " ".join(next(one for one in played if one["box"] == box)["cards"].split()[:count])
        answer = live.post(f"{rounds}/current/actions", {"do": "swap", "box": box, "out": out})
        if box < 5:
            assert answer.status_code == 201, answer.text
            position = live.done(f"{rounds}/current/actions", {"do": "bet", "box": box})["position"]
    assert (answer.status_code, answer.json()["code"]) == (422, "not_offered")
