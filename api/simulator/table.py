"""One simulated table: opener, rounds, fills and credits, the gaming day's roll, closer."""

import datetime as dt
import random
from functools import partial
from typing import Final, Protocol

from api.simulator.house import CASHIER, OTHER_SUPERVISOR, SECURITY, SUPERVISOR, Ask, House, Steps, dealer_of
from api.simulator.players import Players
from api.simulator.progressives import payments
from api.simulator.terms import Plan, chips_worth
from domain.acts import rounds, slips, tables
from domain.commands import BuyChips, CloseTable, DropTip, MoveChips, OpenTable, SignSlip, VoidRound
from domain.days import Days
from domain.events.base import Event
from domain.events.session import SessionOpened
from domain.postings import tray_change
from domain.request import Reply
from domain.work import Work

_FILL_BELOW: Final = 0.7
_CREDIT_ABOVE: Final = 1.3
_FIRST_FILL, _FIRST_CREDIT = 6, 11
"""Rounds after which every table has one fill and one credit, so that a short run shows them too."""

_TIP_ONE_IN, _SHORT_CLOSER_ONE_IN = 60, 4
_LIVE_TURNS: Final = (1, 3)
"""Which rounds of `live_every` are played live: the first by the house shoe, the second by an outside one."""

DEAL_SECONDS: Final = 45.0
"""About how long a round takes at a real table: 70 to 90 an hour."""


class Game(Protocol):
    """What is dealt: see `felt` and `spins`."""

    def finished(self, players: Players) -> Steps[None]:
        """Play a round out and record it in one save."""
        ...

    def live(self, players: Players) -> Steps[None]:
        """Play a round step by step, seconds passing between the steps."""
        ...


class Table:
    """A table and its people. `life` is all that happens at it."""

    def __init__(self, plan: Plan, game: Game, rng: random.Random) -> None:
        self.plan = plan
        self.rounds = 0
        self._game = game
        self._rng = rng
        self._dealer = dealer_of(plan.name)
        self._players = Players(plan, rng)
        self._tray = 0
        self._day = ""

    def life(self) -> Steps[None]:
        """Open, play so many rounds, close."""
        steps = self._evening()
        step = next(steps, None)
        while step is not None:
            done = yield step
            if isinstance(step, Ask):
                self._saw(done.events)
                for paying in payments(done.events):
                    self._saw((yield paying).events)
            try:
                step = steps.send(done)
            except StopIteration:
                return

    def _saw(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, SessionOpened):
                self._tray, self._day = event.opener_total, event.gaming_day
            else:
                self._tray += tray_change(event)

    def _evening(self) -> Steps[None]:
        plan = self.plan
        yield from self._open()
        yield self._pause()
        while plan.rounds is None or self.rounds < plan.rounds:
            yield from self._sell_chips()
            dealt = yield from self._round()
            self.rounds += 1
            yield from self._look_after_tray()
            if self.rounds % plan.roll_every == 0 and self.rounds != plan.rounds:
                yield from self._close(roll=True)
            yield max(1.0, self._pause() - dealt)
        if plan.close:
            yield from self._close(roll=False)

    def _pause(self) -> float:
        return DEAL_SECONDS * (0.5 + self._rng.random())

    def _round(self) -> Steps[float]:
        """A round; the seconds that passed in it."""
        turn = self.rounds % self.plan.live_every
        if turn not in _LIVE_TURNS:
            yield from self._game.finished(self._players)
            return 0.0
        passed = 0.0
        steps = self._game.live(self._players)
        step = next(steps, None)
        while step is not None:
            passed += step if isinstance(step, float) else 0.0
            done = yield step
            try:
                step = steps.send(done)
            except StopIteration:
                break
        return passed

    # Opener and closer

    def clear_leftovers(self, house: House) -> None:
        """End what an earlier run that was killed has left on the felt and open."""
        name = self.plan.name
        reason = VoidRound(reason="left on the felt when a simulation was stopped")
        void = partial(rounds.void_round, table=name, command=reason)
        house.try_ask(SUPERVISOR, void, "table_closed", "no_open_round")
        close = partial(self._count_and_close, off=0, roll_to=None)
        house.try_ask(SUPERVISOR, close, "table_closed")

    def _open(self) -> Steps[None]:
        plan, terms = self.plan, self.plan.terms
        command = OpenTable(
            ruleset=plan.ruleset.id,
            currency=terms.currency,
            chip=terms.chip,
            min=terms.min,
            max=terms.max,
            max_payout_per_box=terms.max_payout_per_box,
            progressive=plan.progressive,
            opener=chips_worth(terms.par, terms.chip),
        )
        yield Ask(SUPERVISOR, partial(tables.open_table, table=plan.name, command=command))

    def _close(self, *, roll: bool) -> Steps[None]:
        """Count the tray, now and then one chip out, and close; rolling, the next day opens with the count."""
        off = self.plan.terms.chip * self._rng.choice((-1, 1)) if self._rng.randrange(_SHORT_CLOSER_ONE_IN) == 0 else 0
        if self._tray < 0:  # a great win emptied it: nobody can count less than nothing
            yield from self._move_chips("fill", self.plan.terms.par - self._tray)
        close = (
            partial(self._count_and_roll, off=off) if roll else partial(self._count_and_close, off=off, roll_to=None)
        )
        yield Ask(SUPERVISOR, close)

    def _count_and_roll(self, work: Work, off: int) -> Reply:
        return self._count_and_close(work, off, _day_after(self._day, work.house().days))

    def _count_and_close(self, work: Work, off: int, roll_to: str | None) -> Reply:
        _, session = work.open_session(self.plan.name)
        counted = max(0, session.tray + off)
        closer = chips_worth(counted, self.plan.terms.chip)
        return tables.close_table(work, self.plan.name, CloseTable(closer=closer, roll_to=roll_to))

    # Chips across the table's edge

    def _sell_chips(self) -> Steps[None]:
        """New players and those who have run out buy in; now and then somebody tips the dealer."""
        name = self.plan.name
        for player, amount in self._players.buying():
            if amount > self._tray:
                yield from self._move_chips("fill", self.plan.terms.par)
            bought = BuyChips(player=player, amount=amount)
            yield Ask(self._dealer, partial(tables.buy_in, table=name, command=bought))
        if self._rng.randrange(_TIP_ONE_IN) == 0:
            tip = DropTip(amount=self.plan.terms.chip)
            yield Ask(self._dealer, partial(tables.drop_tip, table=name, command=tip))

    def _look_after_tray(self) -> Steps[None]:
        par = self.plan.terms.par
        if self._tray < _FILL_BELOW * par or self.rounds == _FIRST_FILL:
            yield from self._move_chips("fill", max(par - self._tray, par // 10))
        elif self._tray > _CREDIT_ABOVE * par or self.rounds == _FIRST_CREDIT:
            yield from self._move_chips("credit", min(max(self._tray - par, par // 10), self._tray))

    def _move_chips(self, kind: str, amount: int) -> Steps[None]:
        """A fill or a credit with its five signatures, each another person's. What moves is whole chips."""
        chip = self.plan.terms.chip
        amount -= amount % chip
        if amount <= 0:
            return
        request = slips.request_fill if kind == "fill" else slips.request_credit
        wanted = MoveChips(chips=chips_worth(amount, chip))
        done = yield Ask(SUPERVISOR, partial(request, table=self.plan.name, command=wanted), alone=True)
        slip = done.body["slip"]
        signers = (("prepare", CASHIER), ("carry", SECURITY), ("count", self._dealer), ("receive", OTHER_SUPERVISOR))
        for step, person in signers:
            sign = partial(slips.sign, slip_id=slip, step=step, command=SignSlip())
            yield Ask(person, sign, alone=True)


def _day_after(day: str, known: Days) -> str:
    """The day to roll to: what the house has begun since, or would begin next; where it keeps none, the next date."""
    newest = known.newest
    if newest is not None and (newest.closed_by is not None or newest.day <= day):
        return known.after_newest() or day
    return (dt.date.fromisoformat(day) + dt.timedelta(days=1)).isoformat() if newest is None else newest.day
