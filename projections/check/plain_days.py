"""`jackpot_days` by a plain fold: balances of its own, moved by what the events say, one event after the other.

Nothing here comes from the fold of the meters: what an award, a seed or a limit does to a balance is written twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar

import msgspec

from domain.events.base import Event, Meta
from domain.events.jackpot import JackpotContributed, JackpotHit
from domain.events.outcome import StakeTaken
from domain.events.progressive import (
    ChangeProposed,
    ChangeRefused,
    FundsReceived,
    FundsSent,
    HitPaid,
    HitRejected,
    LevelTerms,
    LimitImposed,
    MeterAdjusted,
    ProgressiveOpened,
    ProgressiveOrphaned,
    ProgressiveProposed,
    ProgressiveRefused,
    ProgressiveRetired,
    ProgressiveStarted,
    ProgressiveStopAnnounced,
    ProgressiveStopped,
    TermsChanged,
)
from domain.events.session import SessionClosed, SessionOpened
from domain.money import MICRO
from projections.check.compare import Compared
from projections.check.examiner import Look, Seen, Violations

_KEYS = {"site": "text", "progressive": "text", "level": "integer", "gaming_day": "text"}
_BALANCES = ("display", "reserve", "rest", "base")
_SUMS = (
    *("stakes", "stakes_taken", "in_u", "taken_u", "increments_u", "reserve_shares_u", "overflowed_u"),
    *("from_house_u", "from_reserve_u", "awards_u", "house_prizes_u", "hits", "wins"),
    *(f"{way}_{part}_u" for way in ("adjusted", "transferred") for part in ("display", "reserve", "rest")),
    *(f"moved_{balance}_u" for balance in _BALANCES),
)

Sums = Counter[str]


class _Pot:
    """A level: its balances in millionths, rest being overflow and residue, and the terms in force."""

    def __init__(self, terms: LevelTerms) -> None:
        self.rates = (terms.increment_ppm, terms.reserve_ppm)
        self.limit = terms.limit
        self.display = self.base = terms.seed * MICRO
        self.reserve = self.rest = 0

    def spill(self, day: Sums) -> None:
        """What stands above the limit goes over."""
        if self.limit is not None:
            over = max(0, self.display - self.limit * MICRO)
            self.display -= over
            self.rest += over
            day["overflowed_u"] += over

    def balances(self) -> tuple[int, ...]:
        return tuple(getattr(self, name) for name in _BALANCES)


class PlainJackpotDays:
    """Days and records are few beside the stakes, so all are kept to the end."""

    view: ClassVar[str] = "jackpot_days"

    def __init__(self, violations: Violations) -> None:
        self._violations = violations
        self._of_days = Compared(violations, "jackpot_days", _KEYS)
        self._of_records = Compared(
            violations, "jackpot_records", {"site": "text", "progressive": "text", "position": "bigint"}
        )
        self._pots: dict[tuple[str, str], dict[int, _Pot]] = {}
        self._sessions: dict[str, SessionOpened] = {}
        self._days: dict[tuple[str, str, int, str], Sums] = {}
        self._records: dict[tuple[str, str, int], dict[str, Any]] = {}

    def take(self, seen: Seen, look: Look) -> None:  # noqa: ARG002
        event: Any = seen.event
        if isinstance(event, SessionOpened):
            self._sessions[seen.stream] = event
        elif isinstance(event, SessionClosed):
            self._sessions.pop(seen.stream, None)
        elif isinstance(event, StakeTaken):
            self._taken(seen, event)
        elif isinstance(event, _ASKED):
            self._record(seen, None, None)
        elif isinstance(event, ProgressiveOpened | TermsChanged):
            self._terms(seen, event)
        elif isinstance(event, JackpotContributed):
            for share in event.shares:
                self._move(seen, share.level, _contributed)
        elif isinstance(event, ProgressiveStopped | ProgressiveStarted | ProgressiveRetired):
            self._record(seen, None, None)
        elif type(event) in _MOVES:
            before, after = self._move(seen, event.level, _MOVES[type(event)])
            if not isinstance(event, JackpotHit) or event.pending or before != after:
                self._record(seen, before, after)

    def _taken(self, seen: Seen, event: StakeTaken) -> None:
        """Every level that stands at this moment should hear of a jackpot stake."""
        session = self._sessions.get(seen.stream)
        if event.kind != "jackpot" or session is None:
            return
        for level in self._pots.get((seen.meta.site, session.progressive or ""), {}):
            day = self._day(seen.meta, session.progressive or "", level)
            day["stakes_taken"] += 1
            day["taken_u"] += event.amount * MICRO

    def _terms(self, seen: Seen, event: ProgressiveOpened | TermsChanged) -> None:
        pots = self._pots.setdefault((seen.meta.site, event.progressive), {})
        known = dict(pots)
        for terms in event.levels:
            day = self._day(seen.meta, event.progressive, terms.level)
            pot = pots.get(terms.level)
            if pot is None:
                pot = pots[terms.level] = _Pot(terms)
                day["from_house_u"] += pot.display
                day["moved_display_u"] += pot.display
                day["moved_base_u"] += pot.base
            pot.rates, pot.limit = (terms.increment_ppm, terms.reserve_ppm), terms.limit
        only = known.get(event.levels[0].level) if len(event.levels) == 1 else None
        shown = None if only is None else only.display
        self._record(seen, shown, shown)

    def _move(self, seen: Seen, level: int, rule: Callable[[_Pot, Any, Sums], None]) -> tuple[int, int]:
        """The level's display before and after."""
        event: Any = seen.event
        pot = self._pots.get((seen.meta.site, event.progressive), {}).get(level)
        if pot is None:
            self._violations.add(f"position {seen.position}: {event.progressive} has no level {level}")
            return 0, 0
        day = self._day(seen.meta, event.progressive, level)
        before = pot.balances()
        rule(pot, event, day)
        for name, was, now in zip(_BALANCES, before, pot.balances(), strict=True):
            day[f"moved_{name}_u"] += now - was
        return before[0], pot.display

    def _day(self, meta: Meta, progressive: str, level: int) -> Sums:
        return self._days.setdefault((meta.site, progressive, level, _gaming_day(meta)), Counter())

    def _record(self, seen: Seen, before: int | None, after: int | None) -> None:
        event: Any = seen.event
        self._records[seen.meta.site, event.progressive, seen.position] = {
            "event": event.TOPIC,
            "level": getattr(event, "level", None),
            "gaming_day": _gaming_day(seen.meta),
            "happened_at": seen.meta.happened_at,
            "actor": seen.meta.actor,
            "approver": seen.meta.approver,
            "approval": getattr(event, "approval", None),
            "reason": getattr(event, "reason", None),
            "display_before_u": before,
            "display_after_u": after,
            "said": msgspec.json.encode(event).decode(),
        }

    def finish(self, look: Look) -> None:
        self._of_days.all(look, {key: {name: day[name] for name in _SUMS} for key, day in self._days.items()})
        self._of_records.all(look, self._records)
        self._meters(look)

    def _meters(self, look: Look) -> None:
        """The meters that the view goes on from hold what the balances here hold."""
        stored = {(site, name): text for site, name, text in look.rows(_STORED)}
        for key in stored.keys() ^ self._pots.keys():
            self._violations.add(f"jackpot_day_meters {key} stands on one side only")
        for key in stored.keys() & self._pots.keys():
            levels = msgspec.json.decode(stored[key])["levels"]
            held = {int(number): _held(level) for number, level in levels.items()}
            for number, pot in self._pots[key].items():
                if held.get(number) != pot.balances():
                    has = held.get(number)
                    self._violations.add(f"jackpot_day_meters {key} level {number}: {has} for {pot.balances()}")


_STORED = "SELECT site, progressive, meters FROM views.jackpot_day_meters"
_ASKED = (
    *(ProgressiveProposed, ProgressiveRefused, ChangeProposed, ChangeRefused),
    *(ProgressiveStopAnnounced, ProgressiveOrphaned),
)


def _gaming_day(meta: Meta) -> str:
    return meta.gaming_day or meta.happened_at.date().isoformat()


def _held(level: dict[str, int]) -> tuple[int, ...]:
    return level["display_u"], level["reserve_u"], level["overflow_u"] + level["residue_u"], level["base_u"]


def _contributed(pot: _Pot, event: JackpotContributed, day: Sums) -> None:
    """The sums are stake times the rates in force, the balances what the shares brought: they must agree."""
    increment_ppm, reserve_ppm = pot.rates
    day["stakes"] += 1
    day["in_u"] += event.stake * MICRO
    day["increments_u"] += event.stake * increment_ppm
    day["reserve_shares_u"] += event.stake * reserve_ppm
    pot.display += event.stake * increment_ppm
    pot.reserve += event.stake * reserve_ppm
    pot.spill(day)


def _hit(pot: _Pot, event: JackpotHit, day: Sums) -> None:
    from_meter = event.award * MICRO if event.charged_to == "meter" else 0
    day["hits"] += 1
    day["wins"] += event.award
    day["awards_u" if from_meter else "house_prizes_u"] += event.award * MICRO
    day["from_house_u"] += event.reset_from_house_u
    day["from_reserve_u"] += event.reset_from_reserve_u
    pot.display += event.reset_from_house_u + event.reset_from_reserve_u - from_meter
    pot.reserve -= event.reset_from_reserve_u
    pot.base += event.reset_from_house_u - event.base_u


def _rejected(pot: _Pot, event: HitRejected, day: Sums) -> None:
    day["hits"] -= 1
    day["wins"] -= event.award
    day["awards_u"] -= event.award * MICRO
    day["from_house_u"] -= event.to_house_u
    day["from_reserve_u"] -= event.to_reserve_u
    pot.display += event.award * MICRO - event.to_house_u - event.to_reserve_u
    pot.reserve += event.to_reserve_u
    pot.base += event.base_u - event.to_house_u
    pot.spill(day)


def _adjusted(pot: _Pot, event: MeterAdjusted, day: Sums) -> None:
    balance = event.balance if event.balance in ("display", "reserve") else "rest"
    day[f"adjusted_{balance}_u"] += event.amount_u
    setattr(pot, balance, getattr(pot, balance) + event.amount_u)
    if balance == "display":
        pot.base = min(pot.base, pot.display)


def _sent(pot: _Pot, event: FundsSent, day: Sums) -> None:
    day["transferred_display_u"] -= event.display_u
    day["transferred_reserve_u"] -= event.reserve_u
    day["transferred_rest_u"] -= event.overflow_u + event.residue_u
    pot.display -= event.display_u
    pot.reserve -= event.reserve_u
    pot.rest -= event.overflow_u + event.residue_u
    pot.base -= event.base_u


def _received(pot: _Pot, event: FundsReceived, day: Sums) -> None:
    day["transferred_display_u"] += event.display_u
    day["transferred_reserve_u"] += event.reserve_u
    pot.display += event.display_u
    pot.reserve += event.reserve_u
    pot.base += event.base_u
    pot.spill(day)


def _limited(pot: _Pot, event: LimitImposed, day: Sums) -> None:
    pot.limit = event.limit
    pot.spill(day)


def _paid(_pot: _Pot, _event: HitPaid, _day: Sums) -> None:
    """The hit has moved the meter already; the payment is only remembered."""


_MOVES: dict[type[Event], Callable[[_Pot, Any, Sums], None]] = {
    JackpotHit: _hit,
    HitRejected: _rejected,
    HitPaid: _paid,
    MeterAdjusted: _adjusted,
    FundsSent: _sent,
    FundsReceived: _received,
    LimitImposed: _limited,
}
