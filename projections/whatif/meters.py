"""The progressives under another rate: the same stakes, adjustments and transfers, other contributions and awards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, structs

from domain import streams
from domain.engine.jackpot import Prize, Stake
from domain.events.base import Event
from domain.events.jackpot import JackpotContributed, JackpotHit
from domain.events.progressive import (
    FundsReceived,
    FundsSent,
    HitRejected,
    LevelTerms,
    MeterAdjusted,
    ProgressiveOpened,
    TermsChanged,
)
from domain.money import MICRO
from domain.progressive.folding import fold
from domain.progressive.meters import Level, Meters
from domain.progressive.port import ProgressivePort
from domain.progressive.terms import check_terms

Moves = Sequence[JackpotContributed | JackpotHit]


class MeterPair(Struct):
    """One level at the end, in millionths of a minor unit as decimal text; wins in minor units."""

    progressive: str
    level: int
    currency: str
    recorded_u: str
    whatif_u: str
    recorded_contributed_u: str
    whatif_contributed_u: str
    recorded_hits: int
    whatif_hits: int
    recorded_wins: int
    whatif_wins: int


class OtherMeters:
    """Both sides of every progressive. increment_ppm: the first level's share of a stake; None: as it was.

    `move` refuses `bad_terms` where a level cannot have that share.
    """

    def __init__(self, increment_ppm: int | None) -> None:
        self._ppm = increment_ppm
        self._versions: dict[str, int] = {}
        self._sent: dict[tuple[str, int], Level] = {}
        self.recorded: dict[str, Meters] = {}
        self.other: dict[str, Meters] = {}

    def port(self, progressive: str) -> ProgressivePort | None:
        """Where a round under other terms finds its meter; None for a progressive that is not running."""
        meters = self.other.get(progressive)
        if meters is None:
            return None
        terms = tuple(level.terms for level in meters.levels.values())
        return ProgressivePort(progressive, terms, self._versions.get(streams.progressive(progressive), 0), meters)

    def play(self, recorded: Moves, other: Moves | None) -> None:
        """A round is over. other None: it was not played under other terms, so its stakes and winning hands stand."""
        for event in recorded:
            fold(self.recorded, event)
        again: Sequence[Event] = self._again(recorded) if other is None else other
        for moved in again:
            fold(self.other, moved)

    def _again(self, recorded: Moves) -> Sequence[Event]:
        contributed = [e for e in recorded if isinstance(e, JackpotContributed)]
        hits = [e for e in recorded if isinstance(e, JackpotHit)]
        port = self.port(recorded[0].progressive) if recorded else None
        if port is None:
            return []
        stakes = [Stake(e.box, None, e.stake) for e in contributed]
        prizes = [Prize(e.box, e.player, e.hand, e.clause, e.share_ppm, e.prize, e.level) for e in hits]
        return port.settle(recorded[0].round, stakes, prizes)

    def move(self, stream: str, version: int, event: Event) -> None:
        """Something of a progressive's own stream."""
        self._versions[stream] = version
        if isinstance(event, FundsSent):
            level = self.other[event.progressive].levels[event.level]
            self._sent[event.to, event.to_level] = structs.replace(level)
        fold(self.recorded, event)
        adapted = self._adapted(event)
        if adapted is not None:
            fold(self.other, adapted)

    def _adapted(self, event: Event) -> Event | None:
        """The same act on meters that stand elsewhere; None where it is about something that did not happen there."""
        if isinstance(event, ProgressiveOpened | TermsChanged):
            levels = tuple(map(self._rated, event.levels))
            check_terms(levels)
            return structs.replace(event, levels=levels)
        if isinstance(event, MeterAdjusted):
            before = getattr(self.other[event.progressive].levels[event.level], f"{event.balance}_u")
            return structs.replace(event, before_u=before, after_u=before + event.amount_u)
        if isinstance(event, HitRejected):
            return self._rejected(event)
        if isinstance(event, FundsReceived):
            sent = self._sent.pop((event.progressive, event.level), None)
            if sent is not None:
                reserve = sent.reserve_u + sent.overflow_u + sent.residue_u
                return structs.replace(event, display_u=sent.display_u, reserve_u=reserve, base_u=sent.base_u)
        return event

    def _rated(self, terms: LevelTerms) -> LevelTerms:
        return terms if self._ppm is None or terms.level != 1 else structs.replace(terms, increment_ppm=self._ppm)

    def _rejected(self, event: HitRejected) -> HitRejected | None:
        meters = self.other[event.progressive]
        pending = meters.pending.get(event.hit)
        if pending is None:
            return None
        before = meters.levels[pending.level].display_u
        seed = pending.reset_from_reserve_u + pending.reset_from_house_u
        return structs.replace(
            event,
            level=pending.level,
            award=pending.award,
            meter_before_u=before,
            meter_after_u=before + pending.award * MICRO - seed,
            to_reserve_u=pending.reset_from_reserve_u,
            to_house_u=pending.reset_from_house_u,
            base_u=pending.base_u,
        )

    def pairs(self) -> list[MeterPair]:
        """Every level side by side."""
        return [
            _pair(name, meters.currency, level, self.other[name].levels[level.terms.level])
            for name, meters in sorted(self.recorded.items())
            for level in meters.levels.values()
        ]


def _pair(progressive: str, currency: str, recorded: Level, other: Level) -> MeterPair:
    figures: dict[str, Any] = {}
    for side, level in (("recorded", recorded), ("whatif", other)):
        figures |= {
            f"{side}_u": str(level.display_u),
            f"{side}_contributed_u": str(level.contributed_u),
            f"{side}_hits": level.hits,
            f"{side}_wins": level.wins,
        }
    return MeterPair(progressive=progressive, level=recorded.terms.level, currency=currency, **figures)
