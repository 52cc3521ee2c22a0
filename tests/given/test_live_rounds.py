"""Live rounds through the acts: the house shoe, an outside shoe, time-outs, misdeals and a supervisor's void."""

import random
from functools import partial
from typing import Any

import pytest

from domain.acts import rounds
from domain.commands import BoxStakes, LiveAction, LiveCards, LiveDealer, OpenLiveRound, VoidRound
from domain.events.outcome import RoundClosed, RoundVoided, StakeReturned
from domain.events.play import AntePlaced, CardsDealt, CardsSwapped, DealerRevealed
from domain.refusals import Refusal
from tests.given.scenes import house, open_table, run_progressive
from tests.memory_house import MemoryHouse

CARD_GAMES = [
    "vesuvius-ro",
    "caribbean-ee",
    "caribbean-ee-ak",
    "caribbean-gr",
    "oasis-ua",
    "russian-ua",
    "texas-ua",
    "exchange-ru",
]


def felt(sheet: str, seed: int = 1) -> MemoryHouse:
    memory = house(sheet)
    run_progressive(memory)
    linked = {"progressive": "main"} if sheet.startswith("caribbean-ee") else {}
    open_table(memory, "T1", sheet, **linked)
    memory._random = random.Random(seed)
    return memory


def start(memory: MemoryHouse, *boxes: BoxStakes, shoe: str = "house") -> dict[str, Any]:
    seats = boxes or (BoxStakes(box=1, ante=1000, player="A"), BoxStakes(box=2, ante=500, player="B"))
    opening = OpenLiveRound(boxes=seats, shoe=shoe)  # type: ignore[arg-type]
    return memory.do(partial(rounds.open_round, table="T1", command=opening), "term")


def step(memory: MemoryHouse, act: Any, command: Any, actor: str = "term") -> dict[str, Any]:
    return memory.do(partial(act, table="T1", command=command), actor)


def any_move(option: dict[str, Any], hands: dict[int, list[str]], chance: random.Random) -> LiveAction:
    do, box = option["do"], option["box"]
    if do == "swap":
        out = " ".join(hands[box][: chance.choice(option["counts"])])
        return LiveAction(do="swap", box=box, out=out)
    if do == "insure":
        return LiveAction(do="insure", box=box, amount=option["min"])
    return LiveAction(do=do, box=box)


def held(memory: MemoryHouse) -> dict[int, list[str]]:
    hands = {event.box: event.cards.split() for event in memory.events(CardsDealt)}
    for event in memory.events(CardsSwapped):
        kept = [card for card in hands[event.box] if card not in event.out]
        hands[event.box] = kept + event.cards_in.split()
    return hands


def play_out(memory: MemoryHouse, answer: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Take whatever is offered, at random, until the round is closed."""
    for _ in range(60):
        if "settlement" in answer:
            return answer
        offered = [o for o in answer["next"] if o["do"] not in ("misdeal", "stop")]
        if any(o["do"] in ("cards", "upcard", "board") for o in offered):
            answer = step(memory, rounds.deal, LiveCards())
        elif any(o["do"] in ("dealer", "draw") for o in offered) and chance.random() < 0.8:
            answer = step(memory, rounds.dealer, LiveDealer())
        else:
            mine = [o for o in offered if "box" in o]
            hands = held(memory)
            option = chance.choice(mine) if mine else None
            if option is None:
                answer = step(memory, rounds.dealer, LiveDealer())
            else:
                answer = step(memory, rounds.act, any_move(option, hands, chance))
    raise AssertionError("a round ends within sixty steps")


@pytest.mark.parametrize("sheet", CARD_GAMES)
@pytest.mark.parametrize("seed", range(5))
def test_every_offered_move_is_accepted_and_the_round_balances(sheet: str, seed: int) -> None:
    memory, chance = felt(sheet, seed), random.Random(seed)
    answer = play_out(memory, start(memory), chance)
    closed = memory.events(RoundClosed)[-1]
    assert closed.staked == closed.taken + closed.returned
    assert closed.house_net == closed.taken - closed.paid == answer["settlement"].house_net


def test_the_dealers_hidden_cards_are_drawn_at_the_reveal(tmp_path: Any) -> None:
    memory = felt("oasis-ua")
    start(memory)
    step(memory, rounds.deal, LiveCards())
    assert memory.events(DealerRevealed) == []
    for box in (1, 2):
        step(memory, rounds.act, LiveAction(do="bet", box=box))
    step(memory, rounds.dealer, LiveDealer())
    revealed = memory.events(DealerRevealed)[0].cards.split()
    dealt = [card for event in memory.events(CardsDealt) for card in event.cards.split()]
    assert len(set(revealed + dealt)) == 15


def test_an_outside_shoe_gives_the_cards() -> None:
    memory = felt("caribbean-gr")
    start(memory, BoxStakes(box=1, ante=1000), shoe="external")
    step(memory, rounds.deal, LiveCards(box=1, cards="9s 9d 9c Jd 4c"))
    step(memory, rounds.deal, LiveCards(upcard="3h"))
    step(memory, rounds.act, LiveAction(do="bet", box=1))
    answer = step(memory, rounds.dealer, LiveDealer(cards="Ah Kc 8c 7s 3h"))
    assert answer["settlement"].boxes[0].paid == {"ante": 1000, "bet": 6000}


def test_a_supervisors_void_returns_everything() -> None:
    memory = felt("russian-ua")
    start(memory)
    step(memory, rounds.deal, LiveCards())
    step(memory, rounds.act, LiveAction(do="buy", box=1))
    step(memory, rounds.void_round, VoidRound(reason="cards exposed by a guest"), "sue")
    assert memory.events(RoundVoided)
    assert sum(e.amount for e in memory.events(StakeReturned)) == 1000 + 500 + 1000
    assert memory.events(RoundClosed)[-1].house_net == 0


def test_a_time_out_is_by_the_sheet() -> None:
    memory = felt("caribbean-ee-ak")
    start(memory, BoxStakes(box=1, ante=1000), BoxStakes(box=2, ante=1000), shoe="external")
    step(memory, rounds.deal, LiveCards(box=1, cards="9s 9d 2c Jd 4c"))
    step(memory, rounds.deal, LiveCards(box=2, cards="Qs 8d 6c 5d 3c"))
    step(memory, rounds.deal, LiveCards(upcard="3h"))
    step(memory, rounds.act, LiveAction(do="time_out", box=1))
    step(memory, rounds.act, LiveAction(do="time_out", box=2))
    answer = step(memory, rounds.dealer, LiveDealer(cards="Ah Kc 8c 7s 3h"))
    assert [set(box.stakes) for box in answer["settlement"].boxes] == [{"ante", "bet"}, {"ante"}]


def test_accepted_stakes_outside_the_limits_play_in_full_and_are_flagged() -> None:
    memory = felt("oasis-ua")
    with pytest.raises(Refusal) as refused:
        start(memory, BoxStakes(box=1, ante=50_000))
    assert refused.value.code == "stake_limits"
    start(memory, BoxStakes(box=1, ante=50_000, accepted=True))
    assert memory.events(AntePlaced)[0].outside_limits


def test_jackpot_stakes_need_a_progressive() -> None:
    memory = house("caribbean-ee")
    open_table(memory, "T1", "caribbean-ee")
    with pytest.raises(Refusal) as refused:
        start(memory, BoxStakes(box=1, ante=1000, jackpot=50))
    assert refused.value.code == "not_offered"


@pytest.mark.parametrize(
    ("act", "command", "code"),
    [
        (rounds.deal, LiveCards(box=1, cards="As Kd Qh 7c 2d"), "house_shoe"),
        (rounds.act, LiveAction(do="bet", box=1), "not_allowed_now"),
        (rounds.act, LiveAction(do="bet"), "bad_record"),
        (rounds.act, LiveAction(do="wager", on="red", amount=500), "not_allowed_now"),
        (rounds.dealer, LiveDealer(), "not_allowed_now"),
        (rounds.open_round, OpenLiveRound(), "round_in_progress"),
    ],
)
def test_moves_out_of_place_are_refused_and_record_nothing(act: Any, command: Any, code: str) -> None:
    memory = felt("oasis-ua")
    start(memory)
    before = len(memory.log)
    with pytest.raises(Refusal) as refused:
        step(memory, act, command)
    assert refused.value.code == code
    assert len(memory.log) == before
