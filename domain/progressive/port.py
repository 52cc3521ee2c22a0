"""The round engine's door to a progressive: stakes become contributions, prizes become hits, in one order."""

import copy
from collections import Counter

from domain.engine.jackpot import Prize, Stake
from domain.events.base import Event
from domain.events.jackpot import JackpotContributed, JackpotHit, JackpotPaid, LevelShare
from domain.events.progressive import LevelTerms
from domain.money import MICRO
from domain.progressive.award import award, equal_parts
from domain.progressive.folding import fold
from domain.progressive.meters import Meters, hit_id


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
        for hit in _hits(running, self.progressive, round_id, prizes):
            events.append(hit)
            if not hit.pending:
                events.append(_paid_at_once(hit))
        return events

    def _contribution(self, round_id: str, stake: Stake) -> JackpotContributed:
        return JackpotContributed(
            round=round_id,
            box=stake.box,
            progressive=self.progressive,
            stake=stake.amount,
            shares=tuple(_share(terms, stake.amount) for terms in self.levels),
            config_version=self.config_version,
        )


def _share(terms: LevelTerms, stake: int) -> LevelShare:
    return LevelShare(terms.level, stake * terms.increment_ppm, stake * terms.reserve_ppm)


def _hits(running: dict[str, Meters], progressive: str, round_id: str, prizes: list[Prize]) -> list[JackpotHit]:
    """The hits of one deal in box order, each folded in before the next.

    Where the progressive shares a meter among winners of one deal, equal parts are cut from the meter as the first of
    them finds it; the seed comes after the last.
    """
    winners = Counter(prize.level for prize in prizes if prize.share_ppm == MICRO)
    places: Counter[int] = Counter()
    parts: dict[int, int] = {}
    hits = []
    for prize in prizes:
        meters = running[progressive]
        of = winners[prize.level]
        if meters.same_deal == "shared" and prize.share_ppm == MICRO and of > 1:
            places[prize.level] += 1
            part = parts.setdefault(prize.level, equal_parts(meters.levels[prize.level], of))
            hit = award(meters, round_id, prize, equal_part=part, winner=places[prize.level], winners=of)
        else:
            hit = award(meters, round_id, prize)
        fold(running, hit)
        hits.append(hit)
    return hits


def _paid_at_once(hit: JackpotHit) -> JackpotPaid:
    return JackpotPaid(
        round=hit.round,
        box=hit.box,
        progressive=hit.progressive,
        level=hit.level,
        hit=hit_id(hit),
        amount=hit.award,
        paid_by="tray",
    )
