"""The rows of the exceptions inbox, and what makes one of an event."""

from __future__ import annotations

from datetime import datetime

import msgspec

from domain.events.base import Event, Meta
from domain.events.rules import Rules
from domain.money_rules import of_code, passes
from projections.log_reader import Row
from projections.sessions import table_of


class ExceptionRow(msgspec.Struct):
    site: str
    exception: str
    code: str
    gaming_day: str
    table_name: str | None
    subject: str
    currency: str | None
    amount: int | None
    detail: str
    stream: str
    version: int
    position: int
    actor: str
    happened_at: datetime


class NoteRow(msgspec.Struct):
    site: str
    exception: str
    position: int
    actor: str
    noted_at: datetime
    note: str


class SlipRow(msgspec.Struct):
    site: str
    slip: str
    kind: str
    number: int
    stream: str
    table_name: str
    session: str
    amount: int
    state: str
    requested_at: datetime
    requested_by: str
    moved_at: datetime
    version: int
    position: int


class CashRow(msgspec.Struct):
    site: str
    gaming_day: str
    player: str
    currency: str
    cash_in: int
    cash_out: int
    position: int


class PulseRow(msgspec.Struct):
    site: str
    stream: str
    last_at: datetime


class Changes(msgspec.Struct):
    exceptions: list[ExceptionRow]
    notes: list[NoteRow]
    slips: list[SlipRow]
    cash: list[CashRow]
    pulses: list[PulseRow]


def made_of(
    row: Row[Event],
    code: str,
    subject: str,
    detail: str,
    *,
    amount: int | None = None,
    currency: str | None = None,
    table: str | None = None,
    part: str = "",
) -> ExceptionRow:
    """An exception about one event. part: tells several of one event apart."""
    position, stream, version, meta, _ = row
    of_table = table_of(stream) if table is None and stream.startswith("table/") else table
    return ExceptionRow(
        site=meta.site,
        exception=f"{code}.{position}{part}",
        code=code,
        gaming_day=day_of(meta),
        table_name=of_table,
        subject=subject,
        currency=currency,
        amount=amount,
        detail=detail,
        stream=stream,
        version=version,
        position=position,
        actor=meta.actor,
        happened_at=meta.happened_at,
    )


def day_of(meta: Meta) -> str:
    """The gaming day of an exception; of one that belongs to no day, the date of its business time."""
    return meta.gaming_day or meta.happened_at.date().isoformat()


def exceeds(rules: Rules, code: str, amount: int, currency: str) -> bool:
    """Whether a difference is an exception under the rules in force; none at all never is."""
    return amount != 0 and any(passes(threshold, amount, currency) for threshold in of_code(rules, code))
