"""Late events of a real floor: they belong to the day of their business time, and every figure still adds up."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

import psycopg
import pytest

from api.cli.publish import publish_shipped
from domain.acts import counts, days, rounds, tables
from domain.application import Application
from domain.commands import (
    BuyChips,
    CloseDay,
    CloseTable,
    CountBox,
    DropTip,
    MountBox,
    MoveBox,
    OpenDay,
    OpenShift,
    OpenTable,
)
from domain.events.base import Chips
from domain.request import Reply, Request
from domain.work import Work
from projections.catch_up import run_until
from projections.check import check
from projections.connect import connector
from projections.reads.compared import compare
from projections.reads.days import gaming_days
from projections.reads.exceptions import exceptions
from projections.reads.explain import figure, journal_line
from projections.reads.hold import hold
from projections.reads.journal import journal
from projections.reads.known import known, learned
from tests.databases import Databases
from tests.given.scenes import record

MICRO = 1_000_000
FIRST = date(2026, 3, 14)
SUMS = ("win", "drop", "handle", "taken", "paid", "over_short", "rounds", "fills", "credits", "tips")
Act = Callable[[Work], Reply]


def name_of(number: int) -> str:
    return (FIRST + timedelta(days=number)).isoformat()


@dataclass
class Floor:
    """Roulette tables whose trays are counted as they really are: what is not recorded is missing at the count."""

    application: Application
    url: str
    names: tuple[str, ...]
    now: datetime

    def do(self, act: Act, actor: str, role: str, at: datetime | None = None) -> dict[str, Any]:
        self.now += timedelta(seconds=1)
        request = Request(identity=actor, actor=actor, role=role, at=at)
        answer = self.application.handle(request, act)
        return dict(json.loads(answer.body))

    def open(self) -> None:
        publish_shipped(self.application, actor="manager")
        self.tray = dict.fromkeys(self.names, 500_000)
        self.boxes: dict[str, str] = {}
        self.uncounted: list[str] = []
        self.cash: Counter[str] = Counter()
        self.day = name_of(0)
        self.won, self.staked, self.dropped, self.off = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
        self.do(lambda w: days.open_day(w, OpenDay(day=name_of(0))), "sue", "supervisor")
        for table in self.names:
            command = OpenTable(
                ruleset="roulette-ua", currency="EUR", chip=50, min=500, max=20_000, opener=(Chips(50, 10_000),)
            )
            self.do(partial(tables.open_table, table=table, command=command), "sue", "supervisor")
            self.mount(table)

    def mount(self, table: str) -> None:
        box = MountBox(box=f"{table}.{self.now:%d%H%M%S}")
        self.boxes[table] = self.do(partial(counts.mount, table=table, command=box), "sam", "security")["drop"]

    def happens(self, table: str, dice: random.Random, *, recorded: bool) -> Callable[[], None] | None:
        """One thing happens at a table. Not recorded: what is handed back records it later, with its time."""
        at = self.now
        kind = dice.choice(("buy_in", "round", "round", "tip"))
        if kind == "buy_in":
            amount = 50 * dice.randrange(1, 500)
            self.tray[table] -= amount
            self.cash[self.boxes[table]] += amount
            self.dropped[self.day] += amount
            act: Act = partial(tables.buy_in, table=table, command=BuyChips(player="A", amount=amount))
        elif kind == "tip":
            act = partial(tables.drop_tip, table=table, command=DropTip(amount=50))
        else:
            bet = 50 * dice.randrange(10, 100)
            number = dice.choice((16, 17))  # red, black
            won = -bet if number == 16 else bet
            self.tray[table] += won
            self.won[self.day] += won
            self.staked[self.day] += bet
            spin = record(ruleset="roulette-ua", bets=[{"player": "A", "on": "red", "amount": bet}], result=number)
            act = partial(rounds.play_record, table=table, record=spin)
        if recorded:
            self.do(act, "dora", "terminal")
            return None
        return lambda: self.do(act, "dora", "terminal", at) and None

    def roll(self, table: str, off: int = 0, **to: str) -> None:
        self.tray[table] += off
        self.won[self.day] += off
        self.off[self.day] += off
        self.do(lambda w: counts.remove(w, self.boxes[table], MoveBox()), "sam", "security")
        self.do(lambda w: counts.receive(w, self.boxes[table], MoveBox()), "finn", "finance")
        close = CloseTable(closer=(Chips(50, self.tray[table] // 50),), **to)
        self.do(partial(tables.close_table, table=table, command=close), "sue", "supervisor")

    def roll_all(self, dice: random.Random, **to: str) -> None:
        """Every table, now and then over by a chip; half of the boxes are counted at once."""
        for table in self.names:
            drop = self.boxes[table]
            self.roll(table, dice.choice((0, 0, 50)), **to)
            if to:
                self.mount(table)
            if dice.random() < 0.5:
                self.count(drop)
            else:
                self.uncounted.append(drop)

    def count(self, drop: str) -> None:
        cash = (Chips(50, self.cash[drop] // 50),) if self.cash[drop] else ()
        for actor in ("finn", "fred"):
            self.do(lambda w: counts.count(w, drop, CountBox(cash=cash)), actor, "finance")


@pytest.fixture
def floor(databases: Databases) -> Iterator[Floor]:
    with databases.fresh() as database:
        clock: list[Floor] = []
        now = datetime(2026, 3, 14, 18, 0, tzinfo=UTC)
        with Application(database.url, site="main", clock=lambda: clock[0].now) as application:
            opened = Floor(application, database.url, ("R1", "R2"), now)
            clock.append(opened)
            opened.open()
            yield opened


@pytest.fixture
def conn(floor: Floor) -> Iterator[psycopg.Connection[Any]]:
    with connector(floor.url)() as connection:
        yield connection


def adds_up(conn: psycopg.Connection[Any]) -> None:
    """Hours, tables, sessions and shifts of a day, and days of the whole; win by chips and by play; the books."""
    whole = dict.fromkeys(SUMS, 0)
    won: Counter[str] = Counter()
    for line in journal(conn).lines:
        if line.account in ("over_short", "drop_difference") or line.account.startswith("win."):
            won[line.gaming_day] -= line.amount_u
    for day in hold(conn, by="day").rows:
        assert day.gaming_day is not None
        for by in ("hour", "table", "session", "shift"):
            rows = hold(conn, by=by, gaming_day=day.gaming_day).rows
            for name in SUMS:
                assert sum(getattr(row, name) for row in rows) == getattr(day, name), (day.gaming_day, by, name)
        assert day.win == day.drop + day.closer + day.credits - day.opener - day.fills  # type: ignore[operator]
        assert won[day.gaming_day] == (day.win or 0) * MICRO
        for name in SUMS:
            whole[name] += getattr(day, name)
        (explained,) = figure(conn, "win", gaming_day=day.gaming_day).rows
        assert explained.value == explained.total == day.win
        assert known(conn, day.gaming_day).rows[-1].win == day.win
    (everything,) = hold(conn, by="all").rows
    assert whole == {name: getattr(everything, name) for name in SUMS}


def test_a_late_round_belongs_to_the_closed_day_and_moves_no_win_that_was_counted(
    floor: Floor, conn: psycopg.Connection[Any]
) -> None:
    spin = record(ruleset="roulette-ua", bets=[{"player": "A", "on": "red", "amount": 1_000}], result=17)
    play = partial(rounds.play_record, table="R1", record=spin)
    floor.do(play, "dora", "terminal")
    floor.now += timedelta(minutes=70)
    at = floor.now  # a second such round is played, and its record is lost on the way
    floor.tray["R1"] += 2_000
    floor.now += timedelta(hours=3)
    floor.do(lambda w: days.open_day(w, OpenDay(day=name_of(1))), "sue", "supervisor")
    for table in floor.names:
        floor.roll(table, roll_to=name_of(1))
        floor.count(floor.boxes[table])
        floor.mount(table)
    closed = floor.do(lambda w: days.close_day(w, name_of(0), CloseDay()), "finn", "finance")
    run_until(floor.url)
    (before,) = hold(conn, by="day", gaming_day=name_of(0)).rows
    assert (before.win, before.over_short, before.handle) == (2_000, 1_000, 1_000)
    done = floor.do(play, "dora", "terminal", at)
    for table in floor.names:
        floor.roll(table)
    run_until(floor.url)
    (after,) = hold(conn, by="day", gaming_day=name_of(0)).rows
    assert (after.win, after.over_short, after.handle, after.taken) == (2_000, 0, 2_000, 2_000)
    (following,) = hold(conn, by="day", gaming_day=name_of(1)).rows
    assert (following.win, following.over_short, following.handle) == (0, 0, 0)
    hours = {row.hour: (row.handle, row.win) for row in hold(conn, by="hour", gaming_day=name_of(0)).rows}
    assert hours[at.replace(minute=0, second=0)] == (1_000, 1_000)

    found = learned(conn, name_of(0))
    assert found is not None
    assert found.fixed_at == closed["position"]
    whole = {d.figure: d.difference for d in found.differences if d.table is None}
    assert whole == {"rounds": 1, "handle": 1_000, "taken": 1_000, "over_short": -1_000}
    assert known(conn, name_of(0), at_position=closed["position"]).rows == found.fixed
    assert known(conn, name_of(0), at_position=done["position"]).rows == found.now
    assert [day.state for day in gaming_days(conn).rows] == ["open", "closed"]
    compared = compare(conn, closed["position"], done["position"])
    assert [day.gaming_day for day in compared.days] == [name_of(0)]
    assert all(change.explained for change in compared.days[0].changes)
    late = [row for row in exceptions(conn, now=floor.now).rows if row.code == "late_event"]
    assert [(row.gaming_day, row.table) for row in late] == [(name_of(0), "R1")]
    line = journal_line(conn, gaming_day=name_of(0), currency="EUR", entry="late events", account="over_short")
    assert line is not None
    assert line.value == line.total == 1_000 * MICRO


def night(floor: Floor, dice: random.Random, number: int, waiting: list[Callable[[], None]]) -> None:
    """Two shifts; some of what happens is recorded later, at some table's next session or a day after."""
    for step in range(14):
        floor.now += timedelta(minutes=dice.randrange(20, 50))
        if step == 7 and number != 1:
            floor.do(lambda w: days.open_shift(w, name_of(number), OpenShift(shift="2")), "sue", "supervisor")
            floor.roll_all(dice, roll_shift="2")
        late = floor.happens(dice.choice(floor.names), dice, recorded=dice.random() < 0.6)
        waiting += [late] if late is not None else []
        dice.shuffle(waiting)
        while waiting and dice.random() < 0.3:
            waiting.pop()()
    following = name_of(number + 1)
    floor.do(lambda w: days.open_day(w, OpenDay(day=following)), "sue", "supervisor")
    floor.roll_all(dice, roll_to=following)
    floor.day = following
    if number != 1:
        floor.do(lambda w: days.close_day(w, w.house().days.not_closed()[0], CloseDay()), "finn", "finance")


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_late_hours_make_days_and_days_the_whole(
    floor: Floor, conn: psycopg.Connection[Any], seed: int
) -> None:
    dice = random.Random(seed)
    waiting: list[Callable[[], None]] = []
    for number in range(3):
        night(floor, dice, number, waiting)
    for late in waiting:
        late()
    floor.roll_all(dice)
    for drop in floor.uncounted:
        floor.count(drop)
    run_until(floor.url)
    adds_up(conn)
    for row in hold(conn, by="day").rows:
        assert (row.win, row.handle) == (floor.won[row.gaming_day or ""], floor.staked[row.gaming_day or ""])
        assert row.drop == floor.dropped[row.gaming_day or ""] == row.buy_ins
        assert row.over_short == floor.off[row.gaming_day or ""]
    found = check(floor.url, jobs=2)
    assert [identity for identity in found["identities"] if not identity["ok"]] == []
    assert next(i for i in found["identities"] if i["name"] == "late_reckoned")["detail"] != "0 saves of late events"
    closed = [learned(conn, name_of(number)) for number in (0, 1)]
    for day in closed:
        assert day is not None
        assert day.fixed_at is not None
        assert known(conn, day.gaming_day, at_position=day.fixed_at).rows == day.fixed
    last = known(conn, name_of(0)).position
    assert all(change.explained in {True, None} for day in compare(conn, 1, last).days for change in day.changes)
