"""The live spin: commands in their order, the events that follow, what a round may be asked."""

import pytest

from domain import engine
from domain.engine.commands import (
    CallMisdeal,
    CallNoSpin,
    CallNumber,
    DealUpcard,
    OpenRound,
    PlaceWagers,
    Seat,
    StopRound,
    Wager,
)
from domain.engine.limits import Limits
from domain.events.outcome import PayoutMade, RoundClosed, RoundVoided, StakeReturned, StakeTaken
from domain.events.play import NoSpinCalled, NumberCalled, RoundOpened, RoundStopped, WagerPlaced
from domain.refusals import Refusal
from domain.ruleset import shipped

SHEET = shipped("roulette-ua")
LIMITS = Limits(chip=2, min=100, max=50000)


def spin():
    return engine.begin(SHEET, LIMITS, "R1", 7)


def after(state, *commands):
    events = []
    for command in commands:
        events = engine.decide(state, command)
        for event in events:
            state = engine.evolve(state, event)
    return state, events


def refused(state, command):
    with pytest.raises(Refusal) as caught:
        engine.decide(state, command)
    return caught.value.code


def lay(*wagers):
    return PlaceWagers(wagers=tuple(Wager(**w) for w in wagers))


RED = {"on": "red", "amount": 1000, "player": "A"}
OVER = {"on": "straight 0", "amount": 60000, "player": "B"}
SMALL = {"on": "red", "amount": 50, "player": "C"}
LATE = {"on": "voisins", "unit": 100, "late": True}


def test_a_round_opens_and_takes_wagers():
    state, events = after(spin(), OpenRound())
    assert events == [RoundOpened(round="R1", number=7, source="live")]
    state, events = after(state, lay(RED), lay(LATE))
    assert events == [WagerPlaced(round="R1", wager=2, on="voisins", amount=900, unit=100, late=True)]


def test_what_follows_a_number_in_the_dealers_order():
    _, events = after(spin(), OpenRound(), lay(RED, OVER, SMALL), CallNumber(number=0))
    assert events == [
        NumberCalled(round="R1", number=0),
        StakeReturned(round="R1", kind="red", amount=50, clause="L.minimum", reason="minimum", wager=3),
        StakeReturned(
            round="R1", kind="straight", amount=10000, clause="L.maximum", reason="over the maximum", wager=2
        ),
        StakeTaken(round="R1", kind="red", amount=500, clause="L.zero", reason="0: half back", wager=1),
        StakeReturned(round="R1", kind="red", amount=500, clause="L.zero", reason="0: half back", wager=1),
        StakeReturned(round="R1", kind="straight", amount=50000, clause="L.inside", reason="won on 0", wager=2),
        PayoutMade(
            round="R1", kind="straight", due=1750000, paid=1750000, clause="L.inside", odds="35:1", wager=2
        ),
        RoundClosed(
            round="R1", number=7, staked=61050, taken=500, returned=60550, paid=1750000, house_net=-1749500
        ),
    ]  # fmt: skip


def test_two_chips_of_an_announced_bet_win_together():
    _, events = after(spin(), OpenRound(), lay({"on": "orphelins", "unit": 100}), CallNumber(number=17))
    (paid,) = [e for e in events if isinstance(e, PayoutMade)]
    assert (paid.odds, paid.paid, paid.clause, paid.kind) == ("17:1 + 17:1", 3400, "L.orphelins", "orphelins")


def test_a_lost_dozen_names_the_zero_clause_on_zero_only():
    for number, clause in ((0, "L.zero"), (36, "L.outside")):
        _, events = after(spin(), OpenRound(), lay({"on": "dozen 1", "amount": 100}), CallNumber(number=number))
        (taken,) = [e for e in events if isinstance(e, StakeTaken)]
        assert taken.clause == clause


def test_stakes_of_a_no_spin_are_the_players_own():
    state, events = after(spin(), OpenRound(), lay(RED, OVER, LATE), CallNoSpin())
    reason = "no spin: the stake stands"
    assert events == [
        NoSpinCalled(round="R1"),
        StakeReturned(round="R1", kind="voisins", amount=900, clause="L.late", reason="late", wager=3),
        StakeReturned(round="R1", kind="red", amount=1000, clause="L.no-spin", reason=reason, wager=1),
        StakeReturned(round="R1", kind="straight", amount=60000, clause="L.no-spin", reason=reason, wager=2),
        RoundClosed(
            round="R1", number=7, staked=61900, taken=0, returned=61900, paid=0, house_net=0, void=True
        ),
    ]  # fmt: skip
    assert [bet.returned for bet in engine.settlement(state).bets] == [0, 0, 900]


def test_a_stopped_round_gives_everything_back():
    state, events = after(spin(), OpenRound(), lay(RED, LATE), StopRound(reason="fire alarm"))
    assert events[:2] == [
        RoundStopped(round="R1", reason="fire alarm"),
        RoundVoided(round="R1", clause="L.no-spin", reason="fire alarm"),
    ]
    closed = events[-1]
    assert (closed.void, closed.staked, closed.returned, closed.house_net) == (True, 1900, 1900, 0)
    assert [bet.returned for bet in engine.settlement(state).bets] == [1000, 900]


def test_inputs_at_the_wrong_moment():
    state = spin()
    assert refused(state, CallNumber(number=1)) == "no_open_round"
    assert refused(state, OpenRound(boxes=(Seat(box=1, ante=100),))) == "not_offered"
    state, _ = after(state, OpenRound())
    assert refused(state, OpenRound()) == "not_allowed_now"
    assert refused(state, CallNumber(number=37)) == "bad_record"
    assert refused(state, DealUpcard(card="As")) == "not_offered"
    assert refused(state, CallMisdeal(kind="exposed_card")) == "not_offered"
    assert refused(state, lay({"on": "green", "amount": 100})) == "bad_bet"
    with pytest.raises(Refusal) as caught:
        engine.settlement(state)
    assert caught.value.code == "not_allowed_now"
    state, _ = after(state, CallNumber(number=1))
    for command in (lay(RED), CallNumber(number=1), CallNoSpin(), StopRound(reason="late"), OpenRound()):
        assert refused(state, command) == "round_closed"


def test_a_refused_wager_in_a_batch_lays_none_of_it():
    state, _ = after(spin(), OpenRound(), lay(RED))
    with pytest.raises(Refusal, match="bet 3: "):
        engine.decide(state, lay(RED, {"on": "green", "amount": 100}))
    assert len(state.laid) == 1


def test_deciding_leaves_the_state_alone():
    state, _ = after(spin(), OpenRound(), lay(RED))
    first = engine.decide(state, CallNumber(number=3))
    assert first == engine.decide(state, CallNumber(number=3))
    assert not state.closed
    assert state.called is None
    other = state.copy()
    after(other, CallNumber(number=3))
    assert (state.laid[0].paid, other.laid[0].paid) == (0, 1000)


def test_what_may_be_done_now():
    def dos(state):
        return [action["do"] for action in engine.next_actions(state)]

    state = spin()
    assert dos(state) == ["open"]
    state, _ = after(state, OpenRound())
    assert dos(state) == ["wager", "number", "no_spin", "stop"]
    state, _ = after(state, CallNoSpin())
    assert dos(state) == []
    assert engine.exposure(state) == []
    assert engine.remaining(state) == []
    assert engine.outputs(spin()) == []
