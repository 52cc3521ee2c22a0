"""The cage's command line: what each line asks for, and that none is taken for another."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from api.i18n import languages
from api.pages.cage.command import Opened, Wanted, understood
from api.pages.form import FormError
from projections.reads.tables import TableRow

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
DAY = "2026-03-14"


def row(table: str, *, state: str = "open", currency: str = "EUR") -> TableRow:
    return TableRow(
        table=table,
        session=f"{table}-{DAY}-1",
        state=state,
        gaming_day=DAY,
        shift="1",
        ruleset="caribbean-ee",
        ruleset_version=1,
        currency=currency,
        chip=50,
        min=500,
        max=20000,
        max_payout_per_box=None,
        progressive=None,
        opened_at=NOON,
        closed_at=None,
        opener=0,
        closer=None,
        rounds=0,
        live_round=None,
        tray=0,
        last_activity=NOON,
    )


FLOOR = [row("B1"), row("B10"), row("F2"), row("caribbean-1-1"), row("caribbean-1-2"), row("R9", state="closed")]


def wanted(line: str) -> tuple[str, str, list[tuple[int, int]]]:
    found = understood(line, FLOOR, DAY)
    assert isinstance(found, Wanted)
    return found.kind, found.table.table, [(chip.denomination, chip.count) for chip in found.chips]


@pytest.mark.parametrize(
    ("line", "kind", "table", "chips"),
    [
        ("f b1 100", "fill", "B1", [(10000, 20)]),
        ("fb1 100", "fill", "B1", [(10000, 20)]),
        ("b1 100", "fill", "B1", [(10000, 20)]),
        ("F B1 100X35", "fill", "B1", [(10000, 35)]),
        ("fill b10 100s3 25", "fill", "B10", [(10000, 60), (2500, 20)]),
        ("c b1 500x4", "credit", "B1", [(50000, 4)]),
        ("cb1 0.50x100", "credit", "B1", [(50, 100)]),
        ("f b1 25 25x5", "fill", "B1", [(2500, 25)]),
        ("f2 100", "fill", "F2", [(10000, 20)]),
        ("f f2 100", "fill", "F2", [(10000, 20)]),
        ("f 1-2 5x1", "fill", "caribbean-1-2", [(500, 1)]),
    ],
)
def test_a_line_asks_for_chips(line: str, kind: str, table: str, chips: list[tuple[int, int]]) -> None:
    assert wanted(line) == (kind, table, chips)


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("f7", f"/cage/slips/fill-{DAY}-0007"),
        ("c 12", f"/cage/slips/credit-{DAY}-0012"),
        ("w", "/cage/windows"),
        ("w CENTRAL", "/cage/windows/CENTRAL"),
        ("d", "/cage/drops"),
    ],
)
def test_a_line_opens_a_page(line: str, path: str) -> None:
    assert understood(line, FLOOR, DAY) == Opened(path)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("f b1", "which chips"),
        ("f b2 100", "no table"),
        ("f r9 100", "no table"),
        ("f caribbean 100", "say more"),
        ("f b1 1x0", "no chip at all"),
        ("f b1 hundred", "is no chips"),
        ("f b1 -5x20", "is no chips"),
        ("f b1 0.001", "is no chips"),
        ("b", "no table"),
    ],
)
def test_a_line_that_is_not_clear_is_refused_with_what_would_be(line: str, says: str) -> None:
    with pytest.raises(FormError, match=says):
        understood(line, FLOOR, DAY)


def test_denominations_are_read_as_the_language_writes_them() -> None:
    with languages.speaking("ro"):
        assert wanted("f b1 0,50x100") == ("fill", "B1", [(50, 100)])
        assert wanted("f b1 1.000x2") == ("fill", "B1", [(100000, 2)])
