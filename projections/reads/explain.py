"""Any figure opened into the events that make it.

A figure of tables (`win`, `drop`, ...) opens into events of their sessions and counts; a line of the journal into the
events with a posting to its account; what a cage window should hold into the shift's own events. The parts add up to
the figure; a figure that cannot be known yet opens into what is known of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final, LiteralString

import msgspec
import psycopg
from msgspec import Struct
from psycopg import sql

from domain import streams
from domain.cage import change
from domain.codec import decode
from domain.events.adjustment import BoxCorrected, FigureAdjusted
from domain.events.base import Event, Meta
from domain.events.count import BoxSettled
from domain.postings import legs
from projections.cage import Cage
from projections.counts import Counts
from projections.currencies import said_by
from projections.day_fold import DayFold
from projections.explaining import part_in_hour, part_of, value_of
from projections.gaming_days import GamingDays
from projections.journal import ENTRIES, Journal, day_of
from projections.log_reader import RawRow
from projections.reads.known import LATE, PAGE, fold_streams
from projections.reads.snapshot import Snapshot, conditions, snapshot
from projections.table_hold import TableHold


class Part(Struct):
    """One event's part in the figure, in the figure's own unit."""

    position: int
    event_id: str
    stream: str
    type: str
    happened_at: datetime
    actor: str
    amount: int


class Explained(Struct):
    """value: the figure, null while it cannot be known. total: what its events add up to, so far.

    unit: minor units of the currency, millionths of one (for the journal), or rounds. by_type: the total by kind of
    event. parts: the page's events in the order of the log; next: the `after` of the next page, null at the end.
    """

    position: int
    figure: str
    currency: str
    unit: str
    value: int | None
    total: int
    by_type: dict[str, int]
    events: int
    missing: list[str]
    parts: list[Part]
    next: int | None


class Explanations(Struct):
    """One a currency: currencies are never added up."""

    position: int
    rows: list[Explained]


_SESSIONS: LiteralString = "SELECT stream, gaming_day, currency FROM views.table_hold_sessions {} ORDER BY stream"
_EVENTS: LiteralString = """
SELECT notification_id, originator_id, originator_version, topic, state FROM public.pitclerk_events
WHERE originator_id = ANY(%s) AND notification_id > %s AND notification_id <= %s ORDER BY notification_id LIMIT %s"""
_LINE: LiteralString = """
SELECT amount_u, first_position, last_position FROM views.journal
WHERE gaming_day = %s AND currency = %s AND entry = %s AND account = %s"""
_BOOKED: LiteralString = """
SELECT notification_id, originator_id, originator_version, topic, state FROM public.pitclerk_events
WHERE topic = ANY(%s) AND notification_id > %s AND notification_id <= %s ORDER BY notification_id LIMIT %s"""
_CURRENCIES: LiteralString = """
SELECT stream, currency FROM views.table_hold_sessions UNION ALL SELECT stream, currency FROM views.cage_shifts
UNION ALL SELECT 'progressive/' || progressive, currency FROM views.jackpot_meters"""
_SHIFT: LiteralString = "SELECT stream, currency, cash, chips FROM views.cage_shifts WHERE cage_shift = %s"
_AUDITED: LiteralString = "SELECT day FROM views.gaming_days WHERE state = 'audited'"


def figure(
    conn: psycopg.Connection[Any],
    name: str,
    *,
    table: str | None = None,
    session: str | None = None,
    gaming_day: str | None = None,
    ruleset: str | None = None,
    shift: str | None = None,
    hour: datetime | None = None,
    after: int = 0,
    limit: int = 100,
) -> Explanations:
    """A figure of the tables that the filters leave. name: one of `explaining.FIGURES`.

    hour: only the part of the hour that begins then, as hold by hour has it; the figure is what that adds up to.
    """
    where, values = conditions(
        [
            ("table_name = %s", table),
            ("session = %s", session),
            ("gaming_day = %s", gaming_day),
            ("ruleset = %s", ruleset),
            ("shift = %s", shift),
        ]
    )
    with snapshot(conn) as look:
        position = look.position(TableHold, Counts, GamingDays)
        found = look.rows(sql.SQL(_SESSIONS).format(where), values)
        audited = {day for (day,) in look.rows(_AUDITED)}
        rows = []
        for currency in sorted({of for _, _, of in found}):
            names = [stream for stream, _, of in found if of == currency]
            days = {day for _, day, of in found if of == currency}
            look_at = names + [streams.count(day) for day in sorted(days)]
            folded = fold_streams(look, look_at, position)
            adding = _Adding(after, limit)
            for raw, meta, event in _with_late(look, look_at, position):
                of_session = folded.sessions.get(_session_of(raw, meta, event))
                if of_session is None or of_session.opened.currency != currency:
                    continue
                if hour is None:
                    adding.add(raw, meta, part_of(name, of_session, event, raw))
                else:
                    adding.add(raw, meta, part_in_hour(name, of_session, hour, (raw, meta, event)))
            made = _of_tables(name, currency, position, folded, adding, audited=days <= audited)
            rows.append(made if hour is None else msgspec.structs.replace(made, value=made.total, missing=[]))
        return Explanations(position, rows)


class _Adding:
    """Adds parts up and keeps the page's."""

    def __init__(self, after: int, limit: int) -> None:
        self._after = after
        self._limit = limit
        self.by_type: Counter[str] = Counter()
        self.events = 0
        self.parts: list[Part] = []
        self.next: int | None = None

    def add(self, raw: RawRow, meta: Meta, amount: int) -> None:
        """Take one event; one that adds nothing is no part."""
        if not amount:
            return
        position, stream, _, topic, _ = raw
        self.by_type[topic] += amount
        self.events += 1
        if position <= self._after:
            return
        if len(self.parts) < self._limit:
            at = meta.happened_at.astimezone(UTC)
            self.parts.append(Part(position, meta.event_id, stream, topic, at, meta.actor, amount))
        elif self.next is None:
            self.next = self.parts[-1].position

    def explained(
        self, name: str, currency: str, unit: str, *, position: int, value: int | None, missing: list[str]
    ) -> Explained:
        return Explained(
            position=position,
            figure=name,
            currency=currency,
            unit=unit,
            value=value,
            total=self.by_type.total(),
            by_type=dict(self.by_type),
            events=self.events,
            missing=missing,
            parts=self.parts,
            next=self.next,
        )


def _of_tables(
    name: str, currency: str, position: int, folded: DayFold, adding: _Adding, *, audited: bool
) -> Explained:
    group = folded.added_up(list(folded.sessions), audited=audited)
    made = group.figures()
    value = value_of(name, group.play, group.extent, made)
    unit = "rounds" if name == "rounds" else "minor units"
    return adding.explained(name, currency, unit, position=position, value=value, missing=made.missing)


def _session_of(raw: RawRow, meta: Meta, event: Event) -> str:
    if isinstance(event, BoxSettled | BoxCorrected | FigureAdjusted):
        return event.session_stream
    return meta.belongs_to or raw[1]


def _with_late(look: Snapshot, names: list[str], upto: int) -> Iterator[tuple[RawRow, Meta, Event]]:
    """The events of these streams and those that other streams took late for them, in the order of the log."""
    late = [(a, b, c, d, bytes(e)) for a, b, c, d, e in look.rows(LATE, (names, [], upto))]
    for raw, meta, event in _decoded(look, _EVENTS, names, upto):
        while late and late[0][0] < raw[0]:
            yield _read(late.pop(0))
        if meta.belongs_to is None:
            yield raw, meta, event
    yield from map(_read, late)


def _read(raw: RawRow) -> tuple[RawRow, Meta, Event]:
    return (raw, *decode(raw[3], raw[4]))


def _decoded(
    look: Snapshot, statement: LiteralString, of: list[str], upto: int, after: int = 0
) -> Iterator[tuple[RawRow, Meta, Event]]:
    while True:
        page = look.rows(statement, (of, after, upto, PAGE))
        for position, stream, version, topic, state in page:
            raw: RawRow = (position, stream, version, topic, bytes(state))
            meta, event = decode(topic, raw[4])
            yield raw, meta, event
        if len(page) < PAGE:
            return
        after = page[-1][0]


_TOPICS_OF: Final[dict[str, list[str]]] = {
    entry: [kind.TOPIC for kind, of in ENTRIES.items() if of == entry] for entry in set(ENTRIES.values())
}


def journal_line(
    conn: psycopg.Connection[Any],
    *,
    gaming_day: str,
    currency: str,
    entry: str,
    account: str,
    after: int = 0,
    limit: int = 100,
) -> Explained | None:
    """A line of the journal; None where there is none such. The unit is millionths of a minor unit."""
    with snapshot(conn) as look:
        found = look.rows(_LINE, (gaming_day, currency, entry, account))
        if not found:
            return None
        amount, first, last = found[0]
        currencies: dict[str, str] = dict(look.rows(_CURRENCIES))
        adding = _Adding(after, limit)
        for raw, meta, event in _decoded(look, _BOOKED, _TOPICS_OF[entry], last, first - 1):
            of = said_by(event) or currencies.get(raw[1])
            if day_of(meta) == gaming_day and of == currency:
                adding.add(raw, meta, sum(part for name, part in legs(event) if name == account))
        unit, position = "millionths of a minor unit", look.position(Journal)
        return adding.explained(account, currency, unit, position=position, value=int(amount), missing=[])


def cage_shift(
    conn: psycopg.Connection[Any], shift: str, what: str, *, after: int = 0, limit: int = 100
) -> Explained | None:
    """What a cashier's window should hold in `cash` or in `chips`; None for an unknown shift."""
    with snapshot(conn) as look:
        found = look.rows(_SHIFT, (shift,))
        if not found:
            return None
        stream, currency, cash, chips = found[0]
        position = look.position(Cage)
        adding = _Adding(after, limit)
        for raw, meta, event in _decoded(look, _EVENTS, [stream], position):
            adding.add(raw, meta, change(event)[0 if what == "cash" else 1])
        value = int(cash if what == "cash" else chips)
        return adding.explained(what, currency, "minor units", position=position, value=value, missing=[])
