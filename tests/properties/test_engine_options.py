"""What the engine offers is what it accepts: no more, no less, and asking changes nothing."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import engine
from domain.cards import text_of
from domain.engine import commands as moves
from domain.engine.boxes.meter import RecordMeter
from domain.refusals import CODES, Refusal
from domain.ruleset import shipped, shipped_ids
from tests.walk import METER, SEED, Shoe, walk

SHEETS = [ruleset_id for ruleset_id in shipped_ids() if shipped(ruleset_id).engine != "roulette"]


def accepts(state: Any, command: moves.Command) -> bool:
    """Whether the engine takes a command; a refusal has a code of the closed list and touches nothing."""
    try:
        engine.decide(state, command, RecordMeter(METER, SEED))
    except Refusal as refusal:
        return not (refusal.code in CODES and refusal.detail)
    return True


def attempts(state: Any, shoe: Shoe) -> list[tuple[tuple[Any, ...], moves.Command]]:
    """Every kind of command for every box, with cards that are new: (what it is, the command)."""
    left = lambda count: " ".join(shoe.draw(state, count))  # noqa: E731
    tried: list[tuple[tuple[Any, ...], moves.Command]] = [
        (("upcard",), moves.DealUpcard(card=left(1))),
        (("draw",), moves.DrawDealer(cards=_stays(state, shoe))),
        (("stop",), moves.StopRound(reason="power cut")),
        (("open",), moves.OpenRound(boxes=(moves.Seat(box=1, ante=state.limits.min),))),
    ]
    tried += [(("board", count), moves.DealBoard(cards=left(count))) for count in (1, 2, 3, 5)]
    up = [text_of([state.upcard])] if state.upcard else []
    tried.append(
        (("dealer",), moves.RevealDealer(cards=" ".join([*left(state.play.dealer_cards - len(up)).split(), *up])))
    )
    for kind in ("player_count", "dealer_count", "exposed_card", "order_touched", "order_unrestorable"):
        tried.append((("misdeal", kind, None), moves.CallMisdeal(kind=kind)))
        tried += [(("misdeal", kind, b.number), moves.CallMisdeal(kind=kind, box=b.number)) for b in state.boxes]
    for box in state.boxes:
        tried += _of_box(state, box, shoe)
    return tried


def _stays(state: Any, shoe: Shoe) -> str:
    """A card that the dealer would keep."""
    rank = max((name[0] for name in text_of(state.dealer).split()), key="23456789TJQKA".index, default="")
    return next(name for name in shoe.draw(state, 5) if name[0] != rank)


def _of_box(state: Any, box: Any, shoe: Shoe) -> list[tuple[tuple[Any, ...], moves.Command]]:
    number = box.number
    new = lambda count: " ".join(shoe.draw(state, count))  # noqa: E731
    tried: list[tuple[tuple[Any, ...], moves.Command]] = [
        (("cards", number, state.play.hand_cards), moves.DealCards(box=number, cards=new(state.play.hand_cards))),
        (("time_out", number), moves.TimeOut(box=number)),
        (("decline_dealer_card", number), moves.DeclineDealerCard(box=number)),
        (("buy", number), moves.Act(box=number, do="buy", cards_in=new(1))),
        (("bet", number), moves.Act(box=number, do="bet")),
        (("fold", number), moves.Act(box=number, do="fold")),
        (("dealer_card", number), moves.Act(box=number, do="dealer_card")),
    ]
    for count in range(1, 1 + len(box.cards)):
        if count <= len(engine.remaining(state)):
            out = text_of(box.cards[:count])
            tried.append((("swap", number, count), moves.Act(box=number, do="swap", out=out, cards_in=new(count))))
    return tried


def offered(state: Any) -> set[tuple[Any, ...]]:
    """The options in the words of `attempts`."""
    said: set[tuple[Any, ...]] = set()
    for option in engine.next_actions(state):
        do, number = option["do"], option.get("box")
        if do == "swap":
            said |= {(do, number, count) for count in option["counts"]}
        elif do == "misdeal":
            boxes = option.get("boxes")
            said |= {(do, option["kind"], b.number) for b in state.boxes if boxes is None or b.number in boxes}
            said |= {(do, option["kind"], None)} if boxes is None else set()
        elif do == "cards":
            said.add((do, number, option["count"]))
        elif do == "board":
            said.add((do, option["count"]))
        elif do != "insure":
            said.add((do,) if number is None else (do, number))
    return said


def check(state: Any, shoe: Shoe) -> None:
    before = engine.next_actions(state)
    options = offered(state)
    for what, command in attempts(state, shoe):
        assert accepts(state, command) == (what in options), (what, before)
    insure = {option["box"]: option for option in before if option["do"] == "insure"}
    for box in state.boxes:
        option = insure.get(box.number)
        chip = state.limits.chip
        tried = [chip, 10 * chip] if option is None else []
        if option is not None:
            assert all(
                accepts(state, moves.Act(box=box.number, do="insure", amount=option[end])) for end in ("min", "max")
            )
            tried = [option["min"] - chip, option["max"] + chip]
        for amount in tried:
            assert not accepts(state, moves.Act(box=box.number, do="insure", amount=amount)), (amount, option)
    assert engine.next_actions(state) == before


@pytest.mark.parametrize("sheet", SHEETS)
@given(seed=st.integers(0, 2**48))
@settings(max_examples=25, deadline=None)
def test_the_engine_accepts_exactly_what_it_offers(sheet: str, seed: int) -> None:
    rng = Random(seed)
    played = walk(shipped(sheet), rng, misdeals=0.1)
    state = engine.begin(played.ruleset, played.limits, "T-1", 1)
    shoe = Shoe(rng)
    for event in played.events:
        if type(event).__module__.endswith("outcome"):
            break
        # A stake and its act lie between two commands: only states that a command left behind are asked.
        if not type(event).__name__.endswith(("FeePlaced", "Opened", "AntePlaced", "BonusPlaced", "JackpotStaked")):
            state = engine.evolve(state, event)
            if not getattr(event, "blind", False) and not engine.outputs(state, RecordMeter(METER, SEED)):
                check(state, shoe)
        else:
            state = engine.evolve(state, event)
    assert accepts(engine.begin(played.ruleset, played.limits, "T-2", 2), moves.StopRound(reason="early")) is False


@pytest.mark.parametrize("sheet", SHEETS)
@given(seed=st.integers(0, 2**48))
@settings(max_examples=25, deadline=None)
def test_a_copy_goes_its_own_way(sheet: str, seed: int) -> None:
    played = walk(shipped(sheet), Random(seed))
    state = engine.begin(played.ruleset, played.limits, "T-1", 1)
    for event in played.events:
        twin = state.copy()
        options, left = engine.next_actions(state), engine.remaining(state)
        engine.evolve(twin, event)
        assert (engine.next_actions(state), engine.remaining(state)) == (options, left)
        state = engine.evolve(state, event)


@pytest.mark.parametrize("sheet", SHEETS)
@given(seed=st.integers(0, 2**48))
@settings(max_examples=25, deadline=None)
def test_no_box_is_paid_more_than_was_said_it_could_be(sheet: str, seed: int) -> None:
    played = walk(shipped(sheet), Random(seed))
    kinds = played.ruleset.play.cap_kinds
    due = {
        box.number: sum(
            e.due for e in played.events if getattr(e, "due", 0) and e.box == box.number and e.kind in kinds
        )
        for box in played.state.boxes
    }
    state = engine.begin(played.ruleset, played.limits, "T-1", 1)
    for event in played.events:
        if type(event).__module__.endswith("outcome"):
            break
        state = engine.evolve(state, event)
        for exposed in engine.exposure(state):
            assert exposed.most_payable >= due[exposed.box], (event, exposed)
            assert exposed.staked > 0
            assert exposed.headroom is None or exposed.headroom == exposed.cap - exposed.most_payable
