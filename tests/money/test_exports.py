"""The books as files, each read back by another program than the one that wrote it, to the cent and the millionth."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import psycopg
import pyarrow.parquet as pq
import pytest
from beancount import loader
from beancount.core import data, realization

from api.cli.exporting import export_books
from api.cli.ledger.document import units
from domain.acts import days
from domain.commands import OpenDay
from projections.catch_up import run_until
from projections.chart import Chart
from projections.connect import connector
from projections.reads.hold import hold
from projections.reads.journal import journal
from tests.databases import Databases
from tests.money.floor import Floor, floor_on
from tests.money.test_journal import DAY, busy_night
from tests.projections.conftest import FoldAll
from tests.projections.logs import Table

LATER = "2026-03-17"  # two days on which nothing happened lie before it


@pytest.fixture
def books(conn: psycopg.Connection, fold_all: FoldAll) -> psycopg.Connection:
    log = busy_night(4)
    log.wait(hours=72)
    table = Table(log, "T9", day=LATER, currency="RON")
    table.buy_in(12_345)
    table.close(5)
    log.write(conn)
    fold_all()
    return conn


def export(conn: psycopg.Connection, out: Path, file_format: str, **days: str) -> dict[str, Any]:
    interval = {"first_day": None, "last_day": None, **days}
    return export_books(conn, out, file_format, site="main", chart=Chart(), **interval)  # type: ignore[arg-type]


def totals(conn: psycopg.Connection) -> Counter[tuple[str, str]]:
    """Our debits and credits by currency, exact."""
    sums: Counter[tuple[str, str]] = Counter()
    for line in journal(conn).lines:
        sums[line.currency, "debit"] += units(int(line.debit_u), line.currency)  # type: ignore[assignment]
        sums[line.currency, "credit"] += units(int(line.credit_u), line.currency)  # type: ignore[assignment]
    return sums


def check_header(header: dict[str, str], done: dict[str, Any], days: str = f"{DAY} to {LATER}") -> None:
    wanted = {"Site": "main", "Gaming days": days, "Position": str(done["position"]), "Chain head": done["head"]}
    assert header == wanted


def test_csv(books: psycopg.Connection, tmp_path: Path) -> None:
    done = export(books, tmp_path / "books.csv", "csv")
    with (tmp_path / "books.csv").open(newline="") as file:
        lines = list(csv.reader(file))
    check_header(dict(lines[:4]), done)  # type: ignore[arg-type]
    rows = [dict(zip(lines[5], line, strict=True)) for line in lines[6:]]
    assert len(rows) == done["rows"]
    assert [row["gaming_day"] for row in rows if row["entry"] == "No activity"] == ["2026-03-15", "2026-03-16"]
    sums: Counter[tuple[str, str]] = Counter()
    for row in rows:
        for side in ("debit", "credit"):
            if row[side]:
                sums[row["currency"], side] += Decimal(row[side])  # type: ignore[assignment]
    assert sums == totals(books)


def test_xlsx_read_back_by_another_library(books: psycopg.Connection, tmp_path: Path) -> None:
    done = export(books, tmp_path / "books.xlsx", "xlsx")
    book = openpyxl.load_workbook(tmp_path / "books.xlsx", read_only=True)
    assert book.sheetnames == ["Journal", "Balances", "Master game report"]
    sheets = {name: list(book[name].iter_rows(values_only=True)) for name in book.sheetnames}
    for rows in sheets.values():
        check_header({row[0]: row[1] for row in rows[:4]}, done)
    columns, *rows = sheets["Journal"][5:]
    sums: Counter[tuple[str, str]] = Counter()
    exact: Counter[tuple[str, str]] = Counter()
    for row in (dict(zip(columns, row, strict=True)) for row in rows):
        for side in ("debit", "credit"):
            if row[side] is not None:
                sums[row["currency"], side] += Decimal(repr(row[side]))  # type: ignore[assignment]
                exact[row["currency"], side] += units(int(row[f"exact_{side}_u"]), row["currency"])  # type: ignore[assignment]
    assert sums == exact == totals(books)
    columns, *rows = sheets["Master game report"][5:]
    report = [dict(zip(columns, row, strict=True)) for row in rows if row[1] != "No activity"]
    ours = hold(books, by="session").rows
    assert [(r["session"], r["win"]) for r in report] == [
        (row.session, None if row.win is None else row.win / 100) for row in ours
    ]


def test_parquet(books: psycopg.Connection, tmp_path: Path) -> None:
    done = export(books, tmp_path / "books.parquet", "parquet")
    table = pq.read_table(tmp_path / "books.parquet")
    metadata = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
    assert metadata["position"] == str(done["position"])
    assert (metadata["site"], metadata["chain_head"]) == ("main", done["head"])
    rows = table.to_pylist()
    assert sum(row["entry"] == "No activity" for row in rows) == 2
    for currency in ("EUR", "RON"):
        for side in ("debit", "credit"):
            total = sum((row[side] for row in rows if row["currency"] == currency), Decimal(0))
            assert total == totals(books)[currency, side]


@pytest.mark.parametrize(
    "days", [{}, {"first_day": DAY, "last_day": DAY}, {"first_day": LATER}, {"first_day": "2026-03-15"}]
)
def test_bean_check_accepts_the_ledger_and_comes_to_our_balances(
    books: psycopg.Connection, tmp_path: Path, days: dict[str, str]
) -> None:
    done = export(books, tmp_path / "books.beancount", "beancount", **days)
    entries, errors, _ = loader.load_file(str(tmp_path / "books.beancount"))
    assert errors == []
    assert sum(isinstance(entry, data.Transaction) for entry in entries) == done["rows"]
    root, chart = realization.realize(entries), Chart()
    checked = 0
    for balance in journal(books, **days).balances:  # type: ignore[arg-type]
        ledger = realization.get(root, chart[balance.account].ledger)
        found = sum((p.units.number for p in ledger.balance if p.units.currency == balance.currency), Decimal(0))
        assert found == units(int(balance.after_u), balance.currency)
        checked += 1
    assert checked > 5
    text = (tmp_path / "books.beancount").read_text()
    assert text.startswith("; Site: main\n; Gaming days: ")
    assert done["head"] in text


def head_and_quiet_days(out: Path, file_format: str) -> tuple[list[dict[str, str]], list[str]]:
    """What stands at the head (of every sheet), and the days said to have had no activity, read back by others."""
    if file_format == "csv":
        lines = list(csv.reader(out.open(newline="")))
        return [dict(lines[:4])], [line[0] for line in lines[6:] if line[2] == "No activity"]  # type: ignore[arg-type]
    if file_format == "xlsx":
        book = openpyxl.load_workbook(out, read_only=True)
        sheets = [list(book[name].iter_rows(values_only=True)) for name in book.sheetnames]
        quiet = [str(row[0]) for row in sheets[0][6:] if row[2] == "No activity"]
        assert quiet == [str(row[0] or "") for row in sheets[2][6:] if row[1] == "No activity"], (
            "the report says so too"
        )
        return [{str(row[0]): str(row[1] or "") for row in rows[:4]} for rows in sheets], quiet
    if file_format == "parquet":
        table = pq.read_table(out)
        told = {key.decode(): value.decode() for key, value in table.schema.metadata.items() if key != b"ARROW:schema"}
        rows = table.to_pylist()
        assert all(row["site"] == "main" for row in rows)
        quiet = [str(row["gaming_day"]) for row in rows if row["entry"] == "No activity"]
        return [{key.replace("_", " ").capitalize(): value for key, value in told.items()}], quiet
    lines = out.read_text().splitlines()
    head = dict(line.removeprefix("; ").split(": ", 1) for line in lines[:4])
    entries, errors, _ = loader.load_file(str(out))
    assert errors == []
    notes = [str(e.date) for e in entries if isinstance(e, data.Note) and e.comment == "No activity"]
    # A note needs an account: in a ledger in which none has a balance, it is a comment.
    return [head], notes or [line.split()[1] for line in lines if line.endswith("No activity")]


@pytest.fixture
def floor(databases: Databases) -> Iterator[Floor]:
    """Tables that stood on the 14th and again on the 17th, in a log with its chain."""
    for floor in floor_on(databases):
        floor.now += timedelta(hours=3)
        floor.do(lambda w: days.open_day(w, OpenDay(day=LATER)), "sue", "supervisor")
        for table in floor.names:
            floor.roll(table, roll_to=LATER)
        run_until(floor.url)
        yield floor


@pytest.mark.parametrize("file_format", ["csv", "xlsx", "parquet", "beancount"])
@pytest.mark.parametrize(
    ("interval", "said"),
    [({}, f"{DAY} to {LATER}"), ({"first_day": "2026-03-15", "last_day": "2026-03-16"}, "2026-03-15 to 2026-03-16")],
)
def test_every_export_is_headed_alike_and_names_the_days_without_activity(
    floor: Floor, tmp_path: Path, file_format: str, interval: dict[str, str], said: str
) -> None:
    with connector(floor.url)() as conn:
        done = export(conn, tmp_path / f"books.{file_format}", file_format, **interval)
    assert done["position"] > 0
    assert len(done["head"]) == 64
    heads, quiet = head_and_quiet_days(tmp_path / f"books.{file_format}", file_format)
    for head in heads:
        check_header(head, done, said)
    assert quiet == ["2026-03-15", "2026-03-16"]


def test_a_wrong_balance_would_be_noticed(books: psycopg.Connection, tmp_path: Path) -> None:
    export(books, tmp_path / "books.beancount", "beancount")
    text = (tmp_path / "books.beancount").read_text()
    at = text.index('"buy-ins, EUR"')
    line = text[at:].splitlines()[2]
    (tmp_path / "books.beancount").write_text(text.replace(line, line.replace(" EUR", "00001 EUR"), 1))
    assert loader.load_file(str(tmp_path / "books.beancount"))[1] != []


@pytest.mark.parametrize("file_format", ["csv", "xlsx", "parquet", "beancount"])
def test_an_empty_log_is_an_export_that_says_so(
    conn: psycopg.Connection, fold_all: FoldAll, tmp_path: Path, file_format: str
) -> None:
    fold_all()
    done = export(conn, tmp_path / "books", file_format)
    assert (done["gaming_days"], done["position"], done["head"]) == ("empty", 0, "")
    export(conn, tmp_path / "books", file_format, first_day=DAY, last_day=DAY)
    if file_format == "beancount":
        assert loader.load_file(str(tmp_path / "books"))[1] == []
    if file_format == "csv":
        assert f"{DAY},,No activity" in (tmp_path / "books").read_text()


def test_a_failed_export_leaves_the_file_that_was_there(books: psycopg.Connection, tmp_path: Path) -> None:
    from projections.chart import Account, ChartError

    out = tmp_path / "books.csv"
    out.write_text("before")
    chart = Chart({"tray": Account("1", "x", "Assets:X")})
    with pytest.raises(ChartError):
        export_books(books, out, "csv", site="main", chart=chart, first_day=None, last_day=None)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("books.csv", "before")]
