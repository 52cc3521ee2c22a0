"""The errors of the round record, sentence by sentence: the code, and the box where it is a box's."""

import json
from typing import Any

import pytest

from domain.settle import settle_line
from tests.rules.rounds import GAME, NO_GAME, Json, box, error, record, settle

CARDS = "9d 9s 6c 4h 2c"


def refused(line: bytes) -> tuple[str, int | None]:
    answer = json.loads(settle_line(line))
    return answer["error"]["code"], answer["error"].get("box")


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"7",
        b'"vesuvius-ro"',
        b"{}",
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        b"[" * 100_000,
        b'{"ruleset":' * 50_000,
        b'{"ruleset": "vesuvius-ro"}',
        b'{"ruleset": "vesuvius-ro", "boxes": []}',
        b'{"ruleset": "vesuvius-ro", "boxes": {}}',
        b'{"ruleset": 3, "boxes": []}',
        b'{"ruleset": null}',
        b'{"ruleset": "../roulette-ua", "boxes": []}',
        b'{"ruleset": "vesuvius-ro"} trailing',
    ],
)
def test_what_is_no_record_is_a_bad_record(line: bytes) -> None:
    assert refused(line) == ("bad_record", None)


def test_an_unknown_ruleset_is_a_bad_record() -> None:
    assert error(record("oasis-xx", box(CARDS, "bet"))) == ("bad_record", None)


def changed(path: str, value: object) -> Json:
    """A good record with one field put in or replaced; "box.ante" is the first box's ante."""
    told: Any = record("vesuvius-ro", box(CARDS, "bet"), table={"chip": 50})
    where, _, field = path.rpartition(".")
    inner = {"": told, "box": told["boxes"][0], "act": told["boxes"][0]["play"][0], "dealer": told["dealer"]}
    inner["table"] = told["table"]
    inner[where][field] = value
    return told  # type: ignore[no-any-return]


@pytest.mark.parametrize("path", ["colour", "box.colour", "act.colour", "dealer.colour", "table.colour", "act.amount"])
def test_an_unknown_field_is_a_bad_record(path: str) -> None:
    assert error(changed(path, 1))[0] == "bad_record"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("box.ante", 1000.0),
        ("box.ante", 1000.5),
        ("box.ante", "1000"),
        ("box.ante", None),
        ("box.ante", True),
        ("box.ante", [1000]),
        ("box.ante", 10**13),
        ("box.bonus", 500.5),
        ("box.jackpot", 50.0),
        ("box.box", 1.5),
        ("box.box", "1"),
        ("box.cards", ["9d"]),
        ("box.cards", None),
        ("box.player", 7),
        ("box.blind", 1),
        ("box.play", "bet"),
        ("box.play", [{"do": "raise"}]),
        ("box.play", [{}]),
        ("box.play", ["bet"]),
        ("box.play", [{"do": "swap", "out": "2c"}]),
        ("box.play", [{"do": "insure"}]),
        ("box.play", [{"do": "insure", "amount": 0.5}]),
        ("dealer", "Ah Kc 8c 7s 3h"),
        ("dealer.cards", 5),
        ("dealer.drawn", ["8h"]),
        ("table", 5),
        ("table.chip", 0),
        ("table.chip", 0.5),
        ("table.chip", -50),
        ("table.min", 50.5),
        ("table.max", "20000"),
        ("table.max_payout_per_box", -1),
        ("table.max_payout_per_box", 1.5),
        ("table.currency", "euro"),
        ("board", CARDS),
        ("bets", []),
        ("result", 17),
        ("misdeal", 5),
        ("progressive", {"meter": 1.5}),
        ("progressive", {"meter": -1}),
        ("progressive", {"seed": "1"}),
    ],
)
def test_a_wrong_shape_or_a_fraction_is_a_bad_record(path: str, value: object) -> None:
    assert error(changed(path, value))[0] == "bad_record"


def test_a_wrong_shape_names_the_box_it_is_in() -> None:
    told = record("vesuvius-ro", box(CARDS, "bet", number=3), box("Td Ts 7c 5h 2d", "bet", number=4))
    told["boxes"][1]["ante"] = 10.5
    assert error(told) == ("bad_record", 4)


@pytest.mark.parametrize("missing", ["box", "ante", "cards"])
def test_a_box_with_something_missing_is_a_bad_record(missing: str) -> None:
    told = record("vesuvius-ro", box(CARDS, "bet"))
    del told["boxes"][0][missing]
    assert error(told)[0] == "bad_record"


def test_a_dealer_missing_is_a_bad_record() -> None:
    assert error(record("vesuvius-ro", box(CARDS, "bet"), dealer=None)) == ("bad_record", None)
    told = record("vesuvius-ro", box(CARDS, "bet"))
    told["dealer"] = {}
    assert error(told) == ("bad_record", None)


def test_a_box_number_used_twice_is_a_bad_record() -> None:
    told = record("vesuvius-ro", box(CARDS, "bet", number=2), box("Td Ts 7c 5h 2d", "bet", number=2))
    assert error(told) == ("bad_record", 2)


@pytest.mark.parametrize(
    "line",
    [
        '{"ruleset": "R", "ruleset": "R", "boxes": [B], "dealer": D}',
        '{"ruleset": "R", "boxes": [{"box": 1, "ante": 500, "ante": 1000, "cards": "C", "play": []}], "dealer": D}',
        '{"ruleset": "R", "boxes": [{"box": 1, "ante": 5, "cards":"C","play":[{"do":"bet","do":"bet"}]}],"dealer":D}',
        '{"ruleset": "R", "boxes": [B], "dealer": {"cards": "C", "cards": "C"}}',
        '{"ruleset": "R", "boxes": [{"box": 1, "player": "a:b", "ante": 1, "ante": 1, "cards": "C"}], "dealer": D}',
        '{"ruleset": "R", "boxes": [{"box": 1, "player": "\\u003a", "ante": 1, "ante": 1, "cards": "C"}], "dealer": D}',
    ],
)
def test_a_field_given_twice_is_a_bad_record(line: str) -> None:
    one = '{"box": 1, "ante": 500, "cards": "9d 9s 6c 4h 2c", "play": [{"do": "bet"}]}'
    text = line.replace('"R"', '"caribbean-ee"').replace("B]", one + "]").replace('"C"', f'"{CARDS}"')
    assert refused(text.replace("D}", '{"cards": "Ah Kc 8c 7s 3h"}}').encode()) == ("bad_record", None)


def test_a_colon_in_a_players_name_is_no_second_field() -> None:
    assert "boxes" in settle(record("vesuvius-ro", box(CARDS, "bet", player='a":b\\')))


@pytest.mark.parametrize(
    "cards", ["9d 9s 6c 4h 1c", "9d 9s 6c 4h c2", "9d 9s 6c 4h 2C", "9d 9s 6c 4h 2", "🂡 9d 6c 4h 2c"]
)
def test_bad_card(cards: str) -> None:
    assert error(record("vesuvius-ro", box(cards, "bet"))) == ("bad_card", 1)


def test_bad_card_of_the_dealer_is_no_boxs() -> None:
    assert error(record("vesuvius-ro", box(CARDS, "bet"), dealer="Ah Kc 8c 7s 3x")) == ("bad_card", None)
    told = record("vesuvius-ro", box(CARDS, "bet", "dealer_card"), dealer=NO_GAME, drawn="8x")
    assert error(told) == ("bad_card", None)


def test_duplicate_card() -> None:
    assert error(record("vesuvius-ro", box("9d 9d 6c 4h 2c", "bet"))) == ("duplicate_card", 1)
    told = record("vesuvius-ro", box(CARDS, "bet"), box("Td Ts 7c 5h 2c", "bet", number=2))
    assert error(told) == ("duplicate_card", 2)
    assert error(record("vesuvius-ro", box("9d 9s 6c 4h Ah", "bet"), dealer=GAME)) == ("duplicate_card", None)
    told = record("vesuvius-ro", box(CARDS, "bet", "dealer_card"), dealer=NO_GAME, drawn="9d")
    assert error(told) == ("duplicate_card", None)


@pytest.mark.parametrize("cards", ["", "9d", "9d 9s 6c 4h", "9d 9s 6c 4h 2c 2d"])
def test_wrong_card_count(cards: str) -> None:
    assert error(record("vesuvius-ro", box(cards, "bet"))) == ("wrong_card_count", 1)
    dealer = cards.replace("9d", "Ad").replace("9s", "As")
    assert error(record("vesuvius-ro", box("Td Ts 7c 5h 3d", "bet"), dealer=dealer)) == ("wrong_card_count", None)


def test_missing_decision_where_the_sheet_has_no_time_out() -> None:
    for ruleset in ("vesuvius-ro", "caribbean-gr", "oasis-ua", "russian-ua", "exchange-ru"):
        assert error(record(ruleset, box(CARDS))) == ("missing_decision", 1)
        told = record(ruleset, box(CARDS))
        told["boxes"][0]["play"] = []
        assert error(told) == ("missing_decision", 1)
    assert error(record("vesuvius-ro", box(CARDS, "swap 2c Ts"))) == ("missing_decision", 1)
    assert error(record("vesuvius-ro", box("Kd Td 6d 4d 2d", "insure 5000"))) == ("missing_decision", 1)


@pytest.mark.parametrize("ruleset", ["caribbean-ee", "caribbean-ee-ak"])
@pytest.mark.parametrize(
    ("cards", "stakes"),
    [
        (CARDS, {"ante": 1000, "bet": 2000}),
        ("2d 2s 6c 4h 3c", {"ante": 1000, "bet": 2000}),
        ("As Kd Qh 9c 2d", {"ante": 1000}),
        ("Td 8d 6c 3s 2h", {"ante": 1000}),
    ],
)
def test_C_time_out_bets_a_pair_or_better_and_folds_the_rest(ruleset: str, cards: str, stakes: Json) -> None:
    for told in (record(ruleset, box(cards)), record(ruleset, box(cards) | {"play": []})):
        settled = settle(told)["boxes"][0]
        assert settled["stakes"] == stakes
        assert ("bet" in stakes) == (settled["taken"] != {"ante": 1000})


@pytest.mark.parametrize(
    "words",
    [
        ("bet", "bet"),
        ("fold", "fold"),
        ("bet", "fold"),
        ("fold", "bet"),
        ("dealer_card", "bet"),
        ("dealer_card",),
        ("fold", "dealer_card"),
        ("bet", "dealer_card", "dealer_card"),
        ("bet", "dealer_card", "insure 4000"),
        ("fold", "insure 4000"),
        ("bet", "insure 4000", "insure 4000"),
    ],
)
def test_acts_out_of_their_order_are_not_allowed_now(words: tuple[str, ...]) -> None:
    told = record("vesuvius-ro", box("6d 5s 4c 3d 2c", *words), dealer=NO_GAME.replace("3h", "9h"), drawn="8h")
    assert error(told) == ("not_allowed_now", 1)


def test_the_first_thing_wrong_is_told_box_by_box() -> None:
    first, second = box(CARDS, number=1), box("Td Ts 7c 5h 2x", "bet", number=2)
    assert error(record("vesuvius-ro", first, second, dealer="Ah")) == ("missing_decision", 1)
    assert error(record("vesuvius-ro", second, first, dealer="Ah")) == ("missing_decision", 1)
    first["play"] = [{"do": "fold"}]
    assert error(record("vesuvius-ro", first, second, dealer="Ah")) == ("bad_card", 2)
    second["cards"] = "Td Ts 7c 5h 2d"
    assert error(record("vesuvius-ro", first, second, dealer="Ah")) == ("wrong_card_count", None)


def test_a_maximum_under_the_minimum_is_a_bad_record() -> None:
    assert error(record("vesuvius-ro", box(CARDS, "bet"), table={"min": 500, "max": 400})) == ("bad_record", None)
