"""What is wrong with a record is refused by the name it has, and nothing at all makes the settling fall over."""

import json
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.refusals import RECORD_CODES
from domain.ruleset import shipped, shipped_ids
from domain.settle import settle_line
from tests.mutants import faults_of_acts, faults_of_boxes, faults_of_shape
from tests.mutants.breaking import ANY, broken_once
from tests.mutants.compared import a_round, judged
from tests.mutants.damage import damaged

OF_BOXES = {**faults_of_acts.FAULTS, **faults_of_boxes.FAULTS}
FAULTS = {**OF_BOXES, **faults_of_shape.FAULTS}


@cache
def some_rounds() -> tuple[tuple[str, int, dict[str, Any]], ...]:
    """Rounds of every sheet that are not void: in a void box acts and cards are not looked at closely."""
    rounds = [(sheet, seed, a_round(shipped(sheet), seed)) for seed in range(300) for sheet in shipped_ids()]
    return tuple((sheet, seed, record) for sheet, seed, record in rounds if "misdeal" not in record)


@pytest.mark.parametrize("name", FAULTS)
def test_one_thing_wrong_is_refused_by_its_name(name: str) -> None:
    put_in = 0
    for sheet, seed, record in some_rounds():
        if put_in == 60:
            break
        if shipped(sheet).engine == "roulette" and name in OF_BOXES:
            continue
        broken = broken_once(shipped(sheet), Random(seed), record, FAULTS[name])
        if broken is None:
            continue
        put_in += 1
        error = json.loads(settle_line(broken.line)).get("error", {})
        assert error.get("code") == broken.code, (sheet, broken.line)
        assert broken.box == ANY or error.get("box") == broken.box, (sheet, error, broken.line)
    assert put_in >= 8, "the rounds have too little of what this breaks"


def test_of_two_boxes_with_something_wrong_the_first_is_named() -> None:
    tried = 0
    for sheet, _, record in some_rounds():
        boxes = record.get("boxes", [])
        if len({box.get("player", box["box"]) for box in boxes}) < len(boxes) or len(boxes) < 2:
            continue
        wrong = json.loads(json.dumps(record))
        for box in wrong["boxes"]:
            box["ante"] = 0
        error = json.loads(settle_line(json.dumps(wrong).encode()))["error"]
        assert (error["code"], error["box"]) == ("stake_limits", min(box["box"] for box in boxes)), sheet
        tried += 1
    assert tried > 100


@pytest.mark.parametrize("sheet", shipped_ids())
@given(seed=st.integers(0, 2**48))
@settings(max_examples=150, deadline=None)
def test_a_damaged_record_is_settled_or_refused(sheet: str, seed: int) -> None:
    line = damaged(a_round(shipped(sheet), seed), Random(seed))
    answer = json.loads(settle_line(line))
    if "error" in answer:
        assert set(answer) == {"error"}
        assert answer["error"]["code"] in RECORD_CODES
        assert set(answer["error"]) <= {"code", "box", "detail"}
        assert type(answer["error"].get("box", 0)) is int
        return
    record = json.loads(line)
    if "misdeal" in record:
        # A void box may tell of acts that no box in play could do: they are read for what was put up.
        assert all(box["paid"] == {} for box in answer["boxes"] if box.get("void") and sheet != "exchange-ru")
        return
    assert judged(shipped(record["ruleset"]), record, answer) == []
