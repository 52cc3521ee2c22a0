"""Identities of a session and of the books: the tray, win in two ways, balanced postings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from domain.events.base import Event
from domain.events.cage import WindowOpened
from domain.events.chips import BuyIn, CreditSent, FillReceived
from domain.events.correction import AmountCorrected, RulingMade
from domain.events.jackpot import JackpotPaid
from domain.events.late import LateReckoned
from domain.events.outcome import PayoutMade, StakeTaken
from domain.events.progressive import ProgressiveOpened
from domain.events.session import SessionClosed, SessionOpened
from domain.postings import legs, tray_change
from projections.check.examiner import Identity, Look, Seen, Violations
from projections.currencies import said_by


class _Session:
    """Sums of one session, in minor units; paid and taken are of this tray, corrections counted in."""

    def __init__(self, opener: int) -> None:
        self.opener = opener
        self.fills = self.credits = self.drop = self.taken = self.paid = 0


class SessionExaminer:
    """The tray by its own formula, apart from the postings, and win by chips and by play."""

    def __init__(self) -> None:
        self._tray = Violations("expected_tray")
        self._win = Violations("win_two_ways")
        self._late = Violations("late_reckoned")
        self._open: dict[str, _Session] = {}
        self._reckoning: Counter[str] = Counter()
        self._closed = self._reckoned = 0

    def take(self, seen: Seen, look: Look) -> None:  # noqa: ARG002
        event = seen.event
        if seen.meta.belongs_to is not None:
            self._reckon(seen)
            return
        if isinstance(event, SessionOpened):
            self._open[seen.stream] = _Session(event.opener_total)
            return
        take = _SUMS.get(type(event))
        if take is None and not isinstance(event, SessionClosed):
            return
        session = self._open.get(seen.stream)
        if session is None:
            self._tray.add(f"position {seen.position}: {event.TOPIC} outside an open session")
        elif take is not None:
            take(session, event)
        elif isinstance(event, SessionClosed):
            self._close(seen, session, event)

    def _reckon(self, seen: Seen) -> None:
        """Late events of an earlier session and their reckoning leave this tray as it is, and name one session."""
        event = seen.event
        if not isinstance(event, LateReckoned):
            self._reckoning[seen.stream] += tray_change(event)
            return
        self._reckoned += 1
        moved = self._reckoning.pop(seen.stream, 0)
        if (event.tray, event.session_stream) != (moved, seen.meta.belongs_to):
            where = f"position {seen.position}, session {event.session}"
            self._late.add(f"{where}: late events move a tray by {moved}, reckoned are {event.tray}")

    def _close(self, seen: Seen, session: _Session, event: SessionClosed) -> None:
        del self._open[seen.stream]
        self._closed += 1
        where = f"position {seen.position}, session {event.session}"
        expected = session.opener + session.fills - session.credits - session.drop + session.taken - session.paid
        if event.expected != expected:
            self._tray.add(f"{where}: expected tray {event.expected}, its events give {expected}")
        if event.over_short != event.closer_total - expected:
            self._tray.add(f"{where}: over/short {event.over_short} for {event.closer_total} counted of {expected}")
        by_chips = session.drop + event.closer_total + session.credits - session.opener - session.fills
        by_play = session.taken - session.paid + event.over_short
        if by_chips != by_play:
            self._win.add(f"{where}: win by chips {by_chips}, by play {by_play}")

    def verdicts(self, look: Look) -> list[Identity]:  # noqa: ARG002
        looked_at = f"{self._closed} sessions closed, {len(self._open)} open"
        for stream, moved in self._reckoning.items():
            self._late.add(f"{stream}: late events of an earlier session that move {moved} are not reckoned")
        late = self._late.verdict(f"{self._reckoned} saves of late events")
        return [self._tray.verdict(looked_at), self._win.verdict(looked_at), late]


def _buy_in(session: _Session, e: BuyIn) -> None:
    session.drop += e.amount


def _fill(session: _Session, e: FillReceived) -> None:
    session.fills += e.amount


def _credit(session: _Session, e: CreditSent) -> None:
    session.credits += e.amount


def _taken(session: _Session, e: StakeTaken) -> None:
    session.taken += e.amount


def _paid(session: _Session, e: PayoutMade) -> None:
    session.paid += e.paid if e.paid_by == "tray" else 0


def _jackpot(session: _Session, e: JackpotPaid) -> None:
    session.paid += e.amount if e.paid_by == "tray" else 0


def _corrected(session: _Session, e: AmountCorrected) -> None:
    if e.effect == "taken":
        session.taken += e.now - e.was
    elif e.effect == "paid":
        session.paid += e.now - e.was


def _ruling(session: _Session, e: RulingMade) -> None:
    session.paid += e.paid


_SUMS: dict[type[Event], Callable[[_Session, Any], None]] = {
    BuyIn: _buy_in,
    FillReceived: _fill,
    CreditSent: _credit,
    StakeTaken: _taken,
    PayoutMade: _paid,
    JackpotPaid: _jackpot,
    AmountCorrected: _corrected,
    RulingMade: _ruling,
}


class PostingsExaminer:
    """Every event's legs sum to zero, and so does the trial balance of each currency."""

    def __init__(self) -> None:
        self._entries = Violations("postings_balance")
        self._trial = Violations("trial_balance")
        self._currencies: dict[str, str] = {}
        self._accounts: dict[str, Counter[str]] = defaultdict(Counter)
        self._count = 0

    def take(self, seen: Seen, look: Look) -> None:  # noqa: ARG002
        event = seen.event
        if isinstance(event, SessionOpened | ProgressiveOpened | WindowOpened):
            self._currencies[seen.stream] = event.currency
        entry = legs(event)
        if not entry:
            return
        self._count += 1
        if sum(amount for _, amount in entry):
            self._entries.add(f"position {seen.position}: the legs of {event.TOPIC} do not sum to zero")
        currency = said_by(event) or self._currencies.get(seen.stream)
        if currency is None:
            self._trial.add(f"position {seen.position}: {event.TOPIC} has no currency")
            return
        accounts = self._accounts[currency]
        for account, amount in entry:
            accounts[account] += amount

    def verdicts(self, look: Look) -> list[Identity]:  # noqa: ARG002
        for currency, accounts in self._accounts.items():
            balance = sum(accounts.values())
            if balance:
                self._trial.add(f"{currency}: the accounts sum to {balance} millionths")
        said = ", ".join(f"{currency}: {len(accounts)} accounts" for currency, accounts in self._accounts.items())
        return [self._entries.verdict(f"{self._count} entries"), self._trial.verdict(said or "no entries")]
