"""Every progressive folded again from zero: the rates give the contributions, the meter gives the awards.

The jackpot events of a round are settled again as a whole, by the same door as the live round's. The fold goes on with
what follows and not with what is recorded, so one wrong award does not make the later ones right.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import zip_longest
from typing import Any

from domain import streams
from domain.engine.jackpot import Prize, Stake
from domain.events.base import Event
from domain.events.jackpot import JackpotContributed, JackpotHit, JackpotPaid
from domain.events.progressive import FundsReceived, FundsSent, HitPaid, HitRejected, MeterAdjusted
from domain.money import MICRO
from domain.progressive.folding import FOLDED, fold
from domain.progressive.meters import BALANCES, Meters, hit_id
from domain.progressive.port import ProgressivePort
from projections.log_reader import Row
from projections.replay.difference import Difference, differ, refused
from projections.replay.totals import amiss

JACKPOT_EVENTS: tuple[type[Event], ...] = (*FOLDED, JackpotPaid)


class JackpotReplay:
    """Takes the events of all progressives, and the jackpot events of all tables, in the order of the log."""

    def __init__(self) -> None:
        self.meters: dict[str, Meters] = {}
        self._versions: dict[str, int] = defaultdict(int)
        self._at_table: dict[str, int] = {}
        self._sent: dict[str, dict[str, int]] = {}
        self._round: tuple[str, str] | None = None
        self._positions: list[int] = []
        self._events: list[Event] = []
        self.differences: list[Difference] = []

    def take(self, row: Row[Event]) -> None:
        """The next event."""
        position, stream, version, _, event = row
        if isinstance(event, JackpotContributed | JackpotHit | JackpotPaid):
            if isinstance(event, JackpotPaid) and not self._is_of_the_round(event):
                self.finish()
                self._guarded(position, event, self._paid_at_table)
                return
            of = (event.round, event.progressive)
            if of != self._round:
                self.finish()
                self._round = of
            self._events.append(event)
            self._positions.append(position)
            return
        self.finish()
        self.see(stream, version)
        self._guarded(position, event, self._move)

    def _is_of_the_round(self, paid: JackpotPaid) -> bool:
        """Whether a payment belongs to a hit just taken; a pending hit's payment comes later and stands alone."""
        hits = (e for e in reversed(self._events) if isinstance(e, JackpotHit))
        return any(hit_id(hit) == paid.hit and not hit.pending for hit in hits)

    def see(self, stream: str, version: int) -> None:
        """Note how far a progressive's stream has come, by this event or by one that moves no meter."""
        if stream.startswith("progressive/"):
            self.finish()  # the round before it knew the stream as it was then
            self._versions[stream] = version

    def finish(self) -> None:
        """Settle the round whose jackpot events were last taken."""
        positions, events = self._positions, self._events
        if events:
            self._positions, self._events = [], []
            self._guarded(positions[0], events[0], lambda _p, _e: self._settle(positions, events))
        self._round = None

    def _guarded(self, position: int, event: Event, act: Any) -> None:
        try:
            act(position, event)
        except (KeyError, AssertionError) as error:
            name = getattr(event, "progressive", None)
            why = f"progressive {name} has no such level or is not open" if isinstance(error, KeyError) else str(error)
            self.differences.append(refused(position, getattr(event, "round", None), why, event))

    def _settle(self, positions: list[int], events: list[Event]) -> None:
        """One round: its stakes and prizes as recorded, what they add and win as it follows."""
        assert self._round is not None, "events are of a round"
        round_id, progressive = self._round
        meters = self.meters[progressive]
        stakes = [Stake(e.box, None, e.stake) for e in events if isinstance(e, JackpotContributed)]
        prizes = [
            Prize(e.box, e.player, e.hand, e.clause, e.share_ppm, e.prize, e.level)
            for e in events
            if isinstance(e, JackpotHit)
        ]
        terms = tuple(level.terms for level in meters.levels.values())
        version = self._versions[streams.progressive(progressive)]
        expected = ProgressivePort(progressive, terms, version, meters).settle(round_id, stakes, prizes)
        for at, (follows, was) in enumerate(zip_longest(expected, events)):
            if follows != was:
                position = positions[min(at, len(positions) - 1)]
                self.differences.append(differ(position, round_id, follows, was))
        for event in expected:
            fold(self.meters, event)

    def _move(self, position: int, event: Event) -> None:
        if isinstance(event, HitPaid):
            self._paid(position, event)
        elif isinstance(event, HitRejected):
            self._rejected(position, event)
        elif isinstance(event, FundsSent | FundsReceived | MeterAdjusted):
            self._moved_by_hand(position, event)
        else:
            fold(self.meters, event)

    def _moved_by_hand(self, position: int, event: FundsSent | FundsReceived | MeterAdjusted) -> None:
        """All that a level held was sent, all of it came, and a balance is moved by so much and no more."""
        figures = self._funds(event) if not isinstance(event, MeterAdjusted) else amiss(event)
        if any(getattr(event, name) != of for name, of in figures.items()):
            difference = differ(position, None, None, event)
            difference["expected"] = {"type": event.TOPIC, **figures}
            self.differences.append(difference)
        fold(self.meters, event)

    def _funds(self, event: FundsSent | FundsReceived) -> dict[str, int]:
        if isinstance(event, FundsSent):
            level = self.meters[event.progressive].levels[event.level]
            held = {f"{name}_u": getattr(level, f"{name}_u") for name in (*BALANCES, "base")}
            self._sent[event.approval] = held
            return held
        sent = self._sent.get(event.approval)
        if sent is None:
            return {"display_u": 0, "reserve_u": 0, "base_u": 0}
        display = sent["display_u"] + sent["overflow_u"] + sent["residue_u"]
        return {"display_u": display, "reserve_u": sent["reserve_u"], "base_u": sent["base_u"]}

    def _rejected(self, position: int, event: HitRejected) -> None:
        """The award goes back on the meter, the seed to where it came from."""
        meters = self.meters[event.progressive]
        pending = meters.pending.get(event.hit)
        if pending is None:
            self.differences.append(refused(position, None, "no such hit waits for payment", event))
            return
        before = meters.levels[pending.level].display_u
        seed = pending.reset_from_reserve_u + pending.reset_from_house_u
        expected = HitRejected(
            progressive=event.progressive,
            level=pending.level,
            hit=event.hit,
            award=pending.award,
            meter_before_u=before,
            meter_after_u=before + pending.award * MICRO - seed,
            to_reserve_u=pending.reset_from_reserve_u,
            to_house_u=pending.reset_from_house_u,
            base_u=pending.base_u,
            reason=event.reason,
        )
        if expected != event:
            self.differences.append(differ(position, None, expected, event))
        fold(self.meters, expected)

    def _paid_at_table(self, position: int, event: JackpotPaid) -> None:
        """A pending hit is paid once, in full."""
        pending = self.meters[event.progressive].pending.get(event.hit)
        if pending is None:
            self.differences.append(refused(position, event.round, "no such hit waits for payment", event))
            return
        if (pending.level, pending.award) != (event.level, event.amount) or event.hit in self._at_table:
            self._wrong(position, event, pending.award)
        self._at_table[event.hit] = event.amount

    def _paid(self, position: int, event: HitPaid) -> None:
        pending = self.meters[event.progressive].pending.get(event.hit)
        if pending is None:
            self.differences.append(refused(position, event.round, "no such hit waits for payment", event))
        elif (pending.level, pending.award) != (event.level, event.amount):
            self._wrong(position, event, pending.award)
        at_table = self._at_table.pop(event.hit, None)
        if (event.paid_by == "tray") != (at_table is not None):
            why = "paid from the tray, and the table does not say so" if at_table is None else "paid twice"
            self.differences.append(refused(position, event.round, why, event))
        fold(self.meters, event)

    def _wrong(self, position: int, event: JackpotPaid | HitPaid, amount: int) -> None:
        expected: dict[str, Any] = {"type": event.TOPIC, "hit": event.hit, "amount": amount}
        difference = differ(position, event.round, None, event)
        difference["expected"] = expected
        self.differences.append(difference)
