"""What happened before the table rolled and is only recorded now: it belongs to the session of its business time."""

from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest

from domain.acts import counts, days, rounds, slips, tables
from domain.commands import (
    BuyChips,
    CloseTable,
    CountBox,
    DropTip,
    MountBox,
    MoveBox,
    MoveChips,
    OpenDay,
    OpenLiveRound,
    SignSlip,
)
from domain.events.base import Chips
from domain.events.chips import BuyIn
from domain.events.count import BoxSettled
from domain.events.late import BuyInLearned, LateReckoned
from domain.events.session import SessionClosed
from domain.postings import legs
from domain.refusals import Refusal
from tests.given.scenes import CHIPS, OPENER, house, open_table, record
from tests.memory_house import MemoryHouse

FIRST, NEXT = "2026-03-14", "2026-03-15"
SPIN = record(ruleset="roulette-ua", bets=[{"player": "A", "on": "red", "amount": 1000}], result=17)
STREAM = f"table/R1/{FIRST}/1"


@pytest.fixture
def memory() -> MemoryHouse:
    """R1 has dealt on the first day from 18:00:03 and has rolled to the next an hour later."""
    given = house("roulette-ua")
    given.do(lambda w: days.open_day(w, OpenDay(day=FIRST)))
    open_table(given, "R1", "roulette-ua", gaming_day=None)
    given.do(partial(counts.mount, table="R1", command=MountBox(box="17")), "sam", "security")
    given.now += timedelta(hours=1)
    given.do(lambda w: days.open_day(w, OpenDay(day=NEXT)))
    given.do(partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS, roll_to=NEXT)))
    return given


def before_the_roll(memory: MemoryHouse) -> datetime:
    return memory.now - timedelta(minutes=30)


def buy_in(memory: MemoryHouse, amount: int, at: datetime | None) -> dict[str, Any]:
    command = BuyChips(player="A", amount=amount)
    return memory.do(partial(tables.buy_in, table="R1", command=command), "dora", "terminal", at=at)


def close(memory: MemoryHouse) -> SessionClosed:
    memory.do(partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS)))
    closed: SessionClosed = memory.events(SessionClosed)[-1]
    return closed


def refusal(do: Any) -> str:
    with pytest.raises(Refusal) as refused:
        do()
    return refused.value.code


def meta_of(memory: MemoryHouse, kind: type) -> Any:
    stream = next(stream for stream, event in memory.log if isinstance(event, kind))
    return next(meta for meta, event in memory.look()._source.events(stream) if isinstance(event, kind))


def test_it_is_recorded_where_the_table_is_and_belongs_where_its_time_lies(memory: MemoryHouse) -> None:
    assert buy_in(memory, 5_000, before_the_roll(memory)) == {"session": f"R1-{FIRST}-1"}
    streams = {stream for stream, event in memory.log if isinstance(event, BuyIn)}
    assert streams == {f"table/R1/{NEXT}/2"}
    meta = meta_of(memory, BuyIn)
    assert (meta.gaming_day, meta.shift, meta.late, meta.belongs_to) == (FIRST, "1", True, STREAM)


def test_its_chips_are_no_part_of_the_tray_that_was_counted_since(memory: MemoryHouse) -> None:
    buy_in(memory, 5_000, before_the_roll(memory))
    memory.do(partial(rounds.play_record, table="R1", record=SPIN), "dora", "terminal", at=before_the_roll(memory))
    assert [(e.tray, e.events > 0) for e in memory.events(LateReckoned)] == [(-5_000, True), (1_000, True)]
    closed = close(memory)
    assert (closed.expected, closed.over_short) == (OPENER, 0)


def test_what_is_late_in_its_own_session_moves_its_own_tray(memory: MemoryHouse) -> None:
    memory.now += timedelta(minutes=10)
    buy_in(memory, 5_000, memory.now - timedelta(minutes=5))
    assert memory.events(LateReckoned) == []
    assert meta_of(memory, BuyIn).belongs_to is None
    assert close(memory).over_short == 5_000


def test_a_time_at_which_the_table_had_no_session_belongs_to_the_open_one(memory: MemoryHouse) -> None:
    buy_in(memory, 5_000, memory.now - timedelta(hours=9))
    assert memory.events(LateReckoned) == []


def test_it_goes_past_sessions_that_know_nothing_of_it(memory: MemoryHouse) -> None:
    at = before_the_roll(memory)
    memory.do(partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS)))
    open_table(memory, "R1", "roulette-ua", gaming_day=None)
    buy_in(memory, 5_000, at)
    (reckoned,) = memory.events(LateReckoned)
    assert reckoned.session_stream == STREAM
    assert close(memory).over_short == 0


def test_a_tip_moves_no_tray_and_is_told_of_all_the_same(memory: MemoryHouse) -> None:
    tip = partial(tables.drop_tip, table="R1", command=DropTip(amount=500))
    assert memory.do(tip, "dora", "terminal", at=before_the_roll(memory)) == {"session": f"R1-{FIRST}-1"}
    assert [e.tray for e in memory.events(LateReckoned)] == [0]


def test_a_fill_that_came_before_the_roll_is_signed_for_after_it() -> None:
    memory = house("roulette-ua")
    memory.do(lambda w: days.open_day(w, OpenDay(day=FIRST)))
    open_table(memory, "R1", "roulette-ua", gaming_day=None)
    ask = MoveChips(chips=(Chips(2500, 10),))
    slip = memory.do(partial(slips.request_fill, table="R1", command=ask), "rita")["slip"]
    signed = {"prepare": ("carl", "cashier"), "carry": ("sam", "security"), "count": ("dora", "terminal")}
    for step, (actor, role) in signed.items():
        memory.do(lambda w, s=step: slips.sign(w, slip, s, SignSlip()), actor, role)  # type: ignore[misc]
    at = memory.now + timedelta(seconds=1)
    memory.now += timedelta(hours=1)
    memory.do(lambda w: days.open_day(w, OpenDay(day=NEXT)))
    memory.do(partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS, roll_to=NEXT)))
    receive = partial(slips.sign, slip_id=slip, step="receive", command=SignSlip())
    assert refusal(lambda: memory.do(receive, "sven")) == "session_over"
    memory.do(receive, "sven", at=at)
    assert [e.tray for e in memory.events(LateReckoned)] == [25_000]
    assert close(memory).over_short == 0


def test_a_live_round_of_the_past_and_one_of_other_terms_are_refused(memory: MemoryHouse) -> None:
    at = before_the_roll(memory)
    command = OpenLiveRound()
    live = partial(rounds.open_round, table="R1", command=command)
    assert refusal(lambda: memory.do(live, "dora", "terminal", at=at)) == "bad_time"
    memory.do(partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS)))
    open_table(memory, "R1", "roulette-ua", gaming_day=None, chip=100)
    spin = partial(rounds.play_record, table="R1", record=SPIN)
    assert refusal(lambda: memory.do(spin, "dora", "terminal", at=at)) == "bad_time"
    memory.do(partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS)))
    open_table(memory, "R1", "roulette-ua", gaming_day=None, currency="USD")
    assert refusal(lambda: buy_in(memory, 5_000, at)) == "bad_time"


@pytest.mark.parametrize("counted_first", [True, False])
def test_the_count_of_the_drop_comes_to_the_same_before_and_after_it(
    memory: MemoryHouse, *, counted_first: bool
) -> None:
    drop, at = f"drop-{FIRST}-0001", before_the_roll(memory)

    def settle() -> None:
        memory.do(lambda w: counts.remove(w, drop, MoveBox()), "sam", "security")
        memory.do(lambda w: counts.receive(w, drop, MoveBox()), "finn", "finance")
        for actor in ("finn", "fred"):
            memory.do(lambda w: counts.count(w, drop, CountBox(cash=(Chips(5_000, 1),))), actor, "finance")

    if counted_first:
        settle()
    buy_in(memory, 5_000, at)
    if not counted_first:
        settle()
    assert memory.events(BoxSettled)[0].difference == (5_000 if counted_first else 0)
    assert memory.events(BuyInLearned)[0].difference == (5_000 if counted_first else 0)
    sums: dict[str, int] = {}
    for kind in (BuyIn, LateReckoned, BoxSettled, BuyInLearned):
        for event in memory.events(kind):
            for account, amount in legs(event):
                sums[account] = sums.get(account, 0) + amount // 1_000_000
    assert {account: total for account, total in sums.items() if total} == {"cage": 5_000, "over_short": -5_000}
