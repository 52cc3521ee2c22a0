"""`table_hold` by a plain fold."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import datetime
from typing import Any, ClassVar

from domain.codec import UnreadableEventError, decode
from domain.events.chips import BuyIn, CreditSent, FillReceived, TipDropped
from domain.events.correction import AmountCorrected, RulingMade
from domain.events.jackpot import JackpotPaid
from domain.events.late import LateReckoned
from domain.events.outcome import PayoutMade, RoundClosed, StakeReturned, StakeTaken
from domain.events.session import SessionClosed, SessionOpened
from domain.postings import tray_change
from projections.check.compare import Compared
from projections.check.examiner import Look, Seen, Violations

_HOUR = (
    "rounds",
    "void_rounds",
    "void_staked",
    "buy_ins",
    "fills",
    "credits",
    "tips",
    "jackpot_paid",
    "jackpot_tray",
    "tray_play",
    "over_short",
)
_KIND = ("handle", "taken", "due", "paid", "paid_tray", "capped")

Sums = Counter[str]


class _Session:
    def __init__(self, row: dict[str, Any]) -> None:
        self.row = row
        self.hours: dict[datetime, Sums] = defaultdict(Counter)
        self.kinds: dict[tuple[datetime, str], Sums] = defaultdict(Counter)


class PlainHold:
    """Sessions, their hours, their kinds of stake."""

    view: ClassVar[str] = "table_hold"

    def __init__(self, violations: Violations) -> None:
        key = {"site": "text", "stream": "text"}
        self._violations = violations
        self._compared = (
            Compared(violations, "table_hold_sessions", key),
            Compared(violations, "table_hold", key | {"hour": "timestamptz"}),
            Compared(violations, "table_hold_kinds", key | {"hour": "timestamptz", "kind": "text"}),
            Compared(violations, "table_hold_totals", key),
            Compared(violations, "table_hold_kind_totals", key | {"kind": "text"}),
        )
        self._late = Compared(violations, "late_events", {"site": "text", "position": "bigint"})
        self._open: dict[tuple[str, str], _Session] = {}
        self._closed: dict[tuple[str, str], _Session] = {}
        self._reckoned: dict[tuple[str, int], dict[str, Any]] = {}
        self._grows: set[str] | None = None

    def take(self, seen: Seen, look: Look) -> None:
        event, key = seen.event, (seen.meta.site, seen.meta.belongs_to or seen.stream)
        if self._grows is None:
            self._grows = _grow_late(look)
        if isinstance(event, SessionOpened):
            self._open[key] = _Session(_session_row(seen, event))
        elif not isinstance(event, _COUNTED):
            return
        session = self._open.get(key) or self._closed.get(key)
        if session is None:
            self._violations.add(f"position {seen.position}: {event.TOPIC} outside an open session")
            return
        at = event.counted_at if isinstance(event, LateReckoned) else seen.meta.happened_at
        hour = at.replace(minute=0, second=0, microsecond=0)
        _count(session, session.hours[hour], hour, event)
        if isinstance(event, SessionClosed):
            session.row |= {
                "closed_at": seen.meta.happened_at,
                "closer": event.closer_total,
                "expected": event.expected,
                "over_short": event.over_short,
            }
            closed = self._open.pop(key)
            if seen.stream in self._grows:
                self._closed[key] = closed
            else:
                self._compare(look, key, closed)
        elif isinstance(event, LateReckoned):
            self._reckoned[seen.meta.site, seen.position] = {
                "stream": event.session_stream,
                "recorded_in": seen.stream,
                "first_version": seen.version - event.events,
                "last_version": seen.version,
            }

    def _compare(self, look: Look, key: tuple[str, str], session: _Session) -> None:
        sessions, hours, kinds, totals, kind_totals = self._compared
        sessions.some(look, {key: session.row})
        hours.some(look, {(*key, hour): {c: sums[c] for c in _HOUR} for hour, sums in session.hours.items()})
        kinds.some(look, {(*key, *of): {c: sums[c] for c in _KIND} for of, sums in session.kinds.items()})
        total, by_kind = _come_to(session)
        day = {"gaming_day": session.row["gaming_day"]}
        totals.some(look, {key: day | {c: total[c] for c in _HOUR}})
        kind_totals.some(look, {(*key, kind): day | {c: sums[c] for c in _KIND} for kind, sums in by_kind.items()})

    def finish(self, look: Look) -> None:
        for key, session in (self._open | self._closed).items():
            self._compare(look, key, session)
        for compared in self._compared:
            compared.finish(look)
        self._late.all(look, self._reckoned)


def _come_to(session: _Session) -> tuple[Sums, dict[str, Sums]]:
    """What a session's hours come to, and its kinds of stake."""
    total: Sums = Counter()
    by_kind: dict[str, Sums] = defaultdict(Counter)
    for sums in session.hours.values():
        total.update(sums)
    for (_, kind), sums in session.kinds.items():
        by_kind[kind].update(sums)
    return total, by_kind


def _grow_late(look: Look) -> set[str]:
    """The sessions that later saves add to: they are compared at the end. The log says so, not a view."""
    found = look.rows("SELECT state FROM public.pitclerk_events WHERE topic = %s", (LateReckoned.TOPIC,))
    grow = set()
    for (state,) in found:
        try:
            event = decode(LateReckoned.TOPIC, bytes(state))[1]
        except UnreadableEventError:  # the pass over the log says so at its position
            continue
        assert isinstance(event, LateReckoned), "asked for by topic"
        grow.add(event.session_stream)
    return grow


_PLAY = (StakeTaken, PayoutMade, JackpotPaid, AmountCorrected, RulingMade)
_EDGES = (SessionClosed, LateReckoned)
_COUNTED = (*_PLAY, *_EDGES, StakeReturned, RoundClosed, BuyIn, FillReceived, CreditSent, TipDropped)


def _session_row(seen: Seen, e: SessionOpened) -> dict[str, Any]:
    return {
        "table_name": e.table,
        "session": e.session,
        "number": e.number,
        "gaming_day": e.gaming_day,
        "shift": e.shift,
        "ruleset": e.ruleset,
        "ruleset_version": e.ruleset_version,
        "currency": e.currency,
        "progressive": e.progressive,
        "opened_at": seen.meta.happened_at,
        "opener": e.opener_total,
        "carried_closer": e.carried_closer,
        "closed_at": None,
        "closer": None,
        "expected": None,
        "over_short": None,
    }


def _count(session: _Session, sums: Sums, hour: datetime, event: Any) -> None:
    """Add one event to its hour and kind."""
    if isinstance(event, _PLAY):
        sums["tray_play"] += tray_change(event)
    if isinstance(event, StakeTaken):
        _kind(session, hour, event.kind, handle=event.amount, taken=event.amount)
    elif isinstance(event, StakeReturned):
        _kind(session, hour, event.kind, handle=event.amount)
    elif isinstance(event, PayoutMade):
        tray = event.paid if event.paid_by == "tray" else 0
        _kind(session, hour, event.kind, due=event.due, paid=event.paid, paid_tray=tray, capped=event.capped)
    elif isinstance(event, JackpotPaid):
        sums["jackpot_paid"] += event.amount
        sums["jackpot_tray"] += event.amount if event.paid_by == "tray" else 0
    elif isinstance(event, AmountCorrected):
        _correct(session, hour, event)
    elif isinstance(event, RulingMade):
        _kind(session, hour, "ruling", due=event.paid, paid=event.paid, paid_tray=event.paid)
    elif isinstance(event, RoundClosed):
        sums["rounds"] += 1
        sums["void_rounds"] += event.void
        sums["void_staked"] += event.staked if event.void else 0
    elif isinstance(event, SessionClosed):
        sums["over_short"] += event.over_short
    elif isinstance(event, LateReckoned):
        sums["over_short"] -= event.tray
    elif column := _EDGE.get(event.TOPIC):
        sums[column] += event.amount


_EDGE = {
    BuyIn.TOPIC: "buy_ins",
    FillReceived.TOPIC: "fills",
    CreditSent.TOPIC: "credits",
    TipDropped.TOPIC: "tips",
}


def _correct(session: _Session, hour: datetime, e: AmountCorrected) -> None:
    more = e.now - e.was
    if e.effect == "taken":
        _kind(session, hour, e.kind, handle=more, taken=more)
    elif e.effect == "returned":
        _kind(session, hour, e.kind, handle=more)
    elif e.effect == "paid":
        _kind(session, hour, e.kind, due=more, paid=more, paid_tray=more)


def _kind(session: _Session, hour: datetime, kind: str, **more: int) -> None:
    session.kinds[hour, kind].update(more)
