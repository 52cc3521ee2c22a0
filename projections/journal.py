"""`journal`: balanced entries per gaming day, from the postings of every event.

| table | one row a | columns |
|---|---|---|
| views.journal | gaming day, currency, entry and account | amount (debit positive), postings, range of positions |

What an event means in money is `domain.postings`' to say. Its rules are linear in the amounts, so what comes by the
thousand (stakes, winnings, contributions) is asked once a sum and not once an event.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar, Final, LiteralString

import msgspec
import psycopg
from psycopg import sql

from domain.events.adjustment import BoxCorrected, FigureAdjusted
from domain.events.base import Event, Meta
from domain.events.cage import (
    ChipsRedeemed,
    ChipsSold,
    CreditTaken,
    FillServed,
    FillTakenBack,
    HandPaid,
    TransferReceived,
    TransferSent,
    WindowClosed,
    WindowOpened,
)
from domain.events.chips import BuyIn, CreditSent, FillReceived
from domain.events.correction import AmountCorrected, RulingMade
from domain.events.count import BoxSettled
from domain.events.jackpot import JackpotContributed, JackpotHit, JackpotPaid, LevelShare
from domain.events.late import BuyInLearned, LateReckoned
from domain.events.outcome import PayoutMade, StakeTaken
from domain.events.progressive import FundsReceived, FundsSent, HitPaid, HitRejected, MeterAdjusted
from domain.events.session import SessionClosed, SessionOpened
from domain.postings import legs
from projections.currencies import OPENINGS, CurrencyBook, said_by
from projections.log_reader import Batch
from projections.store import Cursor, as_json, columns_of, recordset, table

ENTRIES: Final[dict[type[Event], str]] = {
    SessionOpened: "table opening",
    SessionClosed: "table closing",
    BuyIn: "buy-ins",
    FillReceived: "fills",
    CreditSent: "credits",
    StakeTaken: "play",
    PayoutMade: "play",
    AmountCorrected: "corrections",
    RulingMade: "corrections",
    JackpotContributed: "jackpot contributions",
    JackpotHit: "jackpot hits",
    HitRejected: "jackpot hits",
    JackpotPaid: "jackpot payments",
    HitPaid: "jackpot payments",
    MeterAdjusted: "jackpot changes",
    FundsSent: "jackpot changes",
    FundsReceived: "jackpot changes",
    BoxSettled: "drop counts",
    BoxCorrected: "count corrections",
    FigureAdjusted: "audit adjustments",
    BuyInLearned: "late events",
    LateReckoned: "late events",
    WindowOpened: "cage opening",
    WindowClosed: "cage closing",
    ChipsSold: "cage trades",
    ChipsRedeemed: "cage trades",
    HandPaid: "hand-pays",
    FillServed: "cage fills and credits",
    FillTakenBack: "cage fills and credits",
    CreditTaken: "cage fills and credits",
    TransferSent: "cage transfers",
    TransferReceived: "cage transfers",
}
"""What an event is booked under; a test sees to it that every event that moves money stands here."""

_OF_THEIR_STREAM: Final = tuple(kind for kind in ENTRIES if "currency" not in kind.__struct_fields__)
"""Those that name no currency: it is their stream's."""

_TOPICS: Final[frozenset[type[Event]]] = frozenset((*ENTRIES, *OPENINGS))
_FREQUENT = (StakeTaken, PayoutMade, JackpotContributed)
_RARE = tuple(kind for kind in ENTRIES if kind not in _FREQUENT)


class LineRow(msgspec.Struct):
    site: str
    gaming_day: str
    currency: str
    entry: str
    account: str
    amount_u: int
    postings: int
    first_position: int
    last_position: int


class _Sum:
    """One event standing for many, and where in the log they are. key: who they belong to."""

    __slots__ = ("amount", "count", "first", "last")

    def __init__(self, first: int) -> None:
        self.amount = self.count = 0
        self.first = self.last = first

    def add(self, position: int, amount: int) -> None:
        self.amount += amount
        self.count += 1
        self.last = position


_Key = tuple[str, str, str, str, str]
"""site, stream, gaming day, kind of stake, paid by."""


class Journal:
    """The projection; in memory only the currencies of streams."""

    name: ClassVar[str] = "journal"
    version: ClassVar[int] = 1
    topics: ClassVar[frozenset[str]] = frozenset(kind.TOPIC for kind in _TOPICS)
    tables: ClassVar[Sequence[str]] = ("journal",)

    def __init__(self) -> None:
        self._currencies = CurrencyBook()

    def load(self, conn: psycopg.Connection[Any], schema: str, batch: Batch) -> None:  # noqa: ARG002
        streams = {row[1] for kind in _OF_THEIR_STREAM for row in batch.of(kind)}
        self._currencies.learn(conn, batch, streams)

    def fold(self, batch: Batch) -> list[LineRow]:
        """What the batch adds to each line."""
        lines: dict[tuple[str, ...], LineRow] = {}
        for (site, stream, day, kind, _), total in _summed(batch, StakeTaken).items():
            event: Event = StakeTaken(round="", kind=kind, amount=total.amount, clause="", reason="")
            self._book(lines, (site, stream, day), event, total)
        for (site, stream, day, kind, paid_by), total in _summed(batch, PayoutMade).items():
            event = PayoutMade(
                round="", kind=kind, due=total.amount, paid=total.amount, clause="", odds="", paid_by=paid_by
            )
            self._book(lines, (site, stream, day), event, total)
        for (site, stream, day, _, _), total in _summed(batch, JackpotContributed).items():
            share = (LevelShare(0, total.amount, 0),)
            event = JackpotContributed(round="", box=0, progressive="", stake=0, shares=share, config_version=0)
            self._book(lines, (site, stream, day), event, total)
        for position, stream, _, meta, rare in batch.merged(*_RARE):
            one = _Sum(position)
            one.add(position, 0)
            self._book(lines, (meta.site, stream, day_of(meta)), rare, one)
        return list(lines.values())

    def _book(self, lines: dict[tuple[str, ...], LineRow], of: tuple[str, str, str], event: Event, total: _Sum) -> None:
        site, stream, day = of
        currency = said_by(event) or self._currencies[stream]
        entry = ENTRIES[type(event)]
        for account, amount in legs(event):
            key = (site, day, currency, entry, account)
            line = lines.get(key)
            if line is None:
                line = lines[key] = LineRow(*key, 0, 0, total.first, total.last)
            line.amount_u += amount
            line.postings += total.count
            line.first_position = min(line.first_position, total.first)
            line.last_position = max(line.last_position, total.last)

    def store(self, cursor: Cursor, schema: str, changes: list[LineRow]) -> None:
        if changes:
            cursor.execute(_statement(schema), (as_json(changes),))

    def forget(self) -> None:
        self._currencies.forget()


def day_of(meta: Meta) -> str:
    """The gaming day that an event is booked on; of one that belongs to no day, the date of its business time."""
    return meta.gaming_day or _date(meta.happened_at)


def _date(at: datetime) -> str:
    return at.date().isoformat()


def _summed(batch: Batch, kind: type[Event]) -> dict[_Key, _Sum]:
    sums: dict[_Key, _Sum] = {}
    for position, stream, _, meta, event in batch.of(kind):
        key = (meta.site, stream, day_of(meta), getattr(event, "kind", ""), getattr(event, "paid_by", ""))
        total = sums.get(key)
        if total is None:
            total = sums[key] = _Sum(position)
        total.add(position, _amount(event))
    return sums


def _amount(event: Event) -> int:
    if isinstance(event, StakeTaken):
        return event.amount
    if isinstance(event, PayoutMade):
        return event.paid
    assert isinstance(event, JackpotContributed), "nothing else comes by the thousand"
    return sum(share.increment_u + share.reserve_u for share in event.shares)


_INSERT: Final[LiteralString] = """
INSERT INTO {table} AS t ({columns}) SELECT {columns} FROM {rows}
ON CONFLICT (site, gaming_day, currency, entry, account) DO UPDATE
SET amount_u = t.amount_u + excluded.amount_u, postings = t.postings + excluded.postings,
    first_position = least(t.first_position, excluded.first_position),
    last_position = greatest(t.last_position, excluded.last_position)"""


def _statement(schema: str) -> sql.Composed:
    columns = sql.SQL(", ").join(map(sql.Identifier, columns_of(LineRow)))
    return sql.SQL(_INSERT).format(table=table(schema, "journal"), columns=columns, rows=recordset(LineRow))
