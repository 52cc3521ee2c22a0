"""A floor of roulette tables, through the application, whose trays and boxes are counted as they really are.

What happens and is not recorded is missing at the count, as it would be; what is recorded later is recorded with its
time. The floor keeps account of the truth by itself.
"""

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

from api.cli.publish import publish_shipped
from domain.acts import counts, days, rounds, tables
from domain.application import Application
from domain.commands import BuyChips, CloseTable, CountBox, DropTip, MountBox, MoveBox, OpenDay, OpenTable
from domain.events.base import Chips
from domain.request import Reply, Request
from domain.work import Work
from projections.connect import connector
from tests.databases import Databases
from tests.given.scenes import record

FIRST = date(2026, 3, 14)
Act = Callable[[Work], Reply]


def name_of(number: int) -> str:
    return (FIRST + timedelta(days=number)).isoformat()


@dataclass
class Floor:
    """won, staked, dropped, off: the truth by gaming day, in minor units."""

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


def floor_on(databases: Databases) -> Iterator[Floor]:
    """A floor of two tables that have just opened on the first day, for a fixture."""
    with databases.fresh() as database:
        clock: list[Floor] = []
        now = datetime(2026, 3, 14, 18, 0, tzinfo=UTC)
        with Application(database.url, site="main", clock=lambda: clock[0].now) as application:
            opened = Floor(application, database.url, ("R1", "R2"), now)
            clock.append(opened)
            opened.open()
            yield opened


def conn_of(floor: Floor) -> Iterator[psycopg.Connection[Any]]:
    """A connection to its log, for a fixture."""
    with connector(floor.url)() as connection:
        yield connection
