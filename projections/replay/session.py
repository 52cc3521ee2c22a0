"""One table session played again: opener, rounds, chips across the edge, closer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.engine.limits import Limits
from domain.events.base import Event, chips_total
from domain.events.chips import CreditSent, FillReceived
from domain.events.jackpot import JackpotPaid
from domain.events.outcome import RoundClosed
from domain.events.play import RoundOpened
from domain.events.session import LimitsPosted, SessionClosed, SessionOpened
from domain.postings import tray_change
from domain.ruleset import Ruleset
from projections.live import ROUND_EVENTS, NoRulesetError, limits_of
from projections.replay.difference import Difference, differ, refused
from projections.replay.rounds import Terms, judge, judge_steps
from projections.replay.shadowing import ShadowReplay

RulesetOf = Callable[[str], Ruleset]


class SessionReplay:
    """Takes the events of one session's stream in order. Rounds that began before `start` are only passed over.

    shadow: judges each closed round as well.
    """

    def __init__(self, rulesets: RulesetOf, start: int, shadow: ShadowReplay | None = None) -> None:
        self._rulesets = rulesets
        self._start = start
        self._shadow = shadow
        self._opened: SessionOpened | None = None
        self._limits: Limits | None = None
        self._ruleset: Ruleset | None = None
        self._tray = 0
        self._number = 0
        self._round: str | None = None
        self._events: list[Event] = []
        self._positions: list[int] = []
        self.rounds = 0
        self.differences: list[Difference] = []

    def take(self, position: int, event: Event) -> None:
        """The next event of the stream."""
        kind = type(event)
        self._tray += tray_change(event)
        if self._round is not None and getattr(event, "round", None) == self._round:
            self._events.append(event)
            self._positions.append(position)
            if kind is RoundClosed:
                self._close_round()
        elif kind in ROUND_EVENTS:
            self._outside(position, event)
        else:
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

    def _open(self, position: int, event: SessionOpened) -> None:
        self._opened, self._limits = event, limits_of(event, None)
        self._total(position, event, chips_total(event.opener), event.opener_total)

    def _post(self, _position: int, event: LimitsPosted) -> None:
        if self._opened is not None:
            self._limits = limits_of(self._opened, event)

    def _move(self, position: int, event: FillReceived | CreditSent) -> None:
        self._total(position, event, chips_total(event.chips), event.amount)

    def _close(self, position: int, event: SessionClosed) -> None:
        expected = self._tray + event.expected  # closing has taken the expected tray out already
        self._total(position, event, chips_total(event.closer), event.closer_total)
        figures = {"expected": expected, "over_short": event.closer_total - expected}
        if figures != {"expected": event.expected, "over_short": event.over_short}:
            self._wrong(position, figures, event)

    def _total(self, position: int, event: Event, counted: int, total: int) -> None:
        if counted != total:
            self._wrong(position, {"total": counted}, event)

    def _wrong(self, position: int, figures: dict[str, Any], event: Event) -> None:
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
}
