"""Records with something broken in them: `settle` answers every one, and what it settles is still whole."""

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, structs

from domain import engine
from domain.cards import NAMES
from domain.engine.boxes.meter import RecordMeter
from domain.engine.sign import limits_of
from domain.refusals import RECORD_CODES, Refusal
from domain.ruleset import shipped, shipped_ids
from domain.settle import decode_record, settle_line
from tests.walk import METER, SEED, walk

SHEETS = [ruleset_id for ruleset_id in shipped_ids() if shipped(ruleset_id).engine != "roulette"]
JUNK: list[Any] = [None, True, -1, 0, 1, 3, 10**9, 2**70, 0.5, "", "As", "As Kd", "bet", [], {}, [[]], "🂡"]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) in a record."""
    found: list[tuple[Any, Any]] = []
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            found.append((value, key))
            found += places(value[key])
    return found


def mutate(record: dict[str, Any], rng: Random) -> None:
    container, key = rng.choice(places(record))
    kind = rng.choice([0, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5])
    if kind == 0 and isinstance(container, dict):
        del container[key]
    elif kind == 1:
        container[key] = deepcopy(rng.choice(JUNK))
    elif kind == 2 and isinstance(container[key], str):
        cards = [*container[key].split(), rng.choice(NAMES)]
        rng.shuffle(cards)
        container[key] = " ".join(cards[: rng.randint(0, len(cards))])
    elif kind == 3 and isinstance(container[key], int):
        container[key] += rng.choice([-1, 1, 50, -50])
    elif kind == 4 and isinstance(container[key], list):
        acts = ["bet", "fold", "dealer_card", "insure"]
        container[key].insert(rng.randint(0, len(container[key])), {"do": rng.choice(acts)})
    elif isinstance(container, dict):
        container[rng.choice(["colour", "play", "blind", "bonus", "jackpot", "drawn", "misdeal"])] = deepcopy(
            rng.choice(JUNK)
        )


@pytest.mark.parametrize("sheet", SHEETS)
@given(seed=st.integers(0, 2**48))
@settings(max_examples=150, deadline=None)
def test_a_broken_record_is_refused_by_code_or_settled_whole(sheet: str, seed: int) -> None:
    rng = Random(seed)
    record = walk(shipped(sheet), rng, misdeals=0.2).record
    for _ in range(rng.randint(1, 3)):
        mutate(record, rng)
    line = json.dumps(record).encode()
    answer = json.loads(settle_line(line))
    if "error" in answer:
        assert set(answer) == {"error"}
        assert answer["error"]["code"] in RECORD_CODES
        assert answer["error"]["detail"]
        return
    for box in answer["boxes"]:
        for kind, amount in box["stakes"].items():
            assert amount == box["returned"].get(kind, 0) + box["taken"].get(kind, 0)
    assert answer["house_net"] == -sum(box["net"] for box in answer["boxes"])


@pytest.mark.parametrize("sheet", SHEETS)
@given(seed=st.integers(0, 2**48))
@settings(max_examples=60, deadline=None)
def test_a_table_refuses_what_settle_refuses_and_for_the_same_reason(sheet: str, seed: int) -> None:
    rng = Random(seed)
    record = walk(shipped(sheet), rng, misdeals=0.2).record
    mutate(record, rng)
    line = json.dumps(record).encode()
    try:
        decoded = decode_record(line)
        limits = limits_of(shipped(sheet), decoded.table)
    except Refusal:
        return
    if decoded.ruleset != sheet:
        return
    answer = json.loads(settle_line(line))
    untabled = structs.replace(decoded, table=UNSET)
    try:
        engine.play_record(engine.begin(shipped(sheet), limits, "T-1", 1), untabled, RecordMeter(METER, SEED))
    except Refusal as refusal:
        assert answer["error"]["code"] == refusal.code, answer  # noqa: PT017
    else:
        assert "error" not in answer or answer["error"]["code"] == "missing_meter"
