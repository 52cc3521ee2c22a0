"""The journal: what every event means in money, added up by day; balanced, complete, and the same as event by event."""

from __future__ import annotations

from collections import Counter

import psycopg
import pytest

from domain import postings
from domain.events.cage import ChipsSold, WindowOpened
from domain.events.session import SessionOpened
from domain.postings import legs
from projections.chart import Chart, ChartError, load
from projections.journal import ENTRIES, day_of
from projections.reads.hold import hold
from projections.reads.journal import Journal, journal
from tests.money.boxes import Boxes
from tests.projections.conftest import FoldAll
from tests.projections.logs import START, Log, Table, night

DAY = "2026-03-14"


def busy_night(seed: int) -> Log:
    """Tables with a jackpot, drop boxes counted, and a cage window."""
    log = night(seed, 3, 120)
    table, boxes = Table(log, "T77", opener=500_000), Boxes(log)
    box = boxes.mount(table)
    table.buy_in(80_000)
    table.close(-50)
    boxes.settle(box, 80_500, 500)
    opened = WindowOpened(
        window="W1",
        cage_shift=f"W1-{DAY}-1",
        number=1,
        gaming_day=DAY,
        shift="1",
        currency="EUR",
        cash=(),
        chips=(),
        cash_total=500_000,
        chips_total=400_000,
    )
    log.add(f"cage/W1/{DAY}/1", opened, ChipsSold(amount=1_200))
    return log


def by_event(log: Log) -> Counter[tuple[str, str, str, str]]:
    """The journal by the legs of one event after the other."""
    currencies = {stream: e.currency for stream, _, e in log.events if hasattr(e, "currency")}
    sums: Counter[tuple[str, str, str, str]] = Counter()
    for stream, meta, event in log.events:
        for account, amount in legs(event):
            sums[day_of(meta), currencies[stream], ENTRIES[type(event)], account] += amount
    return sums


def as_sums(found: Journal) -> Counter[tuple[str, str, str, str]]:
    return Counter({(x.gaming_day, x.currency, x.entry, x.account): x.amount_u for x in found.lines})


@pytest.mark.parametrize("seed", [1, 2])
def test_the_journal_is_the_sum_of_every_events_legs(conn: psycopg.Connection, fold_all: FoldAll, seed: int) -> None:
    log = busy_night(seed)
    log.write(conn)
    fold_all()
    found = journal(conn)
    assert as_sums(found) == by_event(log)
    entries: Counter[tuple[str, str, str]] = Counter()
    for line in found.lines:
        entries[line.gaming_day, line.currency, line.entry] += line.amount_u
    assert set(entries.values()) == {0}
    assert sum(int(balance.after_u) for balance in found.balances) == 0


def test_what_the_books_win_is_what_the_tables_won(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = busy_night(3)
    log.write(conn)
    fold_all()
    income = {"over_short", "drop_difference"}
    won = -sum(x.amount_u for x in journal(conn).lines if x.account in income or x.account.startswith("win."))
    rows = hold(conn, by="session").rows
    jackpots_from_trays = sum(row.taken - (row.paid - row.jackpot_paid) - row.result for row in rows)
    so_far = sum(row.result + (row.over_short or 0) + row.drop - row.buy_ins for row in rows)
    closed = [row for row in rows if row.win is not None]
    assert sum(row.win for row in closed) == sum(r.result + r.over_short + r.drop - r.buy_ins for r in closed)  # type: ignore[operator,misc]
    assert won == (so_far + jackpots_from_trays) * 1_000_000


def test_every_event_that_moves_money_has_an_entry() -> None:
    assert set(postings._RULES) == set(ENTRIES)


def test_the_chart_names_every_account() -> None:
    chart = Chart()
    accounts = [value for name, value in vars(postings).items() if name.isupper() and isinstance(value, str)]
    ledgers = {chart[account].ledger for account in [*accounts, "win.ante", "win.dealer_card"]}
    assert len(ledgers) == len(accounts) + 2
    assert chart["win.dealer_card"].ledger == "Income:Win:Dealer-Card"
    with pytest.raises(ChartError):
        chart["nonsense"]


def test_a_house_names_its_accounts_in_a_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "chart.toml"
    file.write_text('["win.*"]\nnumber = "8000"\nname = "Bruttospielertrag {kind}"\nledger = "Income:BSE:{kind}"\n')
    chart = load(file)
    assert chart["win.ante"].name == "Bruttospielertrag ante"
    assert chart["tray"].number == "1110"
    for broken in ('[tray]\nnumber="1"', '[tray]\nnumber="1"\nname="x"\nledger="trays"', "[["):
        file.write_text(broken)
        with pytest.raises(ChartError):
            load(file)


def test_an_event_without_a_day_is_booked_on_its_date(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    table = Table(log, day="2026-03-10")
    table.close()
    log.write(conn)
    fold_all()
    found = journal(conn)
    assert {line.gaming_day for line in found.lines} == {"2026-03-10"}
    meta = next(meta for _, meta, event in log.events if isinstance(event, SessionOpened))
    assert day_of(type(meta)(event_id="x", site="main", happened_at=START, actor="a")) == START.date().isoformat()
