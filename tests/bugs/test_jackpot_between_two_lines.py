"""A hand without a line of its own is paid as the next lower one, in every table; the jackpot's forgets it."""

from domain.ruleset import shipped
from domain.ruleset.loader import load_text
from tests.mutants.compared import settled

RECORD = {
    "ruleset": "caribbean-ee",
    "boxes": [{"box": 1, "ante": 100, "jackpot": 50, "cards": "9c 9d 9h 9s 2c", "play": [{"do": "fold"}]}],
    "dealer": {"cards": "Ah Kc 8c 7s 3h"},
}


def test_four_of_a_kind_wins_at_least_what_a_full_house_does() -> None:
    text = shipped("caribbean-ee").text.replace('"four of a kind" = { clause = "C.jackpot", sum = 25_000 }\n', "")
    settlement = settled(load_text(text, "a sheet without a line for four of a kind"), RECORD)
    assert settlement["boxes"][0]["paid"] == {"jackpot": 2_500}
