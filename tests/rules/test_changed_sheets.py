"""A house writes its own sheet: every gap that was closed, and more, can be closed otherwise by changing data alone."""

import json
from collections.abc import Callable
from random import Random

import msgspec
import pytest

from domain import engine
from domain.engine.boxes.meter import RecordMeter
from domain.ruleset import Ruleset, load_text, shipped
from domain.settle import decode_record, settle_line
from tests.rules.rounds import GAME, NO_GAME, Json, box, record
from tests.walk import METER, SEED, walk

CARDS = "9d 9s 6c 4h 2c"
FLUSH = "Kd Td 6d 4d 2d"
OASIS_FEES = """fees = [
  { cards = 1, antes = "1" }, { cards = 2, antes = "2" }, { cards = 3, antes = "3" },
  { cards = 4, antes = "2" }, { cards = 5, antes = "1" },
]"""
Change = tuple[str, str, str]
"""Sheet, text in it, text instead."""

CHANGES: dict[str, Change] = {
    "oasis-fees": ("oasis-ua", 'fees = [{ cards = 1, antes = "1" }]', OASIS_FEES),
    "quarter-antes": ("oasis-ua", '{ cards = 1, antes = "1" }', '{ cards = 1, antes = "0.25" }'),
    "half-insured": ("exchange-ru", 'most = "1"', 'most = "0.5"'),
    "any-dealer": ("caribbean-gr", 'qualifier = "ace-king"', 'qualifier = "any"'),
    "pair-of-tens": ("vesuvius-ro", 'qualifier = "ace-king"', 'qualifier = "pair of 10"'),
    "bet-of-one-ante": ("oasis-ua", '[bet]\nclause = "O.bet"\nantes = "2"', '[bet]\nclause = "O.bet"\nantes = "1"'),
    "half-odds": ("oasis-ua", '"pair" = "1:1"', '"pair" = "3:4"'),
    "swap-and-buy": ("vesuvius-ro", "with_swap = false", "with_swap = true"),
    "still-no-game-paid": ("vesuvius-ro", 'still_no_game = "ante-returned"', 'still_no_game = "ante-paid"'),
    "decliners-ride": ("russian-ua", 'decliners = "no-game"', 'decliners = "final-hand"'),
    "fee-back": ("russian-ua", 'fee = "taken"', 'fee = "returned-on-no-game"'),
    "insured-to-the-end": ("russian-ua", 'insurance = "first-cards"', 'insurance = "final-hand"'),
    "push-insured": ("russian-ua", 'push = "taken"', 'push = "returned"'),
    "redraw": ("russian-ua", "redraw = false", "redraw = true"),
    "blind-swaps": ("russian-ua", "may = []", 'may = ["dealer_card"]'),
    "two-blind-or-none": ("russian-ua", "counts = [1, 2]", "counts = [2]"),
    "three-open-first": ("exchange-ru", "needs_open = 1", "needs_open = 3"),
    "two-pairs-unpaid": ("exchange-ru", '"two pairs" = "1:1" # (†) the cell is empty', '"two pairs" = "1:2"'),
    "bonus-plays-on": ("oasis-ua", 'at_swap = "taken"\nat_fold = "taken"', 'at_swap = "plays"\nat_fold = "plays"'),
    "bonus-of-the-final-hand": ("vesuvius-ro", 'on = "first-cards"', 'on = "final-hand"'),
    "bonus-back": ("caribbean-gr", 'stake_when_won = "taken"', 'stake_when_won = "returned"'),
    "cap-counts-the-ante": ("caribbean-ee", 'kinds = ["bet", "insurance"] # (†)', 'kinds = ["ante", "bet"]'),
    "time-out-bets-ace-king": ("caribbean-ee", 'bet_from = "pair"', 'bet_from = "ace-king"'),
    "half-the-meter": ("caribbean-ee", "percent = 100", "percent = 50"),
    "flop-of-four": ("texas-ua", "before = 3\nafter = 2", "before = 4\nafter = 1"),
}


def changed(name: str) -> Ruleset:
    sheet, old, new = CHANGES[name]
    text = shipped(sheet).text
    assert text.count(old) >= 1, name
    return load_text(text.replace(old, new))


def settled(name: str, *boxes: Json, dealer: str = GAME, **more: object) -> Json:
    ruleset = changed(name)
    answer = settle_line(
        json.dumps(record(ruleset.id, *boxes, dealer=dealer, **more)).encode(), rulesets=lambda _: ruleset
    )
    told: Json = json.loads(answer)
    return told


def first(name: str, *boxes: Json, **more: object) -> Json:
    told: Json = settled(name, *boxes, **more)["boxes"][0]  # type: ignore[arg-type]
    return told


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_oasis_with_one_two_three_two_one_antes(count: int) -> None:
    out, cards_in = CARDS.replace(" ", "")[: 2 * count], "TsTdThTcJs"[: 2 * count]
    told = first("oasis-fees", box(CARDS, f"swap {out} {cards_in}", "fold"))
    assert told["taken"]["swap"] == 1000 * [1, 2, 3, 2, 1][count - 1]


def test_prices_in_quarters_ask_for_chips_that_can_be_quartered() -> None:
    ruleset = changed("quarter-antes")
    assert ruleset.chip_step == 4
    told = first("quarter-antes", box(CARDS, "swap 2c Ts", "fold", ante=100))
    assert told["taken"]["swap"] == 25
    assert settled("quarter-antes", box(CARDS, "fold", ante=100), table={"chip": 2})["error"]["code"] == "bad_record"


def test_odds_in_parts_of_the_bet_ask_for_whole_chips_only_where_needed() -> None:
    assert changed("half-odds").chip_step == 2
    assert first("half-odds", box(CARDS, "bet", ante=100))["paid"] == {"ante": 100, "bet": 150}


def test_insurance_of_half_the_win() -> None:
    code = settled("half-insured", box(FLUSH, "insure 5002", "bet"))["error"]["code"]
    assert code == "insurance_limits"
    assert first("half-insured", box(FLUSH, "insure 5000", "bet"))["taken"] == {"insurance": 5000}


def test_another_qualifier() -> None:
    assert first("any-dealer", box(CARDS, "bet"), dealer=NO_GAME)["paid"] == {"ante": 1000, "bet": 2000}
    nines = {"dealer": "9h 9c 8c 7s 3h"}
    assert first("pair-of-tens", box("Td Ts 6c 4h 2c", "bet"), **nines)["paid"] == {"ante": 1000}
    tens = {"dealer": "Th Tc 8c 7s 3h"}
    assert first("pair-of-tens", box("Jd Js 6c 4h 2c", "bet"), **tens)["paid"] == {"bet": 2000}


def test_the_highest_of_a_pair_that_is_no_game_is_drawn_for_as_any_card() -> None:
    told = settled("pair-of-tens", box(CARDS, "bet", "dealer_card"), dealer="8h 8c 7s 4d 3h", drawn="8d Ts")
    assert told["dealer"] == {"hand": "pair", "qualifies": False, "final": "high card"}


def test_swap_and_buy_both() -> None:
    told = first("swap-and-buy", box(CARDS, "swap 2c Ts", "buy Td", "fold"))
    assert told["taken"] == {"ante": 1000, "swap": 1000, "buy": 1000}
    told = first("swap-and-buy", box(CARDS, "buy Td", "swap 2c Ts", "fold"))
    assert told["hand"] == "two pairs"


def test_the_dealers_card_on_other_terms() -> None:
    buys, declines = box(CARDS, "bet", "dealer_card"), box("Td Ts 6h 4c 2h", "bet", number=2)
    still, game = {"dealer": NO_GAME, "drawn": "Kd"}, {"dealer": NO_GAME, "drawn": "8h"}
    assert first("still-no-game-paid", buys, **still)["paid"] == {"ante": 1000}
    assert first("fee-back", buys, **still)["returned"]["dealer_card"] == 1000
    assert first("fee-back", buys, **game)["taken"] == {"dealer_card": 1000}
    assert settled("decliners-ride", buys, declines, **game)["boxes"][1]["paid"] == {"bet": 2000}  # type: ignore[arg-type]
    insured = box(FLUSH, "insure 5000", "bet", "dealer_card")
    assert first("insured-to-the-end", insured, **game)["taken"] == {"insurance": 5000, "dealer_card": 1000}
    assert first("redraw", buys, dealer=NO_GAME, drawn="Qh 8h")["paid"] == {"bet": 2000}


def test_insurance_back_on_a_push() -> None:
    told = first("push-insured", box("6d 5s 4c 3d 2c", "insure 8000", "bet"), dealer="6h 5c 4s 3h 2s")
    assert told["returned"] == {"ante": 1000, "bet": 2000, "insurance": 8000}


def test_blind_boxes_on_other_terms() -> None:
    opens = [box(CARDS, "fold", number=n + 1, player="A") for n in range(1)]
    opens.append(box("Td Ts 6h 4c 2h", "fold", number=2, player="A"))
    blind = box("5d 5s 7h Jd 2d", number=3, player="A", blind=True)
    code = settled("two-blind-or-none", *opens, blind)["error"]
    assert (code["code"], code["box"]) == ("too_many_boxes", 3)
    buying = blind | {"play": [{"do": "dealer_card"}]}
    told = settled("blind-swaps", *opens, buying, dealer="Qd Jc 8c 7s 3h", drawn="8h")
    assert told["boxes"][2]["taken"] == {"ante": 1000, "bet": 2000, "dealer_card": 1000}
    code = settled("three-open-first", *opens, blind)["error"]
    assert (code["code"], code["box"]) == ("too_many_boxes", 3)


def test_the_bonus_on_other_terms() -> None:
    assert first("bonus-plays-on", box(FLUSH, "fold", bonus=1000))["paid"] == {"bonus": 25000}
    assert first("bonus-plays-on", box(FLUSH, "swap Kd Ad", "bet", bonus=1000))["paid"]["bonus"] == 25000
    final = box("Kd Td 6d 4d 2s", "swap 2s 2d", "bet", bonus=500)
    assert first("bonus-of-the-final-hand", final)["paid"] == {"bet": 10000, "bonus": 2500}
    assert first("bonus-back", box(FLUSH, "bet", bonus=100))["returned"]["bonus"] == 100


def test_cap_time_out_and_jackpot_on_other_terms() -> None:
    told = first("cap-counts-the-ante", box(CARDS, "bet"), table={"max_payout_per_box": 2500})
    assert (told["paid"], told["capped"]) == ({"ante": 500, "bet": 2000}, 500)
    assert "bet" in first("time-out-bets-ace-king", box("As Kd Qh 9c 2d"))["stakes"]
    royal = box("As Ks Qs Js Ts", "fold", jackpot=50)
    other = box("Ad Kd Qd Jd Td", "fold", number=2, jackpot=50)
    told = settled("half-the-meter", royal, other, dealer="9h 9c 8c 7s 3h", progressive={"meter": 1001, "seed": 10})
    assert [b["paid"]["jackpot"] for b in told["boxes"]] == [500, (1001 - 500 + 10) // 2]


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_sheet_plays_live_as_it_settles(name: str) -> None:
    ruleset = changed(name)
    always: Callable[[str], Ruleset] = lambda _: ruleset  # noqa: E731
    for seed in range(40):
        played = walk(ruleset, Random(seed), misdeals=0.1)
        line = json.dumps(played.record).encode()
        fresh = engine.begin(ruleset, played.limits, "T-1", 1)
        for event in engine.play_record(fresh, decode_record(line), RecordMeter(METER, SEED)):
            fresh = engine.evolve(fresh, event)
        live = msgspec.json.encode(engine.settlement(played.state))
        assert live == msgspec.json.encode(engine.settlement(fresh)) == settle_line(line, always)
