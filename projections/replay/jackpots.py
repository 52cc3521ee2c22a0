"""Every progressive folded again from zero: the rates give the contributions, the meter gives the awards.

The fold goes on with what follows and not with what is recorded, so one wrong award does not make the later ones right.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from domain import streams
from domain.engine.jackpot import Prize, Stake
from domain.events.base import Event
from domain.events.jackpot import JackpotContributed, JackpotHit, JackpotPaid
from domain.events.progressive import HitPaid
from domain.progressive.award import award, equal_parts
from domain.progressive.folding import FOLDED, fold
from domain.progressive.meters import Meters
from domain.progressive.port import ProgressivePort
from projections.log_reader import Row
from projections.replay.difference import Difference, differ, refused

JACKPOT_EVENTS = (*FOLDED, JackpotPaid)


class JackpotReplay:
    """Takes the events of all progressives, and the jackpot events of all tables, in the order of the log."""

    def __init__(self) -> None:
        self.meters: dict[str, Meters] = {}
        self._versions: dict[str, int] = defaultdict(int)
        self._at_table: dict[str, int] = {}
        self._parts: dict[tuple[str, int], int] = {}
        self.differences: list[Difference] = []

    def take(self, row: Row[Event]) -> None:
        """The next event."""
        position, stream, version, _, event = row
        self.see(stream, version)
        try:
            self._take(position, event)
        except (KeyError, AssertionError) as error:
            name = getattr(event, "progressive", None)
            why = f"progressive {name} has no such level or is not open" if isinstance(error, KeyError) else str(error)
            self.differences.append(refused(position, getattr(event, "round", None), why, event))

    def see(self, stream: str, version: int) -> None:
        """Note how far a progressive's stream has come, by this event or by one that moves no meter."""
        if stream.startswith("progressive/"):
            self._versions[stream] = version

    def _take(self, position: int, event: Event) -> None:
        if isinstance(event, JackpotContributed):
            self._follow(position, event, self._contribution(event))
        elif isinstance(event, JackpotHit):
            self._follow(position, event, self._hit(event))
        elif isinstance(event, JackpotPaid):
            self._paid_at_table(position, event)
        elif isinstance(event, HitPaid):
            self._paid(position, event)
        else:
            fold(self.meters, event)

    def _follow(self, position: int, recorded: JackpotContributed | JackpotHit, expected: Event) -> None:
        if expected != recorded:
            self.differences.append(differ(position, recorded.round, expected, recorded))
        fold(self.meters, expected)

    def _contribution(self, event: JackpotContributed) -> Event:
        meters = self.meters[event.progressive]
        terms = tuple(level.terms for level in meters.levels.values())
        version = self._versions[streams.progressive(event.progressive)]
        port = ProgressivePort(event.progressive, terms, version, None)
        return port.settle(event.round, [Stake(event.box, None, event.stake)], [])[0]

    def _hit(self, event: JackpotHit) -> Event:
        prize = Prize(event.box, event.player, event.hand, event.clause, event.share_ppm, event.prize, event.level)
        meters = self.meters[event.progressive]
        if meters.same_deal != "shared" or event.winners == 1:
            return award(meters, event.round, prize)
        key = (event.round, event.level)
        if event.winner == 1:
            self._parts[key] = equal_parts(meters.levels[event.level], event.winners)
        part = self._parts[key]
        return award(meters, event.round, prize, equal_part=part, winner=event.winner, winners=event.winners)

    def _paid_at_table(self, position: int, event: JackpotPaid) -> None:
        """A fixed prize was paid with its hit, which its round has judged; a pending one is paid once, in full."""
        pending = self.meters[event.progressive].pending.get(event.hit)
        if pending is None:
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
