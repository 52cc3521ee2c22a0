"""Insurance ends when the player's next box is looked at; a box made void in the deal never is."""

from typing import Any

from domain.ruleset import shipped
from domain.ruleset.loader import load_text
from tests.mutants.compared import settled

RECORD: dict[str, Any] = {
    "ruleset": "exchange-ru",
    "boxes": [
        {
            "box": 1,
            "player": "A",
            "ante": 100,
            "cards": "Jd 9d 6d 4d 2d",
            "play": [{"do": "bet"}, {"do": "insure", "amount": 500}],
        },
        {"box": 2, "player": "A", "ante": 100, "cards": "3d 3h"},
    ],
    "dealer": {"cards": "Ah Kc 8c 7s 3c"},
    "misdeal": {"kind": "order_touched", "box": 2},
}


def test_a_box_beside_a_void_one_may_insure_after_its_bet() -> None:
    old = '[misdeals.kinds.order_touched]\nclause = "F.misdeal"\nvoids = "round"'
    text = shipped("exchange-ru").text.replace(old, old.replace("round", "box"))
    answer = settled(load_text(text, "a sheet whose misdeals void a box"), RECORD)
    assert answer["boxes"][0]["taken"] == {"insurance": 500}
    assert answer["boxes"][1]["returned"] == {"ante": 100}
