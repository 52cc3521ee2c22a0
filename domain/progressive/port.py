"""The round engine's door to a progressive: stakes become contributions, prizes become hits, in one order."""

import copy

from domain.engine.jackpot import Prize, Stake
from domain.events.base import Event
from domain.events.jackpot import JackpotContributed, JackpotPaid, LevelShare
from domain.events.progressive import LevelTerms
from domain.progressive.award import award
from domain.progressive.meters import Meters, fold, hit_id


class MeterNeededError(Exception):
    """A prize was won: the decision must be taken again under the commit lock, where the meter is known."""


class ProgressivePort:
    """Settles the jackpot stakes of one round.

    meters None: not yet under the commit lock; contributions need only the rates, a prize raises MeterNeededError.
    """

    def __init__(
        self, progressive: str, levels: tuple[LevelTerms, ...], config_version: int, meters: Meters | None
    ) -> None:
        self.progressive = progressive
        self.levels = levels
        self.config_version = config_version
        self.meters = meters

    def settle(self, round_id: str, stakes: list[Stake], prizes: list[Prize]) -> list[Event]:
        """Contributions of every stake, then each prize in box order with its award, fixed prizes paid at once."""
        events: list[Event] = [self._contribution(round_id, stake) for stake in stakes]
        if not prizes:
            return events
        if self.meters is None:
            raise MeterNeededError(self.progressive)
        running = {self.progressive: copy.deepcopy(self.meters)}
        for event in events:
            fold(running, event)
        for prize in prizes:
            hit = award(running[self.progressive], round_id, prize)
            fold(running, hit)
            events.append(hit)
            if not hit.pending:
                events.append(
                    JackpotPaid(
                        round=round_id,
                        box=hit.box,
                        progressive=hit.progressive,
                        level=hit.level,
                        hit=hit_id(hit),
                        amount=hit.award,
                        paid_by="tray",
                    )
                )
        return events

    def _contribution(self, round_id: str, stake: Stake) -> JackpotContributed:
        shares = tuple(
            LevelShare(t.level, stake.amount * t.increment_ppm, stake.amount * t.reserve_ppm) for t in self.levels
        )
        return JackpotContributed(
            round=round_id,
            box=stake.box,
            progressive=self.progressive,
            stake=stake.amount,
            shares=shares,
            config_version=self.config_version,
        )
