"""Every view equals a plain fold of the log: one event at a time, written apart from the batch folds.

Sessions and rounds are compared when they close and then let go, so memory holds what is open, and what is rare.
"""

from __future__ import annotations

from typing import ClassVar, Protocol

from projections.check.examiner import Identity, Look, Seen, Violations
from projections.check.plain_days import PlainJackpotDays
from projections.check.plain_floor import PlainRounds, PlainTables
from projections.check.plain_hold import PlainHold
from projections.check.plain_jackpots import PlainJackpots
from projections.check.plain_journal import PlainJournal
from projections.check.plain_limits import PlainLimits


class Plain(Protocol):
    """A plain fold of one projection. view: the projection's name."""

    view: ClassVar[str]

    def __init__(self, violations: Violations) -> None: ...

    def take(self, seen: Seen, look: Look) -> None: ...

    def finish(self, look: Look) -> None: ...


FOLDS: tuple[type[Plain], ...] = (
    PlainJackpots,
    PlainJackpotDays,
    PlainHold,
    PlainLimits,
    PlainRounds,
    PlainTables,
    PlainJournal,
)


class PlainExaminer:
    """All plain folds, a verdict each."""

    def __init__(self, upto: int) -> None:
        self._upto = upto
        self._violations = [Violations(f"projection_{fold.view}") for fold in FOLDS]
        self._folds = [fold(violations) for fold, violations in zip(FOLDS, self._violations, strict=True)]

    def take(self, seen: Seen, look: Look) -> None:
        for fold in self._folds:
            fold.take(seen, look)

    def verdicts(self, look: Look) -> list[Identity]:
        for fold in self._folds:
            fold.finish(look)
        return [found.verdict(f"equals a plain fold to position {self._upto}") for found in self._violations]
