"""The jackpot identity, to the millionth, of every level: what came in is what was awarded and what is held.

Written with its own sums over the events, beside the fold of the meters whose balances they must explain.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from domain.events.base import Event
from domain.events.jackpot import JackpotContributed, JackpotHit
from domain.events.progressive import (
    FundsReceived,
    FundsSent,
    HitRejected,
    MeterAdjusted,
    ProgressiveOpened,
    TermsChanged,
)
from domain.money import MICRO
from domain.progressive.folding import FOLDED, fold
from domain.progressive.meters import Meters
from projections.check.examiner import Identity, Look, Seen, Violations

LevelKey = tuple[str, str, int]  # site, progressive, level

_TOPICS = frozenset(kind.TOPIC for kind in FOLDED)


class JackpotExaminer:
    """Sums of seeds, contributions, adjustments, transfers and awards against the balances."""

    def __init__(self) -> None:
        self._violations = Violations("jackpot_identity")
        self._meters: dict[str, dict[str, Meters]] = defaultdict(dict)
        self._came: Counter[LevelKey] = Counter()
        self._events = 0

    def take(self, seen: Seen, look: Look) -> None:  # noqa: ARG002
        event = seen.event
        if event.TOPIC not in _TOPICS:
            return
        self._events += 1
        site, progressive = seen.meta.site, event.progressive  # type: ignore[attr-defined]
        held = _held(self._meters[site].get(progressive))
        try:
            fold(self._meters[site], event)
        except (KeyError, AssertionError) as error:
            self._violations.add(f"position {seen.position}: {event.TOPIC}: {error!r}")
            return
        after = _held(self._meters[site][progressive])
        for level, amount in _moved(event, held, after).items():
            self._came[site, progressive, level] += amount
        for level in after.keys() | held.keys():
            if after.get(level, 0) != self._came[site, progressive, level]:
                self._wrong(seen, progressive, level, after.get(level, 0), self._came[site, progressive, level])
                self._came[site, progressive, level] = after.get(level, 0)

    def _wrong(self, seen: Seen, progressive: str, level: int, held: int, explained: int) -> None:
        self._violations.add(
            f"position {seen.position}: {progressive} level {level} holds {held} millionths, {explained} are explained"
        )

    def verdicts(self, look: Look) -> list[Identity]:  # noqa: ARG002
        levels = 0
        for site, of_site in self._meters.items():
            for progressive, meters in of_site.items():
                for number, level in meters.levels.items():
                    levels += 1
                    if level.imbalance_u():
                        where = f"{site} {progressive} level {number}"
                        self._violations.add(f"{where} is out of balance by {level.imbalance_u()} millionths")
        return [self._violations.verdict(f"{levels} levels after {self._events} events")]


def _held(meters: Meters | None) -> dict[int, int]:
    """Everything that each level holds."""
    if meters is None:
        return {}
    return {
        number: level.display_u + level.reserve_u + level.overflow_u + level.residue_u
        for number, level in meters.levels.items()
    }


def _moved(event: Event, before: dict[int, int], after: dict[int, int]) -> dict[int, int]:
    """What an event brings in (or takes out) by its own words, by level."""
    rule = _RULES.get(type(event))
    return {} if rule is None else rule(event, before, after)


def _seeds(e: Any, before: dict[int, int], _after: dict[int, int]) -> dict[int, int]:
    """Levels that are new begin at their seed."""
    return {terms.level: terms.seed * MICRO for terms in e.levels if terms.level not in before}


def _contributed(e: Any, _before: dict[int, int], _after: dict[int, int]) -> dict[int, int]:
    return {share.level: share.increment_u + share.reserve_u for share in e.shares}


def _hit(e: Any, _before: dict[int, int], _after: dict[int, int]) -> dict[int, int]:
    charged = e.award * MICRO if e.charged_to == "meter" else 0
    return {e.level: e.reset_from_house_u - charged}


def _rejected(e: Any, _before: dict[int, int], _after: dict[int, int]) -> dict[int, int]:
    return {e.level: e.award * MICRO - e.to_house_u}


def _adjusted(e: Any, _before: dict[int, int], _after: dict[int, int]) -> dict[int, int]:
    return {e.level: e.amount_u}


def _sent(e: Any, _before: dict[int, int], _after: dict[int, int]) -> dict[int, int]:
    return {e.level: -(e.display_u + e.reserve_u + e.overflow_u + e.residue_u)}


def _received(e: Any, _before: dict[int, int], _after: dict[int, int]) -> dict[int, int]:
    return {e.level: e.display_u + e.reserve_u}


_RULES: dict[type[Event], Any] = {
    ProgressiveOpened: _seeds,
    TermsChanged: _seeds,
    JackpotContributed: _contributed,
    JackpotHit: _hit,
    HitRejected: _rejected,
    MeterAdjusted: _adjusted,
    FundsSent: _sent,
    FundsReceived: _received,
}
