"""Engine and shadow payer settle the same rounds alike, to the last figure, and the shadow finds what is not right."""

import ast
import copy
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import shadow
from domain.engine.sign import limits_of
from domain.ruleset import shipped, shipped_ids
from domain.settle import decode_record
from domain.shadow.hands import HANDS
from tests.golden import text as golden
from tests.mutants.compared import a_round, against, settled
from tests.mutants.sheets import CHANGES, changed

SHEETS = shipped_ids()
BOXES = [sheet for sheet in SHEETS if shipped(sheet).engine != "roulette"]


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_long_evening_is_settled_alike(sheet: str) -> None:
    ruleset = shipped(sheet)
    for seed in range(400):
        record = a_round(ruleset, seed)
        assert against(ruleset, record) == [], json.dumps(record)


@pytest.mark.parametrize("sheet", SHEETS)
@given(seed=st.integers(400, 2**48))
@settings(max_examples=80, deadline=None)
def test_any_legal_round_is_settled_alike(sheet: str, seed: int) -> None:
    record = a_round(shipped(sheet), seed)
    assert against(shipped(sheet), record) == [], json.dumps(record)


@pytest.mark.parametrize("name", CHANGES)
def test_a_sheet_that_nobody_has_printed_is_settled_alike(name: str) -> None:
    ruleset = changed(name)
    for seed in range(60):
        record = a_round(ruleset, seed)
        assert against(ruleset, record) == [], json.dumps(record)


@pytest.mark.parametrize("path", sorted(golden.ROUNDS.glob("*.txt")), ids=lambda path: path.stem)
def test_the_shadow_pays_the_rounds_worked_out_by_hand(path: Path) -> None:
    for case in golden.read(path):
        if "error" in case.expected:
            continue
        ruleset = shipped(case.record["ruleset"])
        limits = limits_of(ruleset, decode_record(json.dumps(case.record).encode()).table)
        assert shadow.disagreements(ruleset, limits, case.record, case.expected) == [], case.name


def test_the_rounds_are_rich_in_what_is_rare() -> None:
    hands: Counter[tuple[str, str | None]] = Counter()
    ends: Counter[tuple[str, str, str]] = Counter()
    for sheet in BOXES:
        for seed in range(1200 if sheet == "russian-ua" else 300):
            for box in settled(shipped(sheet), a_round(shipped(sheet), seed))["boxes"]:
                hands[box.get("hand", "void"), box.get("second")] += 1
                ends.update((sheet, end, kind) for end in ("returned", "taken", "paid") for kind in box[end])
                ends[sheet, "capped", "bet"] += box["capped"] > 0
    assert all(hands[hand, None] > 10 for hand in (*HANDS, "void"))
    seconds = {
        ("pair", "ace-king"), ("two pairs", "ace-king"), ("three of a kind", "ace-king"), ("two pairs", "two pairs"),
        ("straight", "straight"), ("flush", "flush"), ("flush", "pair"), ("full house", "full house"),
        ("full house", "ace-king"), ("four of a kind", "full house"), ("straight flush", "straight flush"),
        ("straight flush", "straight"), ("royal flush", "straight"),
    }  # fmt: skip
    assert seconds <= {pair for pair, count in hands.items() if count}
    expected = {
        ("russian-ua", "returned", "insurance"), ("russian-ua", "taken", "insurance"), ("oasis-ua", "paid", "bonus"),
        ("russian-ua", "paid", "insurance"), ("vesuvius-ro", "paid", "bonus"), ("vesuvius-ro", "taken", "dealer_card"),
        ("russian-ua", "taken", "buy"),
        ("exchange-ru", "taken", "swap"), ("caribbean-ee", "paid", "jackpot"),
        ("texas-ua", "capped", "bet"), ("russian-ua", "capped", "bet"), ("exchange-ru", "paid", "insurance"),
    }  # fmt: skip
    assert expected <= {end for end, count in ends.items() if count > 3}


def _a_settlement(sheet: str, seed: int) -> tuple[Any, Any, dict[str, Any], dict[str, Any]]:
    ruleset = shipped(sheet)
    record = a_round(ruleset, seed)
    limits = limits_of(ruleset, decode_record(json.dumps(record).encode()).table)
    return ruleset, limits, record, settled(ruleset, record)


@pytest.mark.parametrize("sheet", SHEETS)
def test_one_figure_changed_is_found_where_it_is(sheet: str) -> None:
    ruleset, limits, record, settlement = _a_settlement(sheet, 3)
    rows = "bets" if "bets" in settlement else "boxes"
    for place in range(len(settlement[rows])):
        doctored = copy.deepcopy(settlement)
        doctored[rows][place]["net"] += 1
        found = shadow.disagreements(ruleset, limits, record, doctored)
        assert [one.where for one in found] == [f"{rows}[{place}].net"]
        assert found[0].settled == found[0].shadow + 1  # type: ignore[operator]


def test_a_box_or_a_kind_too_many_is_found() -> None:
    ruleset, limits, record, settlement = _a_settlement("russian-ua", 1)
    more = copy.deepcopy(settlement)
    more["boxes"].append(more["boxes"][0])
    assert shadow.disagreements(ruleset, limits, record, more)
    more = copy.deepcopy(settlement)
    more["boxes"][0]["paid"]["jackpot"] = 5
    assert [one.where for one in shadow.disagreements(ruleset, limits, record, more)] == ["boxes[0].paid.jackpot"]


@pytest.mark.parametrize("sheet", SHEETS)
def test_payments_are_what_the_settlement_pays(sheet: str) -> None:
    for seed in range(60):
        ruleset, limits, record, settlement = _a_settlement(sheet, seed)
        paid = sum(shadow.payments(ruleset, limits, record).values())
        rows = settlement.get("bets") or settlement["boxes"]
        assert paid == sum(row["paid"] if sheet == "roulette-ua" else sum(row["paid"].values()) for row in rows)


@pytest.mark.parametrize("sheet", SHEETS)
def test_decoded_records_and_settlements_will_do_as_well(sheet: str) -> None:
    ruleset, limits, record, settlement = _a_settlement(sheet, 11)
    decoded = decode_record(json.dumps(record).encode())
    assert shadow.disagreements(ruleset, limits, decoded, settlement) == []


def test_what_the_shadow_cannot_judge_it_says_so() -> None:
    ruleset, limits, record, _ = _a_settlement("russian-ua", 1)
    for wrong in ({}, {**record, "boxes": [{}]}, {**record, "dealer": {"cards": "As"}}, {**record, "boxes": None}):
        with pytest.raises(shadow.ShadowUnsure):
            shadow.settle(ruleset, limits, wrong)


def test_the_shadow_shares_nothing_with_the_engine() -> None:
    allowed = ("domain.ruleset", "domain.cards", "domain.shadow")
    for path in Path(shadow.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            ours = [name for name in names if name.split(".")[0] in ("domain", "projections", "api", "deploy")]
            assert [name for name in ours if not name.startswith(allowed)] == [], path.name
