"""`exceptions`: the inbox of what somebody should look at, with the trail of who did.

| table | one row a | columns |
|---|---|---|
| views.exceptions | exception | code, day, table, what it is about, amount, the event that it is about |
| views.exception_notes | acknowledgement | who, when, what was found |
| views.slips | fill or credit slip | number, table, state, amount, requester |
| views.player_cash | player reference, gaming day, currency | cash in and cash out, each on its own |
| views.table_pulse | session | when a round last began at it |

Thresholds are those in force when the event was recorded, for its gaming day: rules adopted later change no past.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any, ClassVar, Final

import psycopg

from domain.codec import decode
from domain.events.base import Event, Meta
from domain.events.cage import ChipsRedeemed, ChipsSold, HandPaid
from domain.events.chips import BuyIn, CreditSent, FillReceived
from domain.events.correction import RoundCorrected, RulingMade
from domain.events.inbox import ExceptionAcknowledged
from domain.events.play import RoundOpened
from domain.events.rules import Rules, RulesAdopted
from domain.events.session import SessionClosed, SessionOpened
from domain.events.slips import SlipCarried, SlipCounted, SlipPrepared, SlipReceived, SlipRequested, SlipVoided
from domain.money_rules import in_force, passes
from projections.currencies import OPENINGS, CurrencyBook
from projections.exception_finder import FLAGGED_EVENTS, LATE_EVENTS, PLAIN_EVENTS, THRESHOLD_EVENTS, found
from projections.exception_rows import CashRow, Changes, ExceptionRow, NoteRow, PulseRow, SlipRow, day_of, made_of
from projections.kept import Kept
from projections.log_reader import Batch, Row
from projections.store import Cursor, Upsert

_SLIP_STATES: Final[dict[type[Event], str]] = {
    SlipPrepared: "prepared",
    SlipCarried: "carried",
    SlipCounted: "counted",
    SlipReceived: "received",
    SlipVoided: "void",
}
_DONE: Final = ("received", "void")
_CASH_IN, _CASH_OUT = (BuyIn, ChipsSold), (ChipsRedeemed, HandPaid)
_ARRIVED = (FillReceived, CreditSent)
_PULSE = (SessionOpened, RoundOpened, SessionClosed)
_SLIP_EVENTS: Final[tuple[type[Event], ...]] = (SlipRequested, *_SLIP_STATES)
_EVENTS: Final[frozenset[type[Event]]] = frozenset(
    (
        *THRESHOLD_EVENTS,
        *PLAIN_EVENTS,
        *FLAGGED_EVENTS,
        *LATE_EVENTS,
        *_SLIP_EVENTS,
        *_CASH_IN,
        *_CASH_OUT,
        *OPENINGS,
        RulesAdopted,
        ExceptionAcknowledged,
    )
)
_ADOPTED = (
    "SELECT notification_id, topic, state FROM public.pitclerk_events"
    " WHERE originator_id = 'house' AND topic = %s AND notification_id <= %s ORDER BY notification_id"
)


class Exceptions:
    """The projection; in memory the adopted rules and the currencies of streams."""

    name: ClassVar[str] = "exceptions"
    version: ClassVar[int] = 2
    topics: ClassVar[frozenset[str]] = frozenset(kind.TOPIC for kind in _EVENTS)
    tables: ClassVar[Sequence[str]] = ("exceptions", "exception_notes", "slips", "player_cash", "table_pulse")

    def __init__(self) -> None:
        self._currencies = CurrencyBook()
        self._adopted: list[tuple[int, Rules]] | None = None
        self._slips = Kept("slips", SlipRow, ("site", "slip"))
        self._cash = Kept("player_cash", CashRow, ("site", "gaming_day", "player", "currency"))
        self._pulses = Kept("table_pulse", PulseRow, ("site", "stream"))

    def load(self, conn: psycopg.Connection[Any], schema: str, batch: Batch) -> None:
        if self._adopted is None:
            rows = conn.execute(_ADOPTED, (RulesAdopted.TOPIC, batch.start)).fetchall()
            self._adopted = [(at, _rules(decode(topic, state)[1])) for at, topic, state in rows]
        self._adopted += [(position, event.rules) for position, *_, event in batch.of(RulesAdopted)]
        wanting = (SessionClosed, RoundCorrected, RulingMade, *_ARRIVED, *_CASH_IN, *_CASH_OUT)
        streams = {row[1] for row in batch.merged(*wanting)}
        streams |= {row[1] for row in batch.merged(*THRESHOLD_EVENTS) if row[1].startswith(("table/", "cage/"))}
        streams |= {row[1] for kind in FLAGGED_EVENTS for row in batch.of(kind)}
        self._currencies.learn(conn, batch, streams)
        self._load_slips(conn, schema, batch)
        players = {event.player for *_, event in batch.merged(*_CASH_IN, *_CASH_OUT) if event.player}  # type: ignore[attr-defined]
        days = {day_of(meta) for *_, meta, _ in batch.merged(*_CASH_IN, *_CASH_OUT)}
        self._cash.fetch(conn, schema, "player", players, ("gaming_day", days))
        self._pulses.fetch(conn, schema, "stream", {row[1] for row in batch.merged(*_PULSE)})

    def _load_slips(self, conn: psycopg.Connection[Any], schema: str, batch: Batch) -> None:
        """The slips that the batch is about: named in it, of sessions that close in it, the last of a stream."""
        named = {event.slip for *_, event in batch.merged(*_SLIP_EVENTS, *_ARRIVED)}  # type: ignore[attr-defined]
        closing = {event.session for *_, event in batch.of(SessionClosed)}
        books = {row[1] for row in batch.of(SlipRequested)}
        self._slips.fetch(conn, schema, "slip", named)
        self._slips.fetch_more(conn, schema, "session", closing)
        self._slips.fetch_more(conn, schema, "stream", books)

    def fold(self, batch: Batch) -> Changes:
        """What the batch adds to the inbox."""
        exceptions = list(found(batch, self))
        exceptions += self._follow_slips(batch)
        exceptions += self._follow_cash(batch)
        exceptions += self._follow_pulse(batch)
        notes = [
            NoteRow(meta.site, event.exception, position, meta.actor, meta.happened_at, event.note)
            for position, _, _, meta, event in batch.of(ExceptionAcknowledged)
        ]
        return Changes(exceptions, notes, self._slips.taken(), self._cash.taken(), self._pulses.taken())

    def rules_at(self, position: int, gaming_day: str) -> Rules:
        """The rules in force for a gaming day as adopted before a position."""
        assert self._adopted is not None, "loaded before folding"
        return in_force([rules for at, rules in self._adopted if at < position], gaming_day)

    def currency_of(self, stream: str) -> str:
        """The currency of a session or a cashier's shift."""
        return self._currencies[stream]

    # Slips: numbers without gaps, every one signed to the end, none moved without one

    def _follow_slips(self, batch: Batch) -> Iterator[ExceptionRow]:
        last: dict[str, int] = {}
        for known in self._slips.taken():
            last[known.stream] = max(last.get(known.stream, 0), known.number)
        for row in batch.merged(*_SLIP_EVENTS, *_ARRIVED, SessionClosed):
            position, stream, version, meta, event = row
            if isinstance(event, SlipRequested):
                if event.number != last.get(stream, 0) + 1:
                    gap = f"numbers {last.get(stream, 0) + 1} to {event.number - 1} of {stream} are missing"
                    yield made_of(row, "number_gap", event.slip, gap, table=event.table)
                last[stream] = event.number
                self._slips.put(_requested(position, stream, version, meta, event))
            elif type(event) in _SLIP_STATES:
                slip = self._slips.get(meta.site, event.slip)  # type: ignore[attr-defined]
                if slip is not None:
                    slip.state, slip.moved_at = _SLIP_STATES[type(event)], meta.happened_at
            elif isinstance(event, FillReceived | CreditSent):
                if self._slips.get(meta.site, event.slip) is None:
                    detail = f"chips of {event.amount} moved on a slip that nobody requested"
                    of = self.currency_of(stream)
                    yield made_of(row, "missing_slip", event.slip, detail, amount=event.amount, currency=of)
            elif isinstance(event, SessionClosed):
                yield from self._unsigned(row, event)

    def _unsigned(self, row: Row[Event], event: SessionClosed) -> Iterator[ExceptionRow]:
        for slip in self._slips.taken():
            if slip.session == event.session and slip.state not in _DONE:
                detail = f"{slip.slip} was {slip.state} when its session closed"
                part, of = f".{slip.slip}", self.currency_of(row[1])
                yield made_of(row, "unsigned_slip", slip.slip, detail, amount=slip.amount, currency=of, part=part)

    # Cash of a player reference and gaming day, each direction on its own (31 CFR 1021.311)

    def _follow_cash(self, batch: Batch) -> Iterator[ExceptionRow]:
        for row in batch.merged(*_CASH_IN, *_CASH_OUT):
            position, stream, _, meta, event = row
            player: str | None = event.player  # type: ignore[attr-defined]
            if player is None:
                continue
            amount: int = event.amount  # type: ignore[attr-defined]
            day, currency = day_of(meta), self._currencies[stream]
            cash = self._cash.get(meta.site, day, player, currency)
            if cash is None:
                cash = self._cash.put(CashRow(meta.site, day, player, currency, 0, 0, position))
            direction = "cash_in" if isinstance(event, _CASH_IN) else "cash_out"
            before: int = getattr(cash, direction)
            setattr(cash, direction, before + amount)
            cash.position = position
            yield from self._crossed(row, direction, player, before, before + amount)

    def _crossed(self, row: Row[Event], direction: str, player: str, before: int, after: int) -> Iterator[ExceptionRow]:
        position, stream, _, meta, _ = row
        currency = self._currencies[stream]
        thresholds = self.rules_at(position, day_of(meta)).thresholds
        for number, threshold in enumerate(thresholds):
            if threshold.code != direction or passes(threshold, before, currency):
                continue
            if passes(threshold, after, currency):
                word = "in" if direction == "cash_in" else "out"
                detail = f"cash {word} of the gaming day is {threshold.operator} {threshold.amount} {threshold.rule}"
                yield made_of(
                    row, direction, player, detail.rstrip(), amount=after, currency=currency, part=f".{number}"
                )

    # Tables that stand open and deal nothing

    def _follow_pulse(self, batch: Batch) -> Iterator[ExceptionRow]:
        for row in batch.merged(*_PULSE):
            position, stream, _, meta, event = row
            pulse = self._pulses.get(meta.site, stream)
            if pulse is None:
                self._pulses.put(PulseRow(meta.site, stream, meta.happened_at))
                continue
            idle = meta.happened_at - pulse.last_at
            allowed = timedelta(minutes=self.rules_at(position, day_of(meta)).idle_minutes)
            if idle > allowed:
                minutes = int(idle.total_seconds() // 60)
                subject = event.session if isinstance(event, SessionClosed) else stream.removeprefix("table/")
                yield made_of(row, "idle_table", subject, f"open and idle for {minutes} minutes", amount=minutes)
            pulse.last_at = max(pulse.last_at, meta.happened_at)

    def store(self, cursor: Cursor, schema: str, changes: Changes) -> None:
        _EXCEPTIONS.run(cursor, schema, changes.exceptions)
        _NOTES.run(cursor, schema, changes.notes)
        self._slips.store(cursor, schema, changes.slips)
        self._cash.store(cursor, schema, changes.cash)
        self._pulses.store(cursor, schema, changes.pulses)

    def forget(self) -> None:
        self._adopted = None
        self._currencies.forget()
        for kept in (self._slips, self._cash, self._pulses):
            kept.rows.clear()


def _rules(event: Event) -> Rules:
    assert isinstance(event, RulesAdopted), "asked for by topic"
    return event.rules


def _requested(position: int, stream: str, version: int, meta: Meta, event: SlipRequested) -> SlipRow:
    return SlipRow(
        site=meta.site,
        slip=event.slip,
        kind=event.kind,
        number=event.number,
        stream=stream,
        table_name=event.table,
        session=event.session,
        amount=event.amount,
        state="requested",
        requested_at=meta.happened_at,
        requested_by=meta.actor,
        moved_at=meta.happened_at,
        version=version,
        position=position,
    )


_EXCEPTIONS = Upsert("exceptions", ExceptionRow, ("site", "exception"))
_NOTES = Upsert("exception_notes", NoteRow, ("site", "exception", "position"))
