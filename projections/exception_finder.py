"""Which single events are exceptions: differences over their threshold, and what is one by its nature."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from domain.events.adjustment import BoxCorrected, FigureAdjusted
from domain.events.base import Event
from domain.events.cage import WindowClosed
from domain.events.chips import BuyIn, CreditSent, FillReceived, TipDropped
from domain.events.colour import ColourIssued
from domain.events.correction import RoundCorrected, RulingMade
from domain.events.count import BoxSettled
from domain.events.outcome import PayoutMade
from domain.events.play import AntePlaced, BonusPlaced, RoundOpened
from domain.events.rules import Rules
from domain.events.session import SessionClosed, SessionOpened
from domain.events.slips import SlipVoided
from domain.events.tray import OpenerDiffered
from projections.exception_rows import ExceptionRow, exceeds, made_of
from projections.log_reader import Batch, Row

THRESHOLD_EVENTS = (SessionOpened, SessionClosed, BoxSettled, WindowClosed, FigureAdjusted)
PLAIN_EVENTS = (RoundCorrected, RulingMade, SlipVoided, OpenerDiffered, BoxCorrected)
FLAGGED_EVENTS = (AntePlaced, BonusPlaced, PayoutMade)
LATE_EVENTS = (RoundOpened, BuyIn, FillReceived, CreditSent, TipDropped, ColourIssued)


class Terms(Protocol):
    """What a fold knows of the house when an event happened."""

    def rules_at(self, position: int, gaming_day: str) -> Rules: ...

    def currency_of(self, stream: str) -> str: ...


def found(batch: Batch, terms: Terms) -> Iterator[ExceptionRow]:
    """The exceptions that single events of a batch are."""
    for row in batch.merged(*THRESHOLD_EVENTS):
        yield from _differences(row, terms)
    for row in batch.merged(*PLAIN_EVENTS):
        if not isinstance(row[-1], OpenerDiffered) or not row[-1].difference:  # a sum has its threshold
            yield _plain(row, terms)
    yield from (_outside(row, terms) for row in batch.of(AntePlaced) if row[-1].outside_limits)
    yield from (_outside(row, terms) for row in batch.of(BonusPlaced) if row[-1].outside_limits)
    yield from (_capped(row, terms) for row in batch.of(PayoutMade) if row[-1].capped)
    for kind in LATE_EVENTS:
        for row in batch.of(kind):
            if row[3].late:
                yield made_of(row, "late_event", kind.TOPIC, f"recorded late: it happened at {row[3].happened_at}")


def _differences(row: Row[Event], terms: Terms) -> Iterator[ExceptionRow]:
    position, stream, _, meta, event = row
    match event:
        case SessionOpened() if event.carried_closer is not None:
            code, amount, currency = "opener_differs", event.opener_total - event.carried_closer, event.currency
            subject = event.session
            detail = f"opener {event.opener_total}, carried closer {event.carried_closer}"
        case SessionClosed():
            code, amount, currency = "over_short", event.over_short, terms.currency_of(stream)
            subject, detail = event.session, f"counted {event.closer_total}, expected {event.expected}"
        case WindowClosed():
            code, amount, currency = "cage_over_short", event.over_short, terms.currency_of(stream)
            expected, counted = event.expected_cash + event.expected_chips, event.cash_total + event.chips_total
            subject, detail = event.cage_shift, f"counted {counted}, expected {expected}"
        case BoxSettled():
            if event.differ:
                differ = f"the first two counts of {event.drop} were not the same; a third bore one out"
                yield made_of(row, "counts_differ", event.drop, differ, table=event.table)
            code, amount, currency = "drop_differs", event.difference or 0, event.currency
            subject, detail = event.session, f"counted drop less recorded buy-ins, with {event.drop}"
        case FigureAdjusted():
            code, amount, currency = "audit_adjustment", event.amount, event.currency
            subject, detail = event.session, f"{event.figure}: {event.reason}"
        case _:
            return
    if exceeds(terms.rules_at(position, meta.gaming_day or ""), code, amount, currency):
        table = event.table if isinstance(event, BoxSettled | FigureAdjusted) else None
        yield made_of(row, code, subject, detail, amount=amount, currency=currency, table=table)


def _plain(row: Row[Event], terms: Terms) -> ExceptionRow:
    event: Any = row[-1]
    if isinstance(event, RoundCorrected):
        amount, of = event.house_net, terms.currency_of(row[1])
        return made_of(row, "correction", event.round, event.reason, amount=amount, currency=of)
    if isinstance(event, RulingMade):
        amount, of = -event.paid, terms.currency_of(row[1])
        return made_of(row, "ruling", event.round or event.approval, event.ruling, amount=amount, currency=of)
    if isinstance(event, BoxCorrected):
        amount, of = event.now - event.was, event.currency
        return made_of(row, "count_corrected", event.drop, event.reason, amount=amount, currency=of, table=event.table)
    if isinstance(event, OpenerDiffered):
        detail = "the opener is worth the carried closer, in other denominations"
        return made_of(row, "opener_chips_differ", event.session, detail)
    return made_of(row, "slip_void", event.slip, event.reason)


def _outside(row: Row[Any], terms: Terms) -> ExceptionRow:
    event = row[-1]
    detail = f"box {event.box}: a stake of {event.amount} outside the posted limits was accepted"
    of = terms.currency_of(row[1])
    return made_of(row, "outside_limits", event.round, detail, amount=event.amount, currency=of)


def _capped(row: Row[PayoutMade], terms: Terms) -> ExceptionRow:
    event = row[-1]
    detail = f"{event.kind}: due {event.due}, paid {event.paid}"
    return made_of(row, "cap_reached", event.round, detail, amount=event.capped, currency=terms.currency_of(row[1]))
