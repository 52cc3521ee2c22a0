"""A sheet may let blind boxes insure; when the round is void their insurance comes back like everything put up."""

from typing import Any

from domain.ruleset import shipped
from domain.ruleset.loader import load_text
from tests.mutants.compared import settled

RECORD: dict[str, Any] = {
    "ruleset": "exchange-ru",
    "boxes": [
        {"box": 1, "player": "A", "ante": 100, "cards": "2d 2h 5s 6s 7c", "play": [{"do": "bet"}]},
        {
            "box": 2,
            "player": "A",
            "ante": 100,
            "blind": True,
            "cards": "Jd 9d 6d 4d 2c",
            "play": [{"do": "swap", "out": "2c", "in": "Kd"}, {"do": "insure", "amount": 500}],
        },
    ],
    "dealer": {"cards": "Ah Kc 8c 7s 3h"},
}


def sheet() -> Any:
    text = shipped("exchange-ru").text.replace("may = []", 'may = ["swap", "insure"]')
    return load_text(text, "a sheet whose blind boxes swap and insure")


def test_it_may_insure_in_a_round_that_is_played() -> None:
    box = settled(sheet(), RECORD)["boxes"][1]
    assert box["stakes"] == {"ante": 100, "bet": 200, "swap": 100, "insurance": 500}


def test_and_has_its_insurance_back_when_the_round_is_void() -> None:
    answer = settled(sheet(), RECORD | {"misdeal": {"kind": "order_touched"}})
    stakes = {"ante": 100, "bet": 200, "swap": 100, "insurance": 500}
    assert answer["boxes"][1]["returned"] == stakes
