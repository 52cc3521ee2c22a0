"""A month of a floor, through the application: tables of all games, fills and credits, drop boxes, cage shifts.

Jackpots are paid by hand at windows, a payment a day is corrected, days are rolled table by table, counted, closed and
audited, one box is counted late, a buy-in a day is recorded only after its table has rolled, and the audit of the first
day adjusts a figure. The clock is simulated: a month takes as long as its events take to record.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

from api.cli.publish import publish_shipped
from api.simulator.floor import Floor, Wanted
from api.simulator.house import OTHER_SUPERVISOR, SUPERVISOR, Ask, Done, House, Person
from api.simulator.run import published
from api.simulator.table import Table
from domain.accounting_commands import AdjustFigure
from domain.acts import adjustments, approvals, cage, cage_transfers, corrections, counts, days, hits, money_rules
from domain.acts.tables import buy_in
from domain.application import Application
from domain.cage_commands import CountWindow, HandPay, OpenWindow, ReceiveTransfer, SendTransfer, TradeChips
from domain.commands import (
    AuditDay,
    BuyChips,
    CloseDay,
    CountBox,
    DecideApproval,
    MountBox,
    MoveBox,
    OpenDay,
    ProposeCorrection,
    ProposeRules,
    RightPayment,
)
from domain.events.base import Chips
from domain.events.outcome import PayoutMade
from domain.events.rules import Threshold, Transfer, Window
from domain.money_rules import DEFAULTS
from domain.request import Reply, Request
from domain.ruleset import shipped_ids
from domain.work import Work
from tests.databases import Database

FIRST = date(2026, 3, 1)
IMPREST = 40_000_000
NOTHING = Done({}, [])

GUARD = Person("sim.security.2", "security")
COUNTERS = (Person("sim.count.1", "finance"), Person("sim.count.2", "finance"))
MANAGER = Person("sim.finance", "finance")
AUDITOR = Person("sim.auditor", "auditor")
ADMIN = Person("sim.admin", "admin")


def cashier(window: str, turn: int) -> Person:
    return Person(f"sim.cashier.{window}.{turn % 2}", "cashier")


@dataclass
class Late:
    """The box that is counted after its day was closed, and how much more was in it than recorded."""

    day: str = ""
    table: str = ""
    difference: int = 0


@dataclass
class Month:
    """Plays it; afterwards `late`, `corrected` and `over` tell what a reader must find again."""

    database: Database
    tables: int = 20
    rounds: int = 50
    length: int = 30
    seed: int = 7
    late: Late = field(default_factory=Late)
    corrected: int = 0
    cage_over: int = 0
    late_buy_ins: int = 0
    adjusted: int = 0

    def play(self) -> None:
        self.dice = random.Random(self.seed)
        self.now = datetime(2026, 3, 1, 10, 0, tzinfo=UTC)
        shoe = random.Random(f"{self.seed} shoe")
        with Application(self.database.url, site="main", clock=lambda: self.now, draw=shoe.randrange) as application:
            publish_shipped(application, actor="manager")
            self.house = House(application)
            self._begin(application)
            for number in range(self.length):
                self._day(number)

    # What stands before the first day

    def _begin(self, application: Application) -> None:
        sheets = published(application, shipped_ids())
        wanted = Wanted(sheets, self.tables, None, f"m{self.seed}", self.seed, roll_every=10**9, close=False)
        self.floor = Floor(self.house, wanted).tables
        self.lives = {table.plan.name: table.life() for table in self.floor}
        self.done: dict[str, Done | None] = dict.fromkeys(self.lives)
        self.currencies = sorted({table.plan.terms.currency for table in self.floor})
        windows = tuple(Window(f"{kind}-{c}", c, IMPREST) for c in self.currencies for kind in ("W", "V"))
        pairs = tuple(Transfer(f"{a}-{c}", f"{b}-{c}") for c in self.currencies for a, b in (("W", "V"), ("V", "W")))
        thresholds = (*DEFAULTS.thresholds, Threshold("cash_in", ">", 1_000_000, None, "31 CFR 1021.311"))
        command = ProposeRules(
            valid_from=FIRST.isoformat(), windows=windows, transfers=pairs, thresholds=thresholds, reason="the month"
        )
        asked = self._ask(ADMIN, partial(money_rules.propose, command=command))
        self._approve(MANAGER, asked["approval"])
        self._ask(SUPERVISOR, partial(days.open_day, command=OpenDay(day=FIRST.isoformat())))

    def _ask(self, who: Person, act: Callable[[Work], Reply]) -> dict[str, Any]:
        return dict(self.house.ask(who, act).body)

    def _approve(self, who: Person, approval: str) -> None:
        yes = DecideApproval(decision="approve")
        self._ask(who, lambda work: approvals.decide(work, approval, yes))

    # A day

    def _day(self, number: int) -> None:
        day = (FIRST + timedelta(days=number)).isoformat()
        following = None if number + 1 == self.length else (FIRST + timedelta(days=number + 1)).isoformat()
        self.now = datetime.combine(FIRST + timedelta(days=number), datetime.min.time(), UTC) + timedelta(hours=11)
        self._open_windows(number)
        if number == 0:
            self._play(lambda table: bool(table._day))
        boxes = {table.plan.name: self._mount(table) for table in self.floor}
        payouts: list[tuple[str, PayoutMade]] = []
        for played in range(1, self.rounds + 1):
            self.now += timedelta(minutes=18)
            target = number * self.rounds + played
            self._play(lambda table, t=target: table.rounds >= t, payouts)  # type: ignore[misc]
            if played % 20 == 0:
                self._trade(number)
        self._correct(payouts)
        if following is not None:
            self._ask(SUPERVISOR, partial(days.open_day, command=OpenDay(day=following)))
        for drop in boxes.values():
            self._carry(drop)
        forgetful, played = self.floor[number % len(self.floor)], self.now
        for table in self.floor:
            self.now += timedelta(minutes=1)
            self._roll(table, following, missed=table is forgetful and following is not None)
        if following is not None:
            self._remember(forgetful, played)
        self._close_windows(number)
        self._count_and_close(number, day, boxes)

    def _play(self, enough: Callable[[Table], bool], payouts: list[tuple[str, PayoutMade]] | None = None) -> None:
        """Every table goes on until it has had enough, those that can in one save."""
        busy = list(self.floor)
        while busy:
            together: list[tuple[Table, Ask]] = []
            for table in list(busy):
                step = self._step(table)
                while isinstance(step, float):
                    if enough(table):
                        busy.remove(table)
                        break
                    step = self._step(table)
                else:
                    if step.alone:
                        self.done[table.plan.name] = self._alone(step)
                    else:
                        together.append((table, step))
            asks = [ask for _, ask in together]
            for (table, _), done in zip(together, self.house.together(asks) if asks else [], strict=True):
                self.done[table.plan.name] = done
                if payouts is not None:
                    payouts += [
                        (table.plan.name, e) for e in done.events if isinstance(e, PayoutMade) and e.box is not None
                    ]

    def _step(self, table: Table) -> Ask | float:
        life, done = self.lives[table.plan.name], self.done[table.plan.name]
        step = next(life) if done is None else life.send(done)
        if isinstance(step, float):
            self.done[table.plan.name] = NOTHING
        return step

    def _alone(self, ask: Ask) -> Done:
        """A jackpot is paid by hand at the window of its currency."""
        if isinstance(ask.act, partial) and ask.act.func is hits.pay:
            progressive = ask.act.keywords["progressive_id"]
            window = f"W-{progressive.removeprefix('sim-')}"
            command = HandPay(progressive=progressive, hit=ask.act.keywords["hit"])
            return self.house.ask(self.at[window], partial(cage.hand_pay, window=window, command=command))
        return self.house.ask(ask.who, ask.act)

    # The cage

    def _open_windows(self, number: int) -> None:
        self.at: dict[str, Person] = {}
        half = (Chips(1_000, IMPREST // 2_000),)
        for currency in self.currencies:
            for window in (f"W-{currency}", f"V-{currency}"):
                self.at[window] = cashier(window, number)
                opening = OpenWindow(cash=half, chips=half)
                self._ask(self.at[window], partial(cage.open_window, window=window, command=opening))

    def _trade(self, number: int) -> None:
        for currency in self.currencies:
            window, vault = f"W-{currency}", f"V-{currency}"
            player = f"guest{self.dice.randrange(20)}"
            sale = TradeChips(amount=100 * self.dice.randrange(1, 5_000), player=player)
            back = TradeChips(amount=100 * self.dice.randrange(1, 3_000), player=player)
            self._ask(self.at[window], partial(cage.sell, window=window, command=sale))
            self._ask(self.at[window], partial(cage.redeem, window=window, command=back))
            sent = SendTransfer(to=vault, cash=50_000, chips=20_000)
            told = self._ask(self.at[window], partial(cage_transfers.send, window=window, command=sent))
            received = ReceiveTransfer(cash=50_000, chips=20_000)
            receive = partial(cage_transfers.receive, window=vault, transfer=told["transfer"], command=received)
            self._ask(self.at[vault], receive)
            self._hand_over(window, number)

    def _hand_over(self, window: str, number: int) -> None:
        counted = CountWindow(**self._held(window))
        self._ask(self.at[window], partial(cage.offer, window=window, command=counted))
        following = cashier(window, number + 1 if self.at[window] == cashier(window, number) else number)
        self._ask(following, partial(cage.take_over, window=window, command=counted))
        self.at[window] = following

    def _held(self, window: str, off: int = 0) -> dict[str, Any]:
        work = self._look()
        stream = work.window(window).open_stream
        assert stream is not None
        shift = work.cage_shift(stream)
        return {"cash": (Chips(1, shift.cash + off),), "chips": (Chips(1, shift.chips),)}

    def _close_windows(self, number: int) -> None:
        for window, who in self.at.items():
            off = self.dice.choice((0, 0, 0, -100, 500))
            self.cage_over += off
            counted = CountWindow(**self._held(window, off))
            self._ask(who, partial(cage.close_window, window=window, command=counted))

    def _look(self) -> Work:
        request = Request(identity="look", actor="look", role="auditor")
        return self.house._application.work(request, self.now, None)

    # Boxes, corrections, the roll

    def _mount(self, table: Table) -> str:
        name = table.plan.name
        command = MountBox(box=f"{name[:30]}.{self.now:%d}")
        drop: str = self._ask(GUARD, partial(counts.mount, table=name, command=command))["drop"]
        return drop

    def _carry(self, drop: str) -> None:
        self._ask(GUARD, lambda work: counts.remove(work, drop, MoveBox()))
        self._ask(COUNTERS[0], lambda work: counts.receive(work, drop, MoveBox()))

    def _count(self, drop: str, more: int) -> None:
        work = self._look()
        box = work.counts(drop[5:15]).boxes[drop]
        recorded = work.session(box.mounted.session_stream).buy_ins
        recorded += work.counts(drop[5:15]).learned.get(box.mounted.session, 0)
        total = max(0, recorded + more)
        command = CountBox(cash=(Chips(1, total),) if total else ())
        for counter in COUNTERS:
            self._ask(counter, lambda work: counts.count(work, drop, command))

    def _correct(self, payouts: list[tuple[str, PayoutMade]]) -> None:
        """One payment of the day was too small by a chip."""
        name, payout = self.dice.choice([one for one in payouts if one[1].kind != "jackpot"])
        chip = next(table.plan.terms.chip for table in self.floor if table.plan.name == name)
        assert payout.box is not None
        right = RightPayment(box=payout.box, kind=payout.kind, paid=payout.paid + chip)
        command = ProposeCorrection(round=payout.round, reason="a chip was left out", payments=(right,))
        asked = self._ask(SUPERVISOR, partial(corrections.propose, table=name, command=command))
        table = next(table for table in self.floor if table.plan.name == name)
        yes = DecideApproval(decision="approve")
        done = self.house.ask(OTHER_SUPERVISOR, lambda work: approvals.decide(work, asked["approval"], yes))
        table._saw(done.events)
        self.corrected += 1

    def _roll(self, table: Table, following: str | None, *, missed: bool) -> None:
        """missed: ten chips have been sold that nobody recorded, so they are not there when the tray is counted."""
        off = table.plan.terms.chip * (self.dice.choice((0, 0, 0, -1, 1)) - (10 if missed else 0))
        close = partial(table._count_and_close, off=off, roll_to=following)
        table._saw(self.house.ask(SUPERVISOR, close).events)

    def _remember(self, table: Table, played: datetime) -> None:
        """The sale is recorded after all, with its time; the open session's tray is none the wiser."""
        command = BuyChips(player="late", amount=10 * table.plan.terms.chip)
        request = Request(identity="sim.dealer", actor="sim.dealer", role="terminal", at=played)
        self.house._application.handle(request, partial(buy_in, table=table.plan.name, command=command))
        self.late_buy_ins += 1

    def _adjust(self, day: str) -> None:
        name, number = self.floor[0].plan.name, 1
        session = f"{name}-{day}-{number}"
        command = AdjustFigure(session=session, figure="credits", amount=250_000, reason="a credit booked short")
        asked = self._ask(AUDITOR, partial(adjustments.adjust_figure, day=day, command=command))
        self._approve(MANAGER, asked["approval"])
        self.adjusted += 250_000

    def _count_and_close(self, number: int, day: str, boxes: dict[str, str]) -> None:
        late = number == self.length // 2
        for at, (name, drop) in enumerate(boxes.items()):
            if late and at == 0:
                self.late = Late(day, name, 777)
            else:
                self._count(drop, self.dice.choice((0, 0, 0, 0, 100, -50)))
        self._ask(MANAGER, lambda work: days.close_day(work, day, CloseDay()))
        if number == 0:
            self._adjust(day)
        if late:
            self.now += timedelta(minutes=30)
            self._count(boxes[self.late.table], self.late.difference)
        self._ask(AUDITOR, lambda work: days.audit_day(work, day, AuditDay()))
