"""The journal with its trial balance and the chart of accounts, and the books as files to take away."""

import tempfile
from itertools import groupby
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

from psycopg import Connection
from starlette.responses import Response

from api.cli.exporting import export_books
from api.pages import site, words
from api.pages.finance.cells import EXPLAIN
from api.pages.finance.tabs import asked_day, finance_page
from api.pages.frame import Pages
from api.pages.visit import Visit
from api.problems import ProblemError
from projections.chart import DEFAULT, Chart
from projections.reads.days import gaming_days
from projections.reads.journal import Balance, Journal, Line, journal

_MEDIA: Final = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "beancount": "text/plain; charset=utf-8",
}
_MOST_LINES: Final = 2_000
"""More lines of a journal are no page; they are in the files."""


def mount(pages: Pages) -> None:
    pages.show("/finance/journal", _journal)
    pages.show("/finance/export", _export)


def _journal(visit: Visit) -> Response:
    found = visit.read(lambda conn: _read(conn, *_interval(visit)))
    chart = Chart()
    is_long = len(found.lines) > _MOST_LINES
    return finance_page(
        visit,
        "journal.html",
        position=found.position,
        books=found,
        site=found.site or visit.doors.house.settings.site,
        is_long=is_long,
        entries=[] if is_long else _entries(found.lines, chart),
        balances=_balances(found, chart),
        chart=[(name, account) for name, account in DEFAULT.items()],
        formats=list(_MEDIA),
        interval=urlencode({"from": found.first_day or "", "to": found.last_day or ""}),
    )


def _interval(visit: Visit) -> tuple[str, str]:
    first, last = asked_day(visit, "from", ""), asked_day(visit, "to", "")
    if first and last and first > last:
        raise ProblemError("bad_parameter", f"from {first} is after to {last}")
    return first, last


def _read(conn: Connection[Any], first: str, last: str) -> Journal:
    """The journal of an interval; of none, that of the newest gaming day."""
    if not first and not last:
        newest = gaming_days(conn, limit=1).rows
        first = last = newest[0].day if newest else ""
    return journal(conn, first_day=first or None, last_day=last or None)


def _entries(lines: list[Line], chart: Chart) -> list[dict[str, Any]]:
    """The lines by day, currency and entry, each entry with its sums, which are equal or the books are wrong."""
    entries = []
    for (day, currency, entry), group in groupby(lines, key=lambda line: (line.gaming_day, line.currency, line.entry)):
        members = list(group)
        debit, credit = (sum(int(getattr(line, side)) for line in members) for side in ("debit_u", "credit_u"))
        entries.append(
            {
                "day": day,
                "currency": currency,
                "entry": entry,
                "lines": [_line(line, chart) for line in members],
                "debit": words.millionths(str(debit), currency),
                "credit": words.millionths(str(credit), currency),
            }
        )
    return entries


def _line(line: Line, chart: Chart) -> dict[str, Any]:
    account = chart[line.account]
    of = {"gaming_day": line.gaming_day, "currency": line.currency, "entry": line.entry, "account": line.account}
    return {
        "number": account.number,
        "name": account.name,
        "debit": _side(line.debit_u, line.currency),
        "credit": _side(line.credit_u, line.currency),
        "postings": line.postings,
        "href": f"{EXPLAIN}?{urlencode({'figure': 'journal', **of}, quote_via=quote)}",
    }


def _side(text: str, currency: str) -> str:
    return "" if text == "0" else words.millionths(text, currency)


def _balances(found: Journal, chart: Chart) -> list[dict[str, Any]]:
    """The trial balance, currency by currency."""
    sheets = []
    for currency, group in groupby(found.balances, key=lambda balance: balance.currency):
        members = sorted(group, key=lambda balance: chart[balance.account].number)
        moved: dict[str, list[int]] = {}
        for line in found.lines:
            if line.currency == currency:
                sides = moved.setdefault(line.account, [0, 0])
                sides[0] += int(line.debit_u)
                sides[1] += int(line.credit_u)
        rows = [_balance(balance, chart, *moved.get(balance.account, [0, 0])) for balance in members]
        sums = [sum(int(getattr(balance, side)) for balance in members) for side in ("before_u", "after_u")]
        turned = [sum(sides[n] for sides in moved.values()) for n in (0, 1)]
        totals = [words.millionths(str(value), currency) for value in (sums[0], *turned, sums[1])]
        sheets.append({"currency": currency, "rows": rows, "totals": totals, "is_zero": sums == [0, 0]})
    return sheets


def _balance(balance: Balance, chart: Chart, debit: int, credit: int) -> dict[str, Any]:
    account, currency = chart[balance.account], balance.currency
    return {
        "account": balance.account,
        "number": account.number,
        "name": account.name,
        "before": words.millionths(balance.before_u, currency),
        "debit": words.millionths(str(debit), currency),
        "credit": words.millionths(str(credit), currency),
        "after": words.millionths(balance.after_u, currency),
    }


def _export(visit: Visit) -> Response:
    chosen = visit.asked("format")
    if chosen not in _MEDIA:
        raise ProblemError("bad_parameter", f"format {chosen[:20]!r} is none of {', '.join(_MEDIA)}")
    first, last = _interval(visit)
    name = f"{visit.doors.house.settings.site}-{_days_in(first, last)}.{chosen}"
    with tempfile.TemporaryDirectory(prefix="pitclerk-export-") as directory:
        out = Path(directory) / name
        done = visit.read(lambda conn: _written(visit, conn, out, chosen, first or None, last or None))
        body = out.read_bytes()
    visit.position = done["position"]
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(body, headers={**site.HEADERS, **headers}, media_type=_MEDIA[chosen])


def _written(visit: Visit, conn: Connection[Any], out: Path, chosen: str, *days: str | None) -> dict[str, Any]:
    site_name = visit.doors.house.settings.site
    return export_books(conn, out, chosen, site=site_name, chart=Chart(), first_day=days[0], last_day=days[1])


def _days_in(first: str, last: str) -> str:
    if first == last:
        return first or "books"
    return "-to-".join(day for day in (first, last) if day)
