"""The log once over, in its order: what rounds came to and what they would have come to, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final

import psycopg
from msgspec import Struct

from domain import streams
from domain.codec import UnreadableEventError, decode
from domain.engine.limits import Limits
from domain.events.base import Event
from domain.events.house import RulesetPublished
from domain.events.jackpot import JackpotContributed, JackpotHit
from domain.events.outcome import PayoutMade, RoundClosed
from domain.events.play import RoundOpened
from domain.events.session import LimitsPosted, SessionOpened
from domain.progressive.folding import FOLDED
from domain.ruleset import Ruleset
from projections import log_reader
from projections.live import ROUND_EVENTS, NoRulesetError, Rulesets, limits_of
from projections.log_reader import Row
from projections.whatif.meters import MeterPair, OtherMeters
from projections.whatif.rounds import NotComparableError, Terms, play_again

PAGE: Final = 5_000
MOST_LISTED: Final = 1_000
"""Rounds that are listed as not comparable; all of them are counted."""

Progress = Callable[[int], None]


class Side(Struct):
    """What rounds came to, in minor units. handle: settled stakes; win: what the house took less what it paid."""

    handle: int = 0
    taken: int = 0
    paid: int = 0
    capped: int = 0
    win: int = 0

    def add(self, events: Iterable[Event]) -> None:
        """One more round."""
        for event in events:
            if isinstance(event, PayoutMade):
                self.capped += event.capped
            elif isinstance(event, RoundClosed):
                self.handle += event.staked
                self.taken += event.taken
                self.paid += event.paid
                self.win += event.house_net


class Compared(Struct):
    """The comparable rounds of one recorded sheet and currency, both ways."""

    ruleset: str
    currency: str
    rounds: int
    recorded: Side
    whatif: Side


class NotComparable(Struct):
    """A round that is on neither side, and why."""

    round: str
    position: int
    reason: str


class WhatIf(Struct):
    """position: up to where the log was played. rows: by sheet as recorded. reasons: how many rounds each left out.

    passed_over: rounds of games that the other sheet is not for.
    """

    position: int
    ruleset: str | None
    cap: int | str | None
    jackpot_ppm: int | None
    rounds: int
    rows: list[Compared]
    meters: list[MeterPair]
    not_comparable: int
    reasons: dict[str, int]
    listed: list[NotComparable]
    passed_over: int


class _Table:
    """One session on the way through the log."""

    __slots__ = ("events", "limits", "opened", "positions", "ruleset")

    def __init__(self, opened: SessionOpened, ruleset: Ruleset) -> None:
        self.opened = opened
        self.ruleset = ruleset
        self.limits: Limits = limits_of(opened, None)
        self.events: list[Event] = []
        self.positions: list[int] = []


def whatif(
    conn: psycopg.Connection[Any],
    terms: Terms,
    *,
    table: str | None = None,
    day: str | None = None,
    start: int | None = None,
    stop: int | None = None,
    progress: Progress | None = None,
) -> WhatIf:
    """Rounds that began at `start` or later and were closed up to `stop`, of one table or gaming day or of all.

    Meters are folded from the beginning of the log, with the rounds that are not chosen as they were dealt. Raises
    NoRulesetError, UnreadableRowError.
    """
    last = log_reader.head(conn)
    last = last if stop is None else min(stop, last)
    run = _Run(conn, terms, table, day, start or 0)
    at = 0
    while at < last:
        batch = log_reader.read_batch(conn, at, _TOPICS, PAGE, upto=last)
        if batch.unreadable is not None:
            raise batch.unreadable
        for row in batch.merged(*_KINDS):
            run.take(row)
        at = batch.end if len(batch) else last
        if progress is not None:
            progress(at)
    return run.result(last)


_KINDS: Final[tuple[type[Event], ...]] = tuple({SessionOpened, LimitsPosted, *ROUND_EVENTS, *FOLDED})
_TOPICS: Final = frozenset(kind.TOPIC for kind in _KINDS)


class _Run:
    def __init__(
        self, conn: psycopg.Connection[Any], terms: Terms, table: str | None, day: str | None, start: int
    ) -> None:
        self._conn = conn
        self._terms = terms
        self._wanted = (table, day)
        self._start = start
        self._rulesets = Rulesets()
        self._tables: dict[str, _Table] = {}
        self._meters = OtherMeters(terms.jackpot_ppm)
        self._rows: dict[tuple[str, str], Compared] = {}
        self._listed: list[NotComparable] = []
        self._reasons: Counter[str] = Counter()
        self._passed_over = 0

    def take(self, row: Row[Event]) -> None:
        """The next event, in the order of the log."""
        position, stream, version, _, event = row
        if stream.startswith("progressive/"):
            self._meters.move(stream, version, event)
        elif isinstance(event, SessionOpened):
            self._tables[stream] = _Table(event, self._rulesets.fetch(self._conn, event.ruleset_digest))
        elif isinstance(event, LimitsPosted):
            at_table = self._tables[stream]
            at_table.limits = limits_of(at_table.opened, event)
        else:
            self._of_round(position, self._tables[stream], event)

    def _of_round(self, position: int, at_table: _Table, event: Event) -> None:
        if isinstance(event, RoundOpened):
            at_table.events, at_table.positions = [], []
        if not at_table.events and not isinstance(event, RoundOpened):
            return  # a pending hit's payment at the table: the round was over before
        at_table.events.append(event)
        at_table.positions.append(position)
        if isinstance(event, RoundClosed):
            self._close(at_table)
            at_table.events, at_table.positions = [], []

    def _close(self, at_table: _Table) -> None:
        events = at_table.events
        other: list[Event] | None = None
        if self._is_chosen(at_table):
            try:
                other = self._again(at_table)
            except NotComparableError as error:
                self._leave_out(at_table, str(error))
            else:
                self._compare(at_table, other)
        self._meters.play(_of_jackpot(events), None if other is None else _of_jackpot(other))

    def _is_chosen(self, at_table: _Table) -> bool:
        table, day = self._wanted
        opened = at_table.opened
        if table not in (None, opened.table) or day not in (None, opened.gaming_day):
            return False
        if at_table.positions[0] < self._start:
            return False
        if not self._terms.concern(at_table.ruleset):
            self._passed_over += 1
            return False
        return True

    def _again(self, at_table: _Table) -> list[Event]:
        linked = at_table.opened.progressive
        port = None if linked is None else self._meters.port(linked)
        return play_again(self._terms, at_table.ruleset, at_table.limits, at_table.events, port)

    def _compare(self, at_table: _Table, other: list[Event]) -> None:
        key = (at_table.opened.ruleset, at_table.opened.currency)
        row = self._rows.get(key)
        if row is None:
            row = self._rows[key] = Compared(*key, 0, Side(), Side())
        row.rounds += 1
        row.recorded.add(at_table.events)
        row.whatif.add(other)

    def _leave_out(self, at_table: _Table, reason: str) -> None:
        opened = at_table.events[0]
        assert isinstance(opened, RoundOpened), "a round begins with its opening"
        self._reasons[reason.partition(": ")[0]] += 1
        if len(self._listed) < MOST_LISTED:
            self._listed.append(NotComparable(opened.round, at_table.positions[0], reason))

    def result(self, position: int) -> WhatIf:
        """Both sides."""
        terms = self._terms
        rows = [self._rows[key] for key in sorted(self._rows)]
        return WhatIf(
            position=position,
            ruleset=None if terms.ruleset is None else terms.ruleset.id,
            cap=terms.cap,
            jackpot_ppm=terms.jackpot_ppm,
            rounds=sum(row.rounds for row in rows),
            rows=rows,
            meters=self._meters.pairs(),
            not_comparable=self._reasons.total(),
            reasons=dict(self._reasons),
            listed=self._listed,
            passed_over=self._passed_over,
        )


def _of_jackpot(events: list[Event]) -> list[JackpotContributed | JackpotHit]:
    return [event for event in events if isinstance(event, JackpotContributed | JackpotHit)]


def ruleset_of_log(conn: psycopg.Connection[Any], name: str) -> Ruleset | None:
    """The newest published sheet of this id; None if none was. Raises NoRulesetError."""
    newest = None
    published = (
        "SELECT topic, state FROM public.pitclerk_events WHERE originator_id = %s AND topic = %s"
        " ORDER BY originator_version"
    )
    for topic, state in conn.execute(published, (streams.HOUSE, RulesetPublished.TOPIC)).fetchall():
        try:
            event = decode(topic, state)[1]
        except UnreadableEventError as error:
            raise NoRulesetError(str(error)) from error
        if isinstance(event, RulesetPublished) and event.ruleset == name:
            newest = event
    return None if newest is None else Rulesets().fetch(conn, newest.digest)
