"""The journal of an interval of gaming days: its lines, what stood before, and the chain's head it is true at."""

from __future__ import annotations

from typing import Any, LiteralString

import psycopg
from msgspec import Struct
from psycopg import sql

from projections.journal import Journal as View
from projections.reads.snapshot import Snapshot, conditions, snapshot


class Line(Struct):
    """One account's part in one entry of a gaming day; amounts in millionths of a minor unit, as decimal text.

    One of debit_u and credit_u is "0". postings: how many of the log's postings make it, all between the positions.
    """

    gaming_day: str
    currency: str
    entry: str
    account: str
    debit_u: str
    credit_u: str
    postings: int
    first_position: int
    last_position: int

    @property
    def amount_u(self) -> int:
        """Debit positive."""
        return int(self.debit_u) - int(self.credit_u)


class Balance(Struct):
    """An account's balance before the interval and after it, millionths of a minor unit, debit positive."""

    currency: str
    account: str
    before_u: str
    after_u: str


class Journal(Struct):
    """head: the chain's link (hex) at `position`, which `verify` computes again. No days: nothing yet."""

    position: int
    head: str
    site: str | None
    first_day: str | None
    last_day: str | None
    lines: list[Line]
    balances: list[Balance]


_LINES: LiteralString = """
SELECT gaming_day, currency, entry, account, amount_u, postings, first_position, last_position
FROM views.journal {} ORDER BY gaming_day, currency, entry, account"""
_DAYS: LiteralString = "SELECT min(site), min(gaming_day), max(gaming_day) FROM views.journal"
_BALANCES: LiteralString = """
SELECT currency, account, coalesce(sum(amount_u) FILTER (WHERE gaming_day < %(first)s), 0),
       coalesce(sum(amount_u) FILTER (WHERE gaming_day <= %(last)s), 0)
FROM views.journal GROUP BY currency, account ORDER BY currency, account"""
_HEAD: LiteralString = """
SELECT encode(link, 'hex') FROM public.pitclerk_chain WHERE position <= %s ORDER BY position DESC LIMIT 1"""


def journal(conn: psycopg.Connection[Any], *, first_day: str | None = None, last_day: str | None = None) -> Journal:
    """The lines of these gaming days, both ends in; without an end, from the first or to the last there is."""
    with snapshot(conn) as look:
        return journal_in(look, first_day=first_day, last_day=last_day)


def journal_in(look: Snapshot, *, first_day: str | None = None, last_day: str | None = None) -> Journal:
    """The same in a snapshot with other reads."""
    position = look.position(View)
    site, earliest, latest = look.rows(_DAYS)[0]
    first, last = first_day or earliest, last_day or latest
    where, values = conditions([("gaming_day >= %s", first), ("gaming_day <= %s", last)])
    lines = [_line(*row) for row in look.rows(sql.SQL(_LINES).format(where), values)]
    balances = [
        Balance(currency, account, str(int(before)), str(int(after)))
        for currency, account, before, after in look.rows(_BALANCES, {"first": first or "", "last": last or ""})
        if before or after
    ]
    found = look.rows(_HEAD, (position,))
    return Journal(position, found[0][0] if found else "", site, first, last, lines, balances)


def _line(  # noqa: PLR0917  (the columns of a row)
    gaming_day: str, currency: str, entry: str, account: str, amount_u: Any, postings: int, first: int, last: int
) -> Line:
    amount = int(amount_u)
    debit, credit = (amount, 0) if amount >= 0 else (0, -amount)
    return Line(gaming_day, currency, entry, account, str(debit), str(credit), postings, first, last)
