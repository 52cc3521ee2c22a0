"""A table from opener to closer: what is carried, what is refused, and what the tray should hold."""

from functools import partial
from typing import Any

import pytest

from domain.acts import rounds, tables
from domain.commands import BuyChips, CloseTable, LiveAction, OpenLiveRound, PostLimits
from domain.events.base import Chips
from domain.events.session import SessionOpened
from domain.refusals import Refusal
from tests.given.scenes import CHIPS, OPENER, house, open_table, record
from tests.memory_house import MemoryHouse

BETS = [{"player": "A", "on": "red", "amount": 1000}, {"player": "B", "on": "straight 17", "amount": 500}]


@pytest.fixture
def memory() -> MemoryHouse:
    given = house("roulette-ua")
    open_table(given, "R1", "roulette-ua")
    return given


def close(memory: MemoryHouse, chips: tuple[Chips, ...] = CHIPS, **more: Any) -> dict[str, Any]:
    return memory.do(partial(tables.close_table, table="R1", command=CloseTable(closer=chips, **more)))


def spin(memory: MemoryHouse, result: int | None) -> dict[str, Any]:
    finished = record(ruleset="roulette-ua", bets=BETS, result=result)
    return memory.do(partial(rounds.play_record, table="R1", record=finished), "term")


def refusal(do: Any) -> str:
    with pytest.raises(Refusal) as refused:
        do()
    return refused.value.code


def test_the_closer_is_compared_with_the_expected_tray(memory: MemoryHouse) -> None:
    spin(memory, 16)  # red wins 1000 for A, B loses 500
    answer = close(memory)
    assert answer["expected"] == OPENER - 1000 + 500
    assert answer["over_short"] == OPENER - answer["expected"]


def test_a_buy_in_moves_chips_out_of_the_tray_and_is_no_win(memory: MemoryHouse) -> None:
    memory.do(partial(tables.buy_in, table="R1", command=BuyChips(player="A", amount=10_000)), "term")
    assert close(memory)["expected"] == OPENER - 10_000


def test_a_table_cannot_be_open_twice(memory: MemoryHouse) -> None:
    assert refusal(lambda: open_table(memory, "R1", "roulette-ua")) == "already_open"


def test_nothing_happens_at_a_closed_table(memory: MemoryHouse) -> None:
    close(memory)
    for act in (
        partial(tables.buy_in, table="R1", command=BuyChips(player="A", amount=100)),
        partial(rounds.open_round, table="R1", command=OpenLiveRound()),
        partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS)),
    ):
        assert refusal(lambda act=act: memory.do(act)) == "table_closed"


def test_an_opener_that_differs_from_the_last_closer_is_accepted_and_said(memory: MemoryHouse) -> None:
    close(memory)
    answer = open_table(memory, "R1", "roulette-ua", opener=(Chips(100, 999),))
    assert [e["code"] for e in answer["exceptions"]] == ["opener_differs"]
    assert answer["exceptions"][0]["difference"] == 99_900 - OPENER


def test_rolling_the_day_closes_and_opens_in_one_save(memory: MemoryHouse) -> None:
    answer = close(memory, roll_to="2026-03-15")
    opened = memory.events(SessionOpened)[-1]
    assert opened.gaming_day == "2026-03-15"
    assert opened.session == answer["next_session"] == "R1-2026-03-15-2"
    assert opened.carried_closer == OPENER
    assert spin(memory, 3)["round"] == "R1-2026-03-15-2-1"


def test_the_day_rolls_forward_only(memory: MemoryHouse) -> None:
    assert refusal(lambda: close(memory, roll_to="2026-03-14")) == "bad_terms"


def test_a_table_does_not_close_over_a_round(memory: MemoryHouse) -> None:
    memory.do(partial(rounds.open_round, table="R1", command=OpenLiveRound()), "term")
    wager = LiveAction(do="wager", on="red", amount=500, player="A")
    memory.do(partial(rounds.act, table="R1", command=wager), "term")
    assert refusal(lambda: close(memory)) == "round_in_progress"
    limits = PostLimits(min=500, max=1000)
    assert refusal(lambda: memory.do(partial(tables.post_limits, table="R1", command=limits))) == "round_in_progress"


def test_new_limits_hold_from_the_next_round(memory: MemoryHouse) -> None:
    memory.do(partial(tables.post_limits, table="R1", command=PostLimits(min=1000, max=20000)))
    assert [bet.refused for bet in spin(memory, 17)["settlement"].bets][1] == "minimum"


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"ruleset": "no-such-sheet"}, "unknown_ruleset"),
        ({"currency": "XXX"}, "bad_terms"),
        ({"min": 20050, "max": 20000}, "bad_terms"),
        ({"min": 510}, "bad_terms"),
        ({"chip": 25, "min": 500}, "bad_terms"),
        ({"progressive": "main"}, "bad_terms"),
        ({"gaming_day": "2026-02-30"}, "bad_terms"),
        ({"opener": (Chips(100, 1), Chips(100, 2))}, "bad_chips"),
        ({"opener": (Chips(-100, 1),)}, "bad_chips"),
    ],
)
def test_terms_that_cannot_be_are_refused(memory: MemoryHouse, terms: dict[str, Any], code: str) -> None:
    before = len(memory.log)
    assert refusal(lambda: open_table(memory, "R2", **{"ruleset": "roulette-ua", **terms})) == code
    assert len(memory.log) == before
