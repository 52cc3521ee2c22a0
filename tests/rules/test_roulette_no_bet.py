"""Clause L, "not a bet": late, misplaced, under the minimum; over the maximum; no spin; and what no record may say."""

import msgspec
import pytest

from domain.engine import settle_record
from domain.engine.record import Record
from domain.engine.sign import limits_of
from domain.refusals import Refusal
from domain.ruleset import load_text, shipped

SHEET = shipped("roulette-ua")
TABLE = {"currency": "EUR", "chip": 2, "min": 100, "max": 50000}


def settle(*bets, result=17, table=TABLE, sheet=SHEET, **more):
    body = {"ruleset": sheet.id, "bets": list(bets), "result": result, **more}
    record = msgspec.convert(body if table is None else body | {"table": table}, Record)
    return msgspec.to_builtins(settle_record(sheet, limits_of(sheet, record.table), record))


def bet(on, amount=None, unit=None, **more):
    given = {"on": on, "player": "A", "amount": amount, "unit": unit} | more
    return {key: value for key, value in given.items() if value is not None}


def entry(on, amount=None, unit=None, **more):
    table = more.pop("table", TABLE)
    result = more.pop("result", 17)
    return settle(bet(on, amount, unit, **more), result=result, table=table)["bets"][0]


def refused(*bets, **more):
    with pytest.raises(Refusal) as caught:
        settle(*bets, **more)
    return caught.value.code


@pytest.mark.parametrize(
    ("on", "money", "reason"),
    [
        ("red", {"amount": 1000, "late": True}, "late"),
        ("voisins", {"unit": 100, "late": True}, "late"),
        ("split 1-36", {"amount": 1000}, "misplaced"),
        ("red", {"amount": 98}, "minimum"),
        ("voisins", {"unit": 98}, "minimum"),
        ("straight 17", {"amount": 0}, "minimum"),
        ("split 1-36", {"amount": 98, "late": True}, "late"),
        ("red", {"amount": 98, "late": True}, "late"),
        ("split 1-36", {"amount": 98}, "misplaced"),
    ],
)
def test_what_is_no_bet_goes_back_whole_with_the_first_reason(on, money, reason):
    made = entry(on, **money)
    assert made["refused"] == reason
    assert made["returned"] == made["amount"]
    assert (made["taken"], made["paid"], made["net"]) == (0, 0, 0)


def test_an_announced_bet_under_the_minimum_goes_back_in_all_its_units():
    assert entry("voisins", unit=98)["returned"] == 9 * 98


@pytest.mark.parametrize(
    "on",
    [
        "split 8-10", "split 3-4", "split 0-4", "split 8-8", "split 8", "split 1-2-3", "split 36-0",
        "street 1-2-4", "street 0-1-3", "street 2-3-4", "street 0-1-2-2", "corner 3-4-6-7", "corner 0-1-2-4",
        "corner 1-2-4-6", "line 30-35", "line 0-5", "line 31-35", "line 1-2-3", "straight 1-2",
    ],
)  # fmt: skip
def test_a_known_kind_whose_numbers_do_not_form_it_is_misplaced(on):
    assert entry(on, amount=500)["refused"] == "misplaced"


@pytest.mark.parametrize(
    "on",
    [
        "", " ", "straight", "straight 37", "straight -1", "straight 07", "straight  7", " straight 7",
        "straight 7 ", "Straight 7", "straight seven", "straight 7 2", "straight 100", "split 8,11", "split 8-",
        "split 8-37", "split 36-37", "split 8-11-", "dozen", "dozen 0", "dozen 4", "dozen 1-2", "column 4",
        "column", "red 5", "reds", "low 1", "green", "double 0", "voisin", "voisins 2", "tiers 1-2", "neighbours",
        "neighbours 17", "neighbours 17 0", "neighbours 17 19", "neighbours 37 2", "neighbours 17-18 2",
        "neighbours 17 -1", "basket", "corner 0-1-2-37", "straight ７", "red\n",
    ],
)  # fmt: skip
def test_words_that_cannot_be_read_are_a_bad_bet(on):
    assert refused(bet(on, amount=500)) == "bad_bet"
    assert refused(bet(on, unit=500)) == "bad_bet"
    assert refused(bet(on, amount=500, late=True)) == "bad_bet"


def test_money_of_the_wrong_name_is_a_bad_bet():
    for wrong in ({}, {"unit": 100}, {"amount": 100, "unit": 100}):
        assert refused(bet("red", **wrong)) == "bad_bet"
        assert refused(bet("split 1-36", **wrong)) == "bad_bet"
    for wrong in ({}, {"amount": 900}, {"amount": 900, "unit": 100}):
        for announced in ("voisins", "tiers", "orphelins", "neighbours 17 2"):
            assert refused(bet(announced, **wrong)) == "bad_bet"


def test_other_errors_of_a_record():
    assert refused(bet("red", amount=501)) == "chip_multiple"
    assert refused(bet("voisins", unit=101)) == "chip_multiple"
    assert refused(bet("red", amount=501, late=True)) == "chip_multiple", "no chip makes it, whenever it is laid"
    assert refused(bet("red", amount=501), table=None) == "chip_multiple", "the smallest chip is 2 where zero halves"
    assert refused(bet("red", amount=-500)) == "bad_record"
    assert refused(bet("red", amount=500), table={"chip": 1}) == "bad_record"
    assert refused(bet("red", amount=500), table={"chip": 25}) == "bad_record"
    assert refused(bet("red", amount=500), boxes=[]) == "bad_record"
    assert refused(bet("red", amount=500), dealer={}) == "bad_record"
    assert refused(bet("red", amount=500), board="As") == "bad_record"
    assert refused(bet("red", amount=500), progressive={"meter": 5}) == "not_offered"
    assert refused(bet("red", amount=500), misdeal={"kind": "exposed_card"}) == "not_offered"


@pytest.mark.parametrize("left_out", ["bets", "result"])
def test_a_spin_has_bets_and_a_result(left_out):
    body = {"ruleset": "roulette-ua", "bets": [], "result": 0}
    del body[left_out]
    record = msgspec.convert(body, Record)
    with pytest.raises(Refusal) as caught:
        settle_record(SHEET, limits_of(SHEET, record.table), record)
    assert caught.value.code == "bad_record"


def test_the_refusal_names_the_first_bad_bet():
    with pytest.raises(Refusal, match="bet 2: 'green'"):
        settle(bet("red", amount=500), bet("green", amount=500), bet("red", amount=501))


def test_a_spin_without_wagers_is_settled():
    assert settle() == {"bets": [], "house_net": 0}


def test_over_the_maximum_the_excess_goes_back_and_the_rest_plays():
    won = entry("red", amount=60000, result=1)
    assert (won["amount"], won["returned"], won["taken"], won["paid"], won["net"]) == (60000, 60000, 0, 50000, 50000)
    lost = entry("red", amount=60000, result=2)
    assert (lost["returned"], lost["taken"], lost["paid"]) == (10000, 50000, 0)
    halved = entry("red", amount=60000, result=0)
    assert (halved["returned"], halved["taken"]) == (35000, 25000)
    assert "refused" not in lost


def test_the_two_units_on_one_spot_are_one_wager_to_the_maximum():
    table = TABLE | {"max": 150}
    # Nine units of 100: 0-2-3 and 25-26-28-29 hold 200 each, of which 150 play; 100 go back.
    on_zero = entry("voisins", unit=100, table=table, result=0)
    assert (on_zero["amount"], on_zero["returned"], on_zero["taken"], on_zero["paid"]) == (900, 250, 650, 1650)
    elsewhere = entry("voisins", unit=100, table=table, result=17)
    assert (elsewhere["returned"], elsewhere["taken"], elsewhere["paid"]) == (100, 800, 0)
    assert entry("voisins", unit=200, table=table, result=4)["paid"] == 150 * 17, "every spot has the maximum"
    assert entry("tiers", unit=150, table=table, result=5)["returned"] == 150, "one unit a spot: nothing over"


def test_a_sheet_may_count_the_maximum_by_the_chip():
    sheet = load_text(SHEET.text.replace('maximum_of = "spot"', 'maximum_of = "chip"'))
    (made,) = settle(bet("voisins", unit=100), result=0, table=TABLE | {"max": 150}, sheet=sheet)["bets"]
    assert (made["returned"], made["paid"]) == (200, 2200)
    (made,) = settle(bet("voisins", unit=200), result=0, table=TABLE | {"max": 150}, sheet=sheet)["bets"]
    assert (made["returned"], made["taken"], made["paid"]) == (9 * 50 + 300, 7 * 150, 3300)


def test_a_sheet_may_ask_the_minimum_of_the_total():
    sheet = load_text(SHEET.text.replace('minimum_of = "unit"', 'minimum_of = "total"'))
    (made,) = settle(bet("voisins", unit=98), sheet=sheet)["bets"]
    assert "refused" not in made


def test_a_sheet_may_take_or_leave_even_chances_on_zero():
    for rule, back in (("taken", 0), ("returned", 501)):
        sheet = load_text(SHEET.text.replace('even_chance = "halved"', f'even_chance = "{rule}"'))
        (made,) = settle(bet("red", amount=501), result=0, table=TABLE | {"chip": 1}, sheet=sheet)["bets"]
        assert (made["returned"], made["taken"]) == (back, 501 - back), "and no chip need be even"


def test_a_maximum_between_two_chips_is_met_by_the_lower():
    made = entry("red", amount=1000, table={"chip": 50, "min": 50, "max": 120}, result=0)
    assert (made["returned"], made["taken"]) == (950, 50)


def test_without_a_sign_any_even_amount_plays():
    assert entry("straight 17", amount=2, table=None)["paid"] == 70
    assert entry("straight 17", amount=10**12, table=None)["paid"] == 35 * 10**12


def test_a_no_spin_settles_nothing():
    made = settle(
        bet("red", amount=1000), bet("voisins", unit=100), bet("red", amount=60000),
        bet("red", amount=1000, late=True), bet("split 1-36", amount=1000), bet("red", amount=98), result=None,
    )  # fmt: skip
    assert [b["returned"] for b in made["bets"]] == [0, 0, 0, 1000, 1000, 98]
    assert [b["amount"] for b in made["bets"]] == [1000, 900, 60000, 1000, 1000, 98]
    assert all(b["taken"] == b["paid"] == b["net"] == 0 for b in made["bets"])
    assert made["house_net"] == 0


def test_a_no_spin_is_read_as_strictly_as_any_other():
    assert refused(bet("green", amount=1000), result=None) == "bad_bet"


def test_the_record_of_the_round_record_page():
    made = settle(
        {"player": "A", "on": "split 8-11", "amount": 500},
        {"player": "B", "on": "voisins", "unit": 100},
        {"player": "B", "on": "neighbours 17 2", "unit": 100},
        {"player": "C", "on": "red", "amount": 1000, "late": True},
    )
    assert made == {
        "bets": [
            {"player": "A", "on": "split 8-11", "amount": 500, "returned": 0, "taken": 500, "paid": 0, "net": -500},
            {"player": "B", "on": "voisins", "amount": 900, "returned": 0, "taken": 900, "paid": 0, "net": -900},
            {
                "player": "B",
                "on": "neighbours 17 2",
                "amount": 500,
                "returned": 100,
                "taken": 400,
                "paid": 3500,
                "net": 3100,
            },
            {
                "player": "C",
                "on": "red",
                "amount": 1000,
                "returned": 1000,
                "taken": 0,
                "paid": 0,
                "net": 0,
                "refused": "late",
            },
        ],
        "house_net": -1700,
    }


def test_two_players_wagers_do_not_touch():
    one, other = settle(bet("red", amount=50000), bet("red", amount=50000, player="B"), result=1)["bets"]
    assert one["paid"] == other["paid"] == 50000, "the maximum is of each wager"
