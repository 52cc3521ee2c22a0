"""Identities of a spin that hold for any wagers: nothing lost, nothing made, and one answer by every road."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from domain import engine
from domain.engine.commands import CallNoSpin, CallNumber, OpenRound, PlaceWagers, Wager
from domain.engine.limits import Limits
from domain.engine.record import Record
from domain.events.outcome import PayoutMade, RoundClosed, StakeReturned, StakeTaken
from domain.events.play import WagerPlaced
from domain.ruleset import shipped

SHEET = shipped("roulette-ua")
BOOK = SHEET.play
PLAIN = [w.on for w in BOOK.wagers() if not w.announced] + ["split 11-8", "split 1-36", "street 1-2-4"]
ANNOUNCED = ["voisins", "tiers", "orphelins"]

chips = st.integers(0, 400)
plain = st.fixed_dictionaries({"on": st.sampled_from(PLAIN), "amount": chips.map(lambda c: 50 * c)})
neighbours = st.tuples(st.integers(0, 36), st.integers(1, 18)).map(lambda at: f"neighbours {at[0]} {at[1]}")
announced = st.fixed_dictionaries(
    {"on": st.one_of(st.sampled_from(ANNOUNCED), neighbours), "unit": chips.map(lambda c: 50 * c)}
)
wagers = st.lists(
    st.tuples(st.one_of(plain, announced), st.sampled_from("ABC"), st.booleans()).map(
        lambda w: w[0] | {"player": w[1]} | ({"late": True} if w[2] else {})
    ),
    max_size=12,
)
results = st.one_of(st.none(), st.integers(0, 36))
limits = st.builds(
    lambda least, more, capped: Limits(chip=50, min=50 * least, max=50 * least + more if capped else None),
    st.integers(1, 20), st.integers(0, 9000), st.booleans(),
)  # fmt: skip


def record_of(bets, result):
    return msgspec.convert({"ruleset": SHEET.id, "bets": bets, "result": result}, Record)


def fold(state, events):
    for event in events:
        state = engine.evolve(state, event)
    return state


@given(wagers, results, limits)
def test_every_stake_is_accounted_for(bets, result, sign):
    made = engine.settle_record(SHEET, sign, record_of(bets, result))
    for bet in made.bets:
        assert min(bet.returned, bet.taken, bet.paid) >= 0
        assert bet.net == bet.paid - bet.taken
        if result is not None or bet.refused:
            assert bet.returned + bet.taken == bet.amount
        else:
            assert bet.returned == bet.taken == bet.paid == 0
        if bet.refused:
            assert bet.returned == bet.amount
    assert made.house_net + sum(bet.net for bet in made.bets) == 0


@given(wagers, results, limits, st.data())
def test_live_record_and_settlement_are_one(bets, result, sign, data):
    record = record_of(bets, result)
    from_record = engine.play_record(engine.begin(SHEET, sign, "R", 1), record)
    live, events = engine.begin(SHEET, sign, "R", 1), []
    laid = [Wager(**bet) for bet in bets]
    commands = [OpenRound(source="record")]
    while laid:
        cut = data.draw(st.integers(1, len(laid)))
        commands.append(PlaceWagers(wagers=tuple(laid[:cut])))
        laid = laid[cut:]
    commands.append(CallNoSpin() if result is None else CallNumber(number=result))
    for command in commands:
        came = engine.decide(live, command)
        live = fold(live, came)
        events += came
    assert events == from_record
    assert engine.settlement(live) == engine.settle_record(SHEET, sign, record)


@given(wagers, results, limits)
def test_events_balance_and_replay_gives_the_same_outputs(bets, result, sign):
    events = engine.play_record(engine.begin(SHEET, sign, "R", 1), record_of(bets, result))
    closed = events[-1]
    assert isinstance(closed, RoundClosed)
    staked = sum(e.amount for e in events if isinstance(e, WagerPlaced))
    taken = sum(e.amount for e in events if isinstance(e, StakeTaken))
    returned = sum(e.amount for e in events if isinstance(e, StakeReturned))
    paid = sum(e.paid for e in events if isinstance(e, PayoutMade))
    assert (closed.staked, closed.taken, closed.returned, closed.paid) == (staked, taken, returned, paid)
    assert staked == taken + returned
    assert closed.void == (result is None)
    split = len(bets) + 2
    inputs, recorded = events[:split], events[split:]
    assert engine.outputs(fold(engine.begin(SHEET, sign, "R", 1), inputs)) == recorded


@given(wagers, st.integers(0, 36), limits)
def test_the_maximum_binds_what_can_be_lost_and_won(bets, number, sign):
    made = engine.settle_record(SHEET, sign, record_of(bets, number))
    if sign.max is None:
        return
    for bet in made.bets:
        spots = max(1, len(BOOK.find(bet.on).spots))
        assert bet.taken <= spots * sign.max
        assert bet.paid <= 2 * 35 * sign.max


@given(st.one_of(plain, announced), limits)
def test_over_the_whole_wheel_the_house_wins_its_edge(bet, sign):
    made = [engine.settle_record(SHEET, sign, record_of([bet], number)).bets[0] for number in range(37)]
    if made[0].refused:
        return
    wager = BOOK.find(bet["on"])
    unit = bet.get("unit", bet.get("amount"))
    most = sign.max - sign.max % 50 if sign.max is not None else 10**12
    played = sum(min(units * unit, most) for _, units, _ in wager.spots)
    edge = played if wager.kind not in ("low", "high", "odd", "even", "red", "black") else played // 2
    assert sum(b.taken - b.paid for b in made) == edge
