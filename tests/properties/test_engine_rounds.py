"""What holds for any legal round of any sheet of boxes, whichever door it comes through."""

import json
from collections import Counter
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import engine
from domain.engine.boxes.meter import RecordMeter
from domain.events.base import Event
from domain.events.jackpot import JackpotHit
from domain.events.outcome import PayoutMade, RoundClosed, StakeReturned, StakeTaken
from domain.events.play import DealerCardsDrawn
from domain.ruleset import shipped, shipped_ids
from domain.settle import decode_record, settle_line
from tests.walk import METER, SEED, Walk, walk

SHEETS = [ruleset_id for ruleset_id in shipped_ids() if shipped(ruleset_id).engine != "roulette"]
sheets = pytest.mark.parametrize("sheet", SHEETS)
seeds = st.integers(0, 2**48)


def a_round(sheet: str, seed: int, misdeals: float = 0.0) -> Walk:
    return walk(shipped(sheet), Random(seed), misdeals=misdeals)


def as_json(settlement: object) -> bytes:
    return msgspec.json.encode(settlement)


@sheets
@given(seed=seeds)
@settings(max_examples=60, deadline=None)
def test_every_stake_is_taken_or_returned_and_the_nets_are_the_houses(sheet: str, seed: int) -> None:
    played = a_round(sheet, seed, misdeals=0.2)
    told = msgspec.to_builtins(engine.settlement(played.state))
    cap = played.limits.max_payout_per_box
    for box in told["boxes"]:
        both = Counter(box["returned"]) + Counter(box["taken"])
        assert both == Counter(box["stakes"])
        assert box["net"] == sum(box["paid"].values()) - sum(box["taken"].values())
        assert all(amount > 0 for kind in ("stakes", "returned", "taken", "paid") for amount in box[kind].values())
        counted = sum(box["paid"].get(kind, 0) for kind in played.ruleset.play.cap_kinds)
        assert box["capped"] >= 0
        if cap is not None and "void" not in box:
            assert counted <= cap
            assert box["capped"] == 0 or counted == cap
    assert told["house_net"] == -sum(box["net"] for box in told["boxes"])


@sheets
@given(seed=seeds)
@settings(max_examples=60, deadline=None)
def test_live_play_the_record_and_settle_agree(sheet: str, seed: int) -> None:
    played = a_round(sheet, seed, misdeals=0.2)
    line = json.dumps(played.record).encode()
    fresh = engine.begin(played.ruleset, played.limits, "T-1", 1)
    events = engine.play_record(fresh, decode_record(line), RecordMeter(METER, SEED))
    assert not fresh.opened
    for event in events:
        fresh = engine.evolve(fresh, event)
    assert as_json(engine.settlement(played.state)) == as_json(engine.settlement(fresh)) == settle_line(line)


@sheets
@given(seed=seeds)
@settings(max_examples=60, deadline=None)
def test_a_record_gives_the_events_that_the_live_table_gave(sheet: str, seed: int) -> None:
    played = a_round(sheet, seed)
    record = decode_record(json.dumps(played.record).encode())
    events = engine.play_record(engine.begin(played.ruleset, played.limits, "T-1", 1), record, RecordMeter(METER, SEED))
    told, lived = _draws_joined(events), _draws_joined(played.events)
    if played.in_turn:
        assert told == lived
    else:
        assert sorted(map(repr, told)) == sorted(map(repr, lived))


def _draws_joined(events: list[Event]) -> list[Event]:
    """The cards drawn for the dealer come one at a time at a live table and in one go in a record."""
    drawn = [event for event in events if isinstance(event, DealerCardsDrawn)]
    cards = " ".join(event.cards for event in drawn)
    joined = [msgspec.structs.replace(drawn[0], cards=cards)] if drawn else []
    rest = [event for event in events if not isinstance(event, DealerCardsDrawn)]
    return [*joined, *rest]


@sheets
@given(seed=seeds)
@settings(max_examples=40, deadline=None)
def test_the_outputs_follow_from_the_inputs_alone(sheet: str, seed: int) -> None:
    played = a_round(sheet, seed, misdeals=0.2)
    state = engine.begin(played.ruleset, played.limits, "T-1", 1)
    outputs: list[Event] = []
    for place, event in enumerate(played.events):
        outputs = engine.outputs(state, RecordMeter(METER, SEED))
        if outputs:
            assert outputs == played.events[place:]
            break
        state = engine.evolve(state, event)
    assert isinstance(outputs[-1], RoundClosed)


@sheets
@given(seed=seeds)
@settings(max_examples=40, deadline=None)
def test_the_close_sums_up_what_was_said(sheet: str, seed: int) -> None:
    played = a_round(sheet, seed, misdeals=0.2)
    closed = played.events[-1]
    assert isinstance(closed, RoundClosed)
    taken = sum(e.amount for e in played.events if isinstance(e, StakeTaken))
    returned = sum(e.amount for e in played.events if isinstance(e, StakeReturned))
    paid = sum(e.paid for e in played.events if isinstance(e, PayoutMade))
    awarded = sum(e.award for e in played.events if isinstance(e, JackpotHit))
    assert (closed.taken, closed.returned, closed.paid) == (taken, returned, paid + awarded)
    assert closed.staked == taken + returned
    assert closed.house_net == taken - paid - awarded
    assert closed.house_net == engine.settlement(played.state).house_net  # type: ignore[attr-defined]
    assert all(e.due == e.paid + e.capped for e in played.events if isinstance(e, PayoutMade))
    assert all(e.clause for e in played.events if isinstance(e, StakeTaken | StakeReturned | PayoutMade))
