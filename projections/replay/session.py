"""One table session played again: opener, rounds, chips across the edge, closer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from domain.engine.limits import Limits
from domain.events.base import Event
from domain.events.chips import CreditSent, FillReceived
from domain.events.correction import AmountCorrected, CorrectionProposed, RoundCorrected, RulingMade, RulingProposed
from domain.events.jackpot import JackpotPaid
from domain.events.late import LateReckoned
from domain.events.outcome import RoundClosed
from domain.events.play import RoundOpened
from domain.events.session import LimitsPosted, SessionClosed, SessionOpened
from domain.events.tray import TrayCounted
from domain.postings import tray_change
from domain.ruleset import Ruleset
from projections.live import ROUND_EVENTS, NoRulesetError, limits_of
from projections.replay.corrected import Corrections
from projections.replay.difference import Difference, differ, refused
from projections.replay.rounds import Terms, judge, judge_steps
from projections.replay.shadowing import ShadowReplay
from projections.replay.totals import TOTALLED, amiss

RulesetOf = Callable[[str], Ruleset]

MOST_LATE: Final = 2_000
"""Events of one late save that are followed; no save is as large."""


class Sources(NamedTuple):
    """What a session does not say itself. requested: a slip's amount, None for one that nobody has asked for."""

    rulesets: RulesetOf
    corrections: Corrections
    requested: Callable[[str], int | None]


class SessionReplay:
    """Takes the events of one session's stream in order. Rounds that began before `start` are only passed over.

    shadow: judges each closed round as well.
    """

    def __init__(self, sources: Sources, start: int, shadow: ShadowReplay | None = None) -> None:
        self._rulesets, self._corrections, self._requested = sources
        self._start = start
        self._shadow = shadow
        self._opened: SessionOpened | None = None
        self._limits: Limits | None = None
        self._ruleset: Ruleset | None = None
        self._tray = 0
        self._moved: deque[int] = deque(maxlen=MOST_LATE + 1)
        self._number = 0
        self._round: str | None = None
        self._events: list[Event] = []
        self._positions: list[int] = []
        self.rounds = 0
        self.differences: list[Difference] = []

    def take(self, position: int, event: Event) -> None:
        """The next event of the stream."""
        kind = type(event)
        moved = tray_change(event)
        self._tray += moved
        self._moved.append(moved)
        if self._round is not None and getattr(event, "round", None) == self._round:
            self._events.append(event)
            self._positions.append(position)
            if kind is RoundClosed:
                self._close_round()
        elif kind in ROUND_EVENTS:
            self._outside(position, event)
        else:
            if kind in TOTALLED and (figures := amiss(event)):
                self._wrong(position, figures, event)
            take = _TAKE.get(kind)
            if take is not None:
                take(self, position, event)

    def finish(self) -> None:
        """The stream is at its end: what is still on the felt must at least be legal so far."""
        if self._round is not None and self._judged(self._positions[0]):
            terms = self._terms(self._positions[0])
            if terms is not None:
                self.differences += judge_steps(terms, self._positions, self._events)

    def _judged(self, position: int) -> bool:
        return position >= self._start

    def _outside(self, position: int, event: Event) -> None:
        """Something of a round while that round is not on the felt: only an opening, or a pending jackpot's payment."""
        if isinstance(event, RoundOpened) and self._round is None:
            if event.number != self._number + 1 and self._judged(position):
                expected = f"round {self._number + 1} of the session comes next, not {event.number}"
                self.differences.append(refused(position, event.round, expected, event))
            self._number, self._round = event.number, event.round
            self._events, self._positions = [event], [position]
        elif not isinstance(event, JackpotPaid) and self._judged(position):
            self.differences.append(differ(position, getattr(event, "round", None), None, event))

    def _close_round(self) -> None:
        first = self._positions[0]
        if self._judged(first):
            self.rounds += 1
            terms = self._terms(first)
            if terms is not None:
                self.differences += judge(terms, self._positions, self._events)
                if self._shadow is not None:
                    self.differences += self._shadow.judge(terms, self._positions, self._events)
        self._round = None

    def _terms(self, position: int) -> Terms | None:
        """What rounds are played under now; None, and a difference, where the log does not say."""
        if self._opened is None or self._limits is None:
            self.differences.append(refused(position, self._round, "the session was never opened", None))
            return None
        if self._ruleset is None:
            try:
                self._ruleset = self._rulesets(self._opened.ruleset_digest)
            except NoRulesetError as error:
                self.differences.append(refused(position, self._round, str(error), None))
                return None
        return Terms(self._ruleset, self._limits, self._opened.progressive)

    # The session itself

    def _open(self, _position: int, event: SessionOpened) -> None:
        self._opened, self._limits = event, limits_of(event, None)

    def _post(self, _position: int, event: LimitsPosted) -> None:
        if self._opened is not None:
            self._limits = limits_of(self._opened, event)

    def _close(self, position: int, event: SessionClosed) -> None:
        expected = self._tray + event.expected  # closing has taken the expected tray out already
        figures = {"expected": expected, "over_short": event.closer_total - expected}
        if figures != {"expected": event.expected, "over_short": event.over_short}:
            self._wrong(position, figures, event)

    def _move(self, position: int, event: FillReceived | CreditSent) -> None:
        requested = self._requested(event.slip)
        if requested != event.amount:
            self._wrong(position, {"requested": requested}, event)

    def _count(self, position: int, event: TrayCounted) -> None:
        if event.expected != self._tray:
            self._wrong(position, {"expected": self._tray}, event)

    def _reckon(self, position: int, event: LateReckoned) -> None:
        """The events of its save stand before it; a save of more than are remembered is not followed."""
        if event.events < len(self._moved):
            moved = sum(list(self._moved)[-event.events - 1 : -1])
            if moved != event.tray:
                self._wrong(position, {"tray": moved}, event)

    def _correct(self, position: int, event: Event) -> None:
        found = list(self._corrections.take(position, event))
        if self._judged(position):
            self.differences += found

    def _wrong(self, position: int, figures: Mapping[str, Any], event: Event) -> None:
        if self._judged(position):
            difference = differ(position, None, None, event)
            difference["expected"] = {"type": event.TOPIC, **figures}
            self.differences.append(difference)


_TAKE: dict[type[Event], Callable[[SessionReplay, int, Any], None]] = {
    SessionOpened: SessionReplay._open,
    LimitsPosted: SessionReplay._post,
    FillReceived: SessionReplay._move,
    CreditSent: SessionReplay._move,
    SessionClosed: SessionReplay._close,
    TrayCounted: SessionReplay._count,
    LateReckoned: SessionReplay._reckon,
    **dict.fromkeys((CorrectionProposed, RoundCorrected, AmountCorrected), SessionReplay._correct),
    **dict.fromkeys((RulingProposed, RulingMade), SessionReplay._correct),
}
