"""A month of 20 tables, some 50 rounds a table and day: the books balance to the cent, and every reader agrees.

Two days of it in every run; PITCLERK_MONTH_DAYS=30 plays the whole month.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import psycopg
import pytest

from api.cli.exporting import export_books, export_jsonl
from api.cli.ledger.document import units
from deploy.import_log import import_log
from projections.catch_up import run_until
from projections.chart import Chart
from projections.check import check
from projections.connect import connector
from projections.reads.adjustments import adjustments
from projections.reads.cage import cage
from projections.reads.days import discrepancies, drop_boxes, gaming_days
from projections.reads.exceptions import exceptions, slips
from projections.reads.explain import figure
from projections.reads.hold import hold
from projections.reads.journal import journal
from projections.reads.known import known, learned
from projections.reads.master import master_game_report, statistics
from tests.databases import Database, Databases
from tests.money.month import FIRST, Month
from tests.projections.rows import everything

LENGTH = int(os.environ.get("PITCLERK_MONTH_DAYS", "2"))
TABLES, ROUNDS = 20, 50
LAST = (FIRST + timedelta(days=LENGTH - 1)).isoformat()
MICRO = 1_000_000


@pytest.fixture(scope="module")
def month(databases: Databases) -> Iterator[Month]:
    with databases.fresh() as database:
        played = Month(database, tables=TABLES, rounds=ROUNDS, length=LENGTH)
        played.play()
        run_until(database.url)
        yield played


@pytest.fixture
def conn(month: Month) -> Iterator[psycopg.Connection[Any]]:
    with connector(month.database.url)() as connection:
        yield connection


def test_the_month_brought_into_an_empty_database_has_the_same_head_and_figures(
    conn: psycopg.Connection, pg: Database, tmp_path: Path
) -> None:
    told = export_jsonl(conn, tmp_path / "log.jsonl", None)
    with (tmp_path / "log.jsonl").open("rb") as lines:
        done = import_log(pg.superuser_url, lines, head=told["head"])
    assert (done.rows, done.head) == (told["rows"], told["head"])
    run_until(pg.url)
    with connector(pg.url)() as there:
        assert everything(there) == everything(conn), "every row of every view"


def test_every_day_was_played_counted_closed_and_audited(month: Month, conn: psycopg.Connection) -> None:
    days = gaming_days(conn).rows
    assert len(days) == LENGTH
    for day in days:
        assert (day.state, day.tables, day.waiting) == ("audited", TABLES, [])
        assert (day.boxes, day.counted_boxes) == (TABLES, TABLES)
    rows = hold(conn, by="day").rows
    rounds: Counter[str | None] = Counter()
    for row in rows:
        rounds[row.gaming_day] += row.rounds
    assert set(rounds.values()) == {TABLES * ROUNDS}
    assert {row.grade for row in rows} == {"audited"}
    assert slips(conn).gaps == {}
    assert all(box.counted is not None for box in drop_boxes(conn).rows)


def test_every_identity_holds_and_replay_is_clean(month: Month) -> None:
    found = check(month.database.url, jobs=2)
    assert [identity for identity in found["identities"] if not identity["ok"]] == []
    assert found["ok"]


def test_the_books_balance_to_the_millionth_of_a_cent(conn: psycopg.Connection) -> None:
    books = journal(conn)
    entries: Counter[tuple[str, str, str]] = Counter()
    for line in books.lines:
        entries[line.gaming_day, line.currency, line.entry] += line.amount_u
    assert len(entries) > 10 * LENGTH
    assert set(entries.values()) == {0}
    after = {(balance.currency, balance.account): int(balance.after_u) for balance in books.balances}
    for currency in {currency for currency, _ in after}:
        # Every table is closed, every box counted, every window counted out and every transfer received.
        for account in ("tray", "drop_box", "window_cash", "window_chips", "cage_transit", "jackpot_transit"):
            assert after.get((currency, account), 0) == 0, (currency, account)


def test_the_books_win_what_the_tables_won(conn: psycopg.Connection) -> None:
    income = {"over_short", "drop_difference", "audit_adjustment"}
    won: Counter[tuple[str, str]] = Counter()
    for line in journal(conn).lines:
        if line.account in income or line.account.startswith("win."):
            won[line.gaming_day, line.currency] -= line.amount_u
    for row in hold(conn, by="day").rows:
        assert row.win is not None
        jackpots_from_trays = row.taken - (row.paid - row.jackpot_paid) - row.result
        assert won[row.gaming_day or "", row.currency] == (row.win + jackpots_from_trays) * MICRO


def test_day_figures_are_the_sum_of_their_hours_tables_and_sessions(conn: psycopg.Connection) -> None:
    days = {(row.gaming_day, row.currency): row for row in hold(conn, by="day").rows}
    for (day, currency), whole in days.items():
        for by in ("hour", "table", "session", "ruleset", "shift"):
            rows = [row for row in hold(conn, by=by, gaming_day=day).rows if row.currency == currency]
            for name in ("win", "drop", "handle", "taken", "paid", "over_short", "fills", "credits", "rounds"):
                assert sum(getattr(row, name) for row in rows) == getattr(whole, name), (day, by, name)
    for row in statistics(conn, LAST).house:
        assert row.year is not None
        of_currency = [day for (_, currency), day in days.items() if currency == row.currency]
        assert row.year.win == sum(day.win or 0 for day in of_currency)
        assert row.year.drop == sum(day.drop for day in of_currency)


def test_the_late_count_is_a_difference_and_changed_no_past(month: Month, conn: psycopg.Connection) -> None:
    late = month.late
    found = learned(conn, late.day)
    assert found is not None
    assert found.fixed_at is not None
    at_table = {d.figure: d for d in found.differences if d.table == late.table}
    assert (at_table["drop"].difference, at_table["win"].difference) == (late.difference, late.difference)
    assert {d.table for d in found.differences} == {late.table, None}
    assert known(conn, late.day, at_position=found.fixed_at).rows == found.fixed
    adjusted = FIRST.isoformat()
    others = [day.day for day in gaming_days(conn).rows if day.day not in {late.day, adjusted}]
    assert all(not getattr(learned(conn, day), "differences") for day in others[:5])  # noqa: B009
    found = learned(conn, adjusted)
    assert found is not None
    if adjusted != late.day:
        assert {d.figure: d.difference for d in found.differences if d.table} == dict.fromkeys(
            ("adjusted", "win"), month.adjusted
        )
    report = adjustments(conn, month=adjusted[:7])
    assert [(row.amount, row.over_threshold) for row in report.rows] == [(month.adjusted, True)]


def test_what_is_recorded_late_is_on_its_day_and_in_no_tray_since(month: Month, conn: psycopg.Connection) -> None:
    now = datetime.now(UTC)
    late = exceptions(conn, now=now, code="late_event", limit=1000).rows
    assert len(late) == month.late_buy_ins == LENGTH - 1
    chips = {table.plan.name: table.plan.terms.chip for table in month.floor}
    for row in late:
        (short,) = exceptions(
            conn, now=datetime.now(UTC), code="over_short", table=row.table, gaming_day=row.gaming_day
        ).rows
        (held,) = hold(conn, by="session", table=row.table, gaming_day=row.gaming_day).rows
        assert row.table is not None
        assert (short.amount or 0) + 10 * chips[row.table] == held.over_short


def test_corrections_and_over_short_stand_in_the_inbox(month: Month, conn: psycopg.Connection) -> None:
    codes: Counter[str] = Counter()
    amounts: Counter[str] = Counter()
    after: int | None = 0
    while after is not None:
        page = exceptions(conn, now=datetime.now(UTC), after=after, limit=1000)
        for row in page.rows:
            codes[row.code] += 1
            amounts[row.code] += row.amount or 0
        after = page.next
    assert codes["correction"] == month.corrected == LENGTH
    assert amounts["cage_over_short"] == month.cage_over == sum(row.over_short or 0 for row in cage(conn).rows)
    assert codes["over_short"] == len(discrepancies(conn).rows) >= month.late_buy_ins
    assert codes["late_event"] == month.late_buy_ins
    assert codes["audit_adjustment"] == 1
    assert codes["drop_differs"] > 0
    assert {"number_gap", "missing_slip", "opener_differs"} & codes.keys() == set()


def test_bean_check_is_clean(conn: psycopg.Connection, tmp_path: Path) -> None:
    out = tmp_path / "month.beancount"
    done = export_books(conn, out, "beancount", site="main", chart=Chart(), first_day=None, last_day=None)
    assert done["rows"] > 10 * LENGTH
    program = Path(sys.executable).parent / "bean-check"
    judged = subprocess.run([program, out], capture_output=True, text=True, timeout=120, check=False)
    assert (judged.returncode, judged.stdout, judged.stderr) == (0, "", "")


def test_the_workbook_read_back_has_the_same_totals(conn: psycopg.Connection, tmp_path: Path) -> None:
    out = tmp_path / "month.xlsx"
    export_books(conn, out, "xlsx", site="main", chart=Chart(), first_day=None, last_day=None)
    sheet = openpyxl.load_workbook(out, read_only=True)["Journal"]
    columns, *rows = list(sheet.iter_rows(values_only=True))[5:]
    sums: Counter[tuple[str, str]] = Counter()
    ours: Counter[tuple[str, str]] = Counter()
    for row in (dict(zip(columns, cells, strict=True)) for cells in rows):
        for side in ("debit", "credit"):
            sums[row["currency"], side] += Decimal(repr(row[side]))  # type: ignore[assignment]
    for line in journal(conn).lines:
        ours[line.currency, "debit"] += units(int(line.debit_u), line.currency)  # type: ignore[assignment]
        ours[line.currency, "credit"] += units(int(line.credit_u), line.currency)  # type: ignore[assignment]
    assert sums == ours


def test_the_last_days_report_opens_into_its_events(conn: psycopg.Connection) -> None:
    report = master_game_report(conn, LAST)
    assert len(report.sessions) == TABLES
    for total in report.totals:
        assert total.win == sum(row.win or 0 for row in report.sessions if row.currency == total.currency)
    explained = {row.currency: row for row in figure(conn, "win", gaming_day=LAST).rows}
    for total in report.totals:
        assert explained[total.currency].value == explained[total.currency].total == total.win
