"""`rounds` and `tables` by a plain fold."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from domain.events.chips import BuyIn, CreditSent, FillReceived, TipDropped
from domain.events.correction import (
    AmountCorrected,
    CorrectionProposed,
    HandReannounced,
    RoundCorrected,
    RulingMade,
    RulingProposed,
)
from domain.events.outcome import RoundClosed
from domain.events.play import AntePlaced, RoundOpened, WagerPlaced
from domain.events.session import LimitsPosted, SessionClosed, SessionOpened
from domain.postings import tray_change
from projections.check.compare import Compared
from projections.check.examiner import Look, Seen, Violations

BUFFER = 1_000

Key = tuple[str, str]
Row = dict[str, Any]

_NOTES = (CorrectionProposed, RoundCorrected, AmountCorrected, HandReannounced, RulingProposed, RulingMade)


class PlainRounds:
    """One row a round; closed ones are compared by the thousand."""

    view: ClassVar[str] = "rounds"

    def __init__(self, violations: Violations) -> None:
        self._violations = violations
        self._rounds = Compared(violations, "rounds", {"site": "text", "round": "text"})
        self._notes = Compared(violations, "round_notes", {"site": "text", "round": "text", "position": "bigint"})
        self._sessions: dict[str, SessionOpened] = {}
        self._open: dict[Key, Row] = {}
        self._closed: dict[Key, Row] = {}
        self._corrected: dict[Key, Counter[str]] = {}
        self._said: dict[tuple[str, str, int], Row] = {}

    def take(self, seen: Seen, look: Look) -> None:
        event = seen.event
        if isinstance(event, SessionOpened):
            self._sessions[seen.stream] = event
        elif isinstance(event, SessionClosed):
            self._sessions.pop(seen.stream, None)
        elif isinstance(event, RoundOpened):
            self._begin(seen, event)
        elif isinstance(event, AntePlaced | WagerPlaced):
            row = self._open.get((seen.meta.site, event.round))
            if row is not None and event.player is not None and event.player not in row["players"]:
                row["players"] = sorted([*row["players"], event.player])
        elif isinstance(event, RoundClosed):
            self._close(seen, event, look)
        elif isinstance(event, _NOTES):
            self._note(seen, event)

    def _begin(self, seen: Seen, event: RoundOpened) -> None:
        session = self._sessions.get(seen.stream)
        if session is None:
            self._violations.add(f"position {seen.position}: a round outside an open session")
            return
        self._open[seen.meta.site, event.round] = {
            "table_name": session.table,
            "stream": seen.stream,
            "session": session.session,
            "gaming_day": seen.meta.gaming_day if seen.meta.belongs_to else session.gaming_day,
            "ruleset": session.ruleset,
            "number": event.number,
            "source": event.source,
            "shoe": event.shoe,
            "actor": seen.meta.actor,
            "first_version": seen.version,
            "first_position": seen.position,
            "opened_at": seen.meta.happened_at,
            "players": [],
        } | dict.fromkeys(_CLOSE)

    def _close(self, seen: Seen, event: RoundClosed, look: Look) -> None:
        row = self._open.pop((seen.meta.site, event.round), None)
        if row is None:
            return
        row |= {name: getattr(event, name) for name in ("staked", "taken", "returned", "paid", "house_net", "void")}
        row["last_version"], row["last_position"] = seen.version, seen.position
        row["closed_at"] = seen.meta.happened_at
        self._closed[seen.meta.site, event.round] = row
        if len(self._closed) >= BUFFER:
            self._flush(look)

    def _flush(self, look: Look) -> None:
        self._rounds.some(look, self._closed)
        self._closed = {}

    def _note(self, seen: Seen, event: Any) -> None:
        if event.round is None:
            return
        self._said[seen.meta.site, event.round, seen.position] = {}
        if isinstance(event, RoundCorrected):
            sums = self._corrected.setdefault((seen.meta.site, event.round), Counter())
            sums.update(corrections=1, corrected_net=event.house_net)

    def finish(self, look: Look) -> None:
        self._flush(look)
        self._rounds.some(look, self._open)
        self._rounds.finish(look)
        self._notes.all(look, self._said)
        found = {
            (site, name): Counter(corrections=count, corrected_net=net)
            for site, name, count, net in look.rows(
                "SELECT site, round, corrections, corrected_net FROM views.rounds WHERE corrections <> 0"
            )
        }
        if found != self._corrected:
            self._violations.add("the corrections of rounds are not those of the log")


_CLOSE = ("last_version", "last_position", "closed_at", "staked", "taken", "returned", "paid", "house_net", "void")


class PlainTables:
    """One row a table."""

    view: ClassVar[str] = "tables"

    def __init__(self, violations: Violations) -> None:
        self._tables = Compared(violations, "tables", {"site": "text", "table_name": "text"})
        self._rows: dict[Key, Row] = {}
        self._of_stream: dict[str, Key] = {}

    def take(self, seen: Seen, look: Look) -> None:  # noqa: ARG002
        event = seen.event
        if isinstance(event, SessionOpened):
            key = (seen.meta.site, event.table)
            before = self._rows.get(key)
            if before is not None:
                self._of_stream.pop(before["stream"], None)
            self._of_stream[seen.stream] = key
            self._rows[key] = _table_row(seen, event)
        of = self._of_stream.get(seen.stream)
        if of is not None:
            _move(self._rows[of], seen)

    def finish(self, look: Look) -> None:
        self._tables.all(look, self._rows)


def _table_row(seen: Seen, e: SessionOpened) -> Row:
    row = {
        name: getattr(e, name)
        for name in (
            "session",
            "gaming_day",
            "shift",
            "ruleset",
            "ruleset_version",
            "currency",
            "chip",
            "min",
            "max",
            "max_payout_per_box",
            "progressive",
        )
    }
    return row | {
        "stream": seen.stream,
        "state": "open",
        "opened_at": seen.meta.happened_at,
        "closed_at": None,
        "opener": e.opener_total,
        "closer": None,
        "rounds": 0,
        "live_round": None,
        "tray": 0,
        "last_activity": seen.meta.happened_at,
    }


_ACTIVE = (
    SessionOpened,
    SessionClosed,
    LimitsPosted,
    RoundOpened,
    RoundClosed,
    BuyIn,
    FillReceived,
    CreditSent,
    TipDropped,
)


def _move(row: Row, seen: Seen) -> None:
    event = seen.event
    row["tray"] += tray_change(event)
    if isinstance(event, _ACTIVE):
        row["last_activity"] = max(row["last_activity"], seen.meta.happened_at)
    if isinstance(event, RoundOpened):
        row["live_round"] = event.round
    elif isinstance(event, RoundClosed):
        row["live_round"] = None
        row["rounds"] += 1
    elif isinstance(event, LimitsPosted):
        row["min"], row["max"], row["max_payout_per_box"] = event.min, event.max, event.max_payout_per_box
    elif isinstance(event, SessionClosed):
        row["state"], row["closed_at"], row["closer"] = "closed", seen.meta.happened_at, event.closer_total
