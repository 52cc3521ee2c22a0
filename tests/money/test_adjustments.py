"""Corrected counts and audit adjustments of a closed day: its figure stays, differences stand beside it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import psycopg
import pytest

from domain.accounting_commands import AdjustFigure, CorrectCount
from domain.acts import adjustments, approvals, days
from domain.commands import AuditDay, CloseDay, DecideApproval
from projections.catch_up import run_until
from projections.check import check
from projections.reads.adjustments import adjustments as report
from projections.reads.compared import compare
from projections.reads.days import drop_boxes
from projections.reads.exceptions import exceptions
from projections.reads.explain import figure
from projections.reads.hold import hold
from projections.reads.journal import journal
from projections.reads.known import known, learned
from tests.databases import Databases
from tests.money.floor import Floor, conn_of, floor_on, name_of

DAY = name_of(0)
YES = DecideApproval(decision="approve")


@pytest.fixture
def floor(databases: Databases) -> Iterator[Floor]:
    yield from floor_on(databases)


@pytest.fixture
def conn(floor: Floor) -> Iterator[psycopg.Connection[Any]]:
    yield from conn_of(floor)


def put_right(floor: Floor, act: Any, who: tuple[str, str]) -> dict[str, Any]:
    asked = floor.do(act, *who)
    agree = partial(approvals.decide, approval=asked["approval"], command=YES)
    return floor.do(agree, "fay", "finance")


def test_a_closed_day_keeps_its_figure_and_shows_what_accounting_put_right(
    floor: Floor, conn: psycopg.Connection[Any]
) -> None:
    floor.now += timedelta(minutes=10)
    for table in floor.names:
        floor.roll(table)
        floor.cash[floor.boxes[table]] = 500_000
        floor.count(floor.boxes[table])
    closed = floor.do(lambda w: days.close_day(w, DAY, CloseDay()), "cleo", "finance")
    drop = floor.boxes["R1"]
    command = CorrectCount(total=300_000, reason="two straps of 1,000.00 were counted twice")
    put_right(floor, partial(adjustments.correct_count, drop=drop, command=command), ("cleo", "finance"))
    for table, what, amount in (("R2", "fills", 150_000), ("R2", "closer", -70_000)):
        adjusted = AdjustFigure(session=f"{table}-{DAY}-1", figure=what, amount=amount, reason="misread on the slip")  # type: ignore[arg-type]
        put_right(floor, partial(adjustments.adjust_figure, day=DAY, command=adjusted), ("ann", "auditor"))
    floor.now += timedelta(hours=2)
    over = AdjustFigure(session=f"R1-{DAY}-1", figure="credits", amount=200_001, reason="a credit was booked short")
    last = put_right(floor, partial(adjustments.adjust_figure, day=DAY, command=over), ("ann", "auditor"))
    floor.do(lambda w: days.audit_day(w, DAY, AuditDay(note="adjusted")), "ann", "auditor")
    run_until(floor.url)

    found = learned(conn, DAY)
    assert found is not None
    assert found.fixed_at == closed["position"]
    assert [(row.table, row.win, row.drop) for row in found.fixed] == [
        ("R1", 500_000, 500_000),
        ("R2", 500_000, 500_000),
        (None, 1_000_000, 1_000_000),
    ]
    signed = {(d.table, d.figure): d.difference for d in found.differences}
    assert signed == {
        ("R1", "drop"): -200_000,
        ("R1", "counted_drop"): -200_000,
        ("R1", "adjusted"): 200_001,
        ("R1", "win"): 1,
        ("R2", "adjusted"): -220_000,
        ("R2", "win"): -220_000,
        (None, "drop"): -200_000,
        (None, "counted_drop"): -200_000,
        (None, "adjusted"): -19_999,
        (None, "win"): -219_999,
    }
    assert known(conn, DAY, at_position=found.fixed_at).rows == found.fixed
    (whole,) = hold(conn, by="day").rows
    assert (whole.win, whole.drop, whole.adjusted, whole.grade) == (780_001, 800_000, -19_999, "audited")
    for by in ("hour", "table", "session", "shift"):
        rows = hold(conn, by=by).rows  # type: ignore[arg-type]
        for name in ("win", "drop", "adjusted"):
            assert sum(getattr(row, name) for row in rows) == getattr(whole, name), (by, name)
    for name in ("win", "drop", "adjusted"):
        (explained,) = figure(conn, name, gaming_day=DAY).rows
        assert explained.value == explained.total == getattr(whole, name), name
    (box,) = [box for box in drop_boxes(conn).rows if box.drop == drop]
    assert (box.counted, box.corrected) == (300_000, -200_000)
    changes = compare(conn, closed["position"], last["position"]).days[0].changes
    assert all(change.explained for change in changes)
    assert {cause.why for change in changes for cause in change.causes} >= {"misread on the slip"}


def test_the_books_balance_and_the_months_report_lists_what_is_over_the_threshold(
    floor: Floor, conn: psycopg.Connection[Any]
) -> None:
    for table in floor.names:
        floor.roll(table)
        floor.cash[floor.boxes[table]] = 500_000
        floor.count(floor.boxes[table])
    floor.do(lambda w: days.close_day(w, DAY, CloseDay()), "cleo", "finance")
    for amount in (200_000, 200_001, -200_001):
        adjusted = AdjustFigure(session=f"R1-{DAY}-1", figure="credits", amount=amount, reason=f"out by {amount}")
        put_right(floor, partial(adjustments.adjust_figure, day=DAY, command=adjusted), ("ann", "auditor"))
    correction = CorrectCount(total=1, reason="a bundle of paper")
    drop = floor.boxes["R2"]
    put_right(floor, partial(adjustments.correct_count, drop=drop, command=correction), ("cleo", "finance"))
    run_until(floor.url)
    every = report(conn, month="2026-03")
    assert [(row.amount, row.over_threshold) for row in every.rows] == [
        (200_000, False),
        (200_001, True),
        (-200_001, True),
        (-499_999, True),
    ]
    assert {(row.proposed_by, row.approved_by) for row in every.rows} == {("ann", "fay"), ("cleo", "fay")}
    assert [row.amount for row in report(conn, month="2026-03", only_over=True).rows] == [200_001, -200_001, -499_999]
    assert (report(conn, month="2026-04").no_activity, report(conn, gaming_day=DAY).no_activity) == (True, False)
    inbox = [(row.code, row.amount, row.table) for row in exceptions(conn, now=floor.now).rows if "audit" in row.code]
    assert inbox == [("audit_adjustment", 200_001, "R1"), ("audit_adjustment", -200_001, "R1")]
    corrected = [row for row in exceptions(conn, now=floor.now).rows if row.code == "count_corrected"]
    assert [(row.subject, row.amount, row.actor) for row in corrected] == [(drop, -499_999, "fay")]
    entries: dict[str, int] = {}
    income = 0
    for line in journal(conn).lines:
        entries[line.entry] = entries.get(line.entry, 0) + line.amount_u
        if line.account in {"over_short", "drop_difference", "audit_adjustment"}:
            income -= line.amount_u
    assert set(entries.values()) == {0}
    assert {"count corrections", "audit adjustments"} <= entries.keys()
    (whole,) = hold(conn, by="all").rows
    assert income == (whole.win or 0) * 1_000_000
    found = check(floor.url, jobs=2)
    assert [identity for identity in found["identities"] if not identity["ok"]] == []
