"""The journal as a Beancount ledger, one transaction an entry and gaming day, every closing balance asserted.

The assertions are the proof: `bean-check` adds the transactions up for itself and compares with what our views hold. An
interval that begins later opens with one transaction of all balances before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import groupby
from pathlib import Path

from api.cli.ledger.document import NO_ACTIVITY, Document, plain, units

_WIDTH = 48
_EMPTY_DAY = "1970-01-01"


def write(document: Document, out: Path) -> int:
    """Write it; the transactions in it."""
    transactions = [*_opening(document), *_days(document)]
    text = "\n\n".join(["\n".join(_head(document)), "\n".join(_opens(document)), *transactions, *_balances(document)])
    out.write_text(text + "\n", "utf-8")
    return sum(" * " in text.partition("\n")[0] for text in transactions)


def _head(document: Document) -> Iterator[str]:
    for name, value in document.header().items():
        yield f"; {name}: {value}"
    yield f'option "title" "pitclerk: {document.site}, {document.interval}"'
    for currency in sorted({balance.currency for balance in document.journal.balances}):
        yield f'option "operating_currency" "{currency}"'
    # The root accounts are the defaults; sums are exact, so nothing but zero is tolerated.
    yield 'option "tolerance_multiplier" "0"'


def _first(document: Document) -> str:
    return document.journal.first_day or _EMPTY_DAY


def _opens(document: Document) -> Iterator[str]:
    """Every account that the interval or what was before it touches, with its currencies."""
    currencies: dict[str, set[str]] = {}
    for line in document.journal.lines:
        currencies.setdefault(document.chart[line.account].ledger, set()).add(line.currency)
    for balance in document.journal.balances:
        currencies.setdefault(document.chart[balance.account].ledger, set()).add(balance.currency)
    for ledger, held in sorted(currencies.items()):
        yield f"{_first(document)} open {ledger} {','.join(sorted(held))}"


def _opening(document: Document) -> Iterator[str]:
    before = [balance for balance in document.journal.balances if int(balance.before_u)]
    for currency, balances in groupby(before, key=lambda balance: balance.currency):
        postings = [_posting(document, b.account, int(b.before_u), currency) for b in balances]
        yield "\n".join(
            [f'{_first(document)} * "pitclerk" "balances before {_first(document)}, {currency}"', *postings]
        )


def _days(document: Document) -> Iterator[str]:
    for day, rows in groupby(document.rows, key=lambda row: row.gaming_day):
        lines = [row.line for row in rows if row.line is not None]
        if not lines:
            yield _quiet(document, day)
        for (currency, entry), group in groupby(lines, key=lambda line: (line.currency, line.entry)):
            members = list(group)
            first = min(line.first_position for line in members)
            last = max(line.last_position for line in members)
            yield "\n".join(
                [
                    f'{day} * "pitclerk" "{entry}, {currency}"',
                    f'  positions: "{first}-{last}"',
                    *(_posting(document, line.account, line.amount_u, currency) for line in members),
                ]
            )


def _quiet(document: Document, day: str) -> str:
    """A note, which needs an account; in a ledger without any, a comment."""
    balances = document.journal.balances
    if not balances:
        return f"; {day} {NO_ACTIVITY}".replace("  ", " ")
    return f'{day} note {document.chart[balances[0].account].ledger} "{NO_ACTIVITY}"'


def _posting(document: Document, account: str, amount_u: int, currency: str) -> str:
    return f"  {document.chart[account].ledger:<{_WIDTH}} {plain(units(amount_u, currency))} {currency}"


def _balances(document: Document) -> Iterator[str]:
    """What every account must come to: a balance is of the beginning of its day."""
    last = document.journal.last_day
    if last is None:
        return
    day = date.fromisoformat(last) + timedelta(days=1)
    sums: dict[tuple[str, str], int] = {}
    for balance in document.journal.balances:
        key = (document.chart[balance.account].ledger, balance.currency)
        sums[key] = sums.get(key, 0) + int(balance.after_u)
    yield "\n".join(
        f"{day} balance {ledger:<{_WIDTH}} {plain(units(amount, currency))} {currency}"
        for (ledger, currency), amount in sorted(sums.items())
    )
