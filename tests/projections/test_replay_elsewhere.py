"""Replay of what is not play: corrections, counts, windows and slips; a figure that does not follow is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import psycopg
import pytest

from domain.events.base import Event
from domain.events.cage import ChipsSold, TransferReceived, WindowClosed, WindowOpened
from domain.events.chips import FillReceived
from domain.events.correction import AmountCorrected, CorrectionProposed, RoundCorrected
from domain.events.count import BoxCounted, BoxSettled
from domain.events.session import SessionReleased
from domain.events.slips import SlipRequested
from projections.replay import replay
from projections.replay.totals import TOTALLED, amiss
from tests.audit.filled import filled
from tests.databases import Database, Databases
from tests.money.month import Month
from tests.projections.real import Rows, address, copy, first, read


@pytest.fixture(scope="module")
def played(databases: Databases) -> Iterator[tuple[Database, Rows]]:
    """Two days of a small floor with its cage, its counts and its corrections."""
    with databases.fresh() as database:
        Month(database, tables=5, rounds=25, length=2).play()
        yield database, read(database)


def test_what_was_recorded_follows(played: tuple[Database, Rows]) -> None:
    assert replay(played[0].url)["differences"] == []


CHANGES: list[tuple[type[Event], str, Callable[[Any], Any]]] = [
    (AmountCorrected, "was", lambda was: was + 1),
    (AmountCorrected, "now", lambda now: now + 1),
    (AmountCorrected, "corrects", lambda _: ()),
    (RoundCorrected, "house_net", lambda net: net + 1),
    (BoxCounted, "total", lambda total: total + 1),
    (BoxSettled, "total", lambda total: total + 1),
    (BoxSettled, "differ", lambda differ: not differ),
    (WindowOpened, "cash_total", lambda total: total + 1),
    (WindowClosed, "expected_cash", lambda expected: expected + 1),
    (WindowClosed, "expected_chips", lambda expected: expected + 1),
    (WindowClosed, "over_short", lambda over: over + 1),
    (TransferReceived, "chips", lambda chips: chips + 1),
    (SlipRequested, "amount", lambda amount: amount + 1),
    (FillReceived, "slip", lambda _: "fill-2026-03-01-999"),
    (SlipRequested, "number", lambda number: number + 1),
    (SessionReleased, "closer_total", lambda total: total + 1),
]


@pytest.mark.parametrize(("kind", "field", "change"), CHANGES, ids=[f"{k.__name__}.{f}" for k, f, _ in CHANGES])
def test_a_figure_that_does_not_follow_is_told_where_it_stands(
    conn: psycopg.Connection, played: tuple[Database, Rows], kind: type[Event], field: str, change: Callable[[Any], Any]
) -> None:
    rows = list(played[1])
    at = first(rows, kind)
    event = rows[at].event
    rows[at] = rows[at].with_event(msgspec.structs.replace(event, **{field: change(getattr(event, field))}))
    copy(rows, conn)
    told = [d for d in replay(address(conn))["differences"] if d["position"] == at + 1]
    assert told
    assert told[0]["recorded"] is not None
    assert told[0]["expected"] is not None


def test_a_sale_that_was_changed_shows_where_the_window_was_closed(
    conn: psycopg.Connection, played: tuple[Database, Rows]
) -> None:
    rows = list(played[1])
    at = first(rows, ChipsSold)
    sale = rows[at].event
    assert isinstance(sale, ChipsSold)
    rows[at] = rows[at].with_event(msgspec.structs.replace(sale, amount=sale.amount + 5))
    copy(rows, conn)
    closes = [n for n, row in enumerate(rows, 1) if row.stream == rows[at].stream and row.topic == WindowClosed.TOPIC]
    assert [d["position"] for d in replay(address(conn))["differences"]] == closes


def test_a_correction_that_nobody_proposed_is_told(conn: psycopg.Connection, played: tuple[Database, Rows]) -> None:
    rows = list(played[1])
    at = first(rows, RoundCorrected)
    event = rows[at].event
    assert isinstance(event, RoundCorrected)
    proposal = first(rows, CorrectionProposed, lambda e: e.approval == event.approval)
    other = msgspec.structs.replace(rows[proposal].event, approval="correction.other.1")
    rows[proposal] = rows[proposal].with_event(other)
    copy(rows, conn)
    told = {d["position"]: d["expected"] for d in replay(address(conn))["differences"]}
    assert told[at + 1] == {"refused": "nobody has proposed this correction"}
    assert told[at + 2] is None, "and no amount of it follows"


TOTALS = sorted(TOTALLED, key=lambda kind: kind.TOPIC)


@pytest.mark.parametrize("kind", TOTALS, ids=[kind.TOPIC for kind in TOTALS])
def test_a_total_is_the_sum_of_what_stands_beside_it(kind: type[Event]) -> None:
    event = filled(kind)
    figures = amiss(event)
    assert figures, "any numbers at all do not add up"
    assert amiss(msgspec.structs.replace(event, **figures)) == {}
