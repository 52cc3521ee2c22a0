"""What is kept away from the tables: windows, counts, slips and registries, each stream's figures followed again.

These are few events beside those of play, and transfers go from one window to another, so one process does all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import psycopg

from domain import streams
from domain.codec import UnreadableEventError, decode
from domain.events import cage
from domain.events.adjustment import BoxCorrected
from domain.events.base import Event
from domain.events.count import BoxCounted, BoxSettled
from domain.events.progressive import HitPaid
from domain.events.slips import HandPaySlipIssued, SlipRequested
from projections.replay.difference import Difference, differ, refused
from projections.replay.player import Part, rows_of
from projections.replay.totals import amiss

KINDS: Final = ("cage/", "count/", "slips/", "table/")
_STREAMS: Final = """
WITH RECURSIVE stream (id) AS (
    SELECT min(originator_id) FROM public.pitclerk_events WHERE originator_id >= %(kind)s
    UNION ALL
    SELECT (SELECT min(originator_id) FROM public.pitclerk_events e WHERE e.originator_id > stream.id)
    FROM stream WHERE starts_with(stream.id, %(kind)s)
)
SELECT id FROM stream WHERE starts_with(id, %(kind)s)"""
_PAID: Final = """
SELECT topic, state FROM public.pitclerk_events
WHERE originator_id = %s AND topic = %s AND notification_id <= %s ORDER BY originator_version"""


class Elsewhere:
    """Takes stream after stream; the windows know of each other's transfers."""

    def __init__(self, conn: psycopg.Connection[Any], last: int) -> None:
        self._conn = conn
        self._last = last
        self._paid: dict[str, dict[str, int]] = {}
        self.sent: dict[str, tuple[int, int]] = {}
        self.received: list[tuple[int, cage.TransferReceived]] = []
        self.requested: dict[str, int] = {}
        self.slips: list[tuple[int, cage.FillServed | cage.CreditTaken | cage.FillTakenBack]] = []

    def paid(self, progressive: str, hit: str) -> int | None:
        """What the progressive's own stream says was paid of a hit."""
        if progressive not in self._paid:
            rows = self._conn.execute(_PAID, (streams.progressive(progressive), HitPaid.TOPIC, self._last)).fetchall()
            events = [decode(topic, bytes(state))[1] for topic, state in rows]
            self._paid[progressive] = {event.hit: event.amount for event in events if isinstance(event, HitPaid)}
        return self._paid[progressive].get(hit)

    def together(self) -> Iterator[Difference]:
        """What came is what was sent, and a window gives and takes what the slip says."""
        for position, event in self.received:
            sent = self.sent.get(event.transfer)
            if sent != (event.cash, event.chips):
                yield refused(position, None, f"sent were {sent}, in cash and in chips", event)
        for position, served in self.slips:
            if self.requested.get(served.slip) != served.amount:
                yield _other(position, served, amount=self.requested.get(served.slip))


class Window:
    """One cashier's shift: what the window should hold, by what was sold, redeemed, paid, sent and received."""

    def __init__(self, house: Elsewhere) -> None:
        self._house = house
        self._cash = self._chips = 0

    def take(self, position: int, event: Event) -> Iterator[Difference]:
        """The next event of the shift."""
        if isinstance(event, cage.WindowClosed):
            if (event.expected_cash, event.expected_chips) != (self._cash, self._chips):
                yield _other(position, event, expected_cash=self._cash, expected_chips=self._chips)
        elif isinstance(event, cage.TransferReceived):
            self._house.received.append((position, event))
        elif isinstance(event, cage.TransferSent):
            self._house.sent[event.transfer] = event.cash, event.chips
        elif isinstance(event, cage.FillServed | cage.CreditTaken | cage.FillTakenBack):
            self._house.slips.append((position, event))
        elif isinstance(event, cage.HandPaid):
            paid = self._house.paid(event.progressive, event.hit)
            if paid != event.amount:
                yield refused(position, None, f"of hit {event.hit} the progressive says that {paid} was paid", event)
        moved = _MOVES.get(type(event))
        if moved is not None:
            cash, chips = moved(event)
            self._cash += cash
            self._chips += chips


_MOVES: Final[dict[type[Event], Callable[[Any], tuple[int, int]]]] = {
    cage.WindowOpened: lambda e: (e.cash_total, e.chips_total),
    cage.ChipsSold: lambda e: (e.amount, -e.amount),
    cage.ChipsRedeemed: lambda e: (-e.amount, e.amount),
    cage.HandPaid: lambda e: (-e.amount, 0),
    cage.FillServed: lambda e: (0, -e.amount),
    cage.FillTakenBack: lambda e: (0, e.amount),
    cage.CreditTaken: lambda e: (0, e.amount),
    cage.TransferSent: lambda e: (-e.cash, -e.chips),
    cage.TransferReceived: lambda e: (e.cash, e.chips),
}


class Count:
    """A day's count: a box is settled when two of its counts agree, at what they agree on."""

    def __init__(self, _: Elsewhere) -> None:
        self._counts: dict[str, list[int]] = {}
        self._settled: dict[str, int] = {}

    def take(self, position: int, event: Event) -> Iterator[Difference]:
        """The next event of the count."""
        if isinstance(event, BoxCounted):
            counts = self._counts.setdefault(event.drop, [])
            counts.append(event.total)
            if event.count != len(counts):
                yield _other(position, event, count=len(counts))
        elif isinstance(event, BoxSettled):
            counts = self._counts.get(event.drop, [])
            total = counts[-1] if counts and counts[-1] in counts[:-1] else None
            differ_at_first = len(counts) > 2
            if (event.total, event.differ) != (total, differ_at_first):
                yield _other(position, event, total=total, differ=differ_at_first, counts=counts)
            self._settled[event.drop] = event.total
        elif isinstance(event, BoxCorrected):
            if event.was != self._settled.get(event.drop):
                yield _other(position, event, was=self._settled.get(event.drop))
            self._settled[event.drop] = event.now


class Slips:
    """One kind of slip of one day: the numbers have no gap, and a hit's slip says what was paid of it."""

    def __init__(self, house: Elsewhere) -> None:
        self._house = house
        self._number = 0

    def take(self, position: int, event: Event) -> Iterator[Difference]:
        """The next event of the stream."""
        if not isinstance(event, SlipRequested | HandPaySlipIssued):
            return
        self._number += 1
        if event.number != self._number:
            yield _other(position, event, number=self._number)
        if isinstance(event, SlipRequested):
            self._house.requested[event.slip] = event.amount
        else:
            paid = self._house.paid(event.progressive, event.hit)
            if paid != event.amount:
                yield _other(position, event, amount=paid)


class Registry:
    """Of a table: only its totals."""

    def __init__(self, _: Elsewhere) -> None:
        pass

    def take(self, _position: int, _event: Event) -> Iterator[Difference]:
        """Nothing that its totals do not say."""
        return iter(())


_FOLDS: Final[dict[str, type[Window | Count | Slips | Registry]]] = {
    "cage": Window,
    "count": Count,
    "slips": Slips,
    "registry": Registry,
}


def _other(position: int, event: Event, **figures: Any) -> Difference:
    difference = differ(position, None, None, event)
    difference["expected"] = {"type": event.TOPIC, **figures}
    return difference


def elsewhere(conn: psycopg.Connection[Any], first: int, last: int, day: str | None) -> Part:
    """Follow every such stream from its beginning; tell what differs from `first` on. day: only that gaming day."""
    house = Elsewhere(conn, last)
    differences: list[Difference] = []
    events = 0
    for stream in _streams(conn):
        fold = _FOLDS[streams.kind(stream)](house)
        told: list[Difference] = []
        for position, _, _, topic, state in rows_of(conn, stream, last):
            events += position >= first
            try:
                event = decode(topic, state)[1]
            except UnreadableEventError as error:
                told.append(refused(position, None, str(error), None))
                continue
            figures = amiss(event)
            if figures:
                told.append(_other(position, event, **figures))
            told += fold.take(position, event)
        if day is None or streams.kind(stream) == "registry" or streams.day_of(stream) == day:
            differences += told
    differences += house.together()
    return Part(rounds=0, events=events, differences=[one for one in differences if one["position"] >= first])


def _streams(conn: psycopg.Connection[Any]) -> Iterator[str]:
    for kind in KINDS:
        for (stream,) in conn.execute(_STREAMS, {"kind": kind}).fetchall():
            if streams.kind(stream) in _FOLDS:
                yield stream
