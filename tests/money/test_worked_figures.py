"""Every worked figure that users of such systems test against, each with a test of its name; amounts in minor units.

Those of a progressive (0.2900; 700 of liability and 10,000 of base expense) stand here as arithmetic of the domain, and
over the log in `tests.given.test_progressive_life` and `tests.projections.test_jackpots`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any

import msgspec
import psycopg
import pytest

from domain.acts import approvals, days, money_rules, slips, tables
from domain.acts.tables import open_table
from domain.commands import (
    BuyChips,
    CloseTable,
    DecideApproval,
    MoveChips,
    OpenDay,
    OpenTable,
    ProposeRules,
    SignSlip,
    VoidSlip,
)
from domain.edge import edge
from domain.engine.jackpot import Prize
from domain.events.base import Chips
from domain.events.chips import BuyIn
from domain.events.jackpot import JackpotContributed, LevelShare
from domain.events.progressive import LevelTerms, ProgressiveOpened
from domain.events.rules import Par, Threshold
from domain.money import MICRO
from domain.money_rules import passes
from domain.postings import JACKPOT_COST, JACKPOT_LIABILITY, legs
from domain.progressive.award import award
from domain.progressive.folding import fold
from domain.progressive.meters import Meters
from domain.refusals import Refusal
from domain.ruleset import shipped
from projections.catch_up import run_until
from projections.figures import Extent, Figures, Sums, by_chips, figures
from projections.reads.exceptions import gaps_of
from projections.reads.hold import hold
from projections.reads.needs import needs
from tests.databases import Databases
from tests.given.scenes import house
from tests.memory_house import MemoryHouse
from tests.money.floor import Floor, conn_of, floor_on
from tests.rules.rounds import box, record, settle


def day(*, opener: int = 20_000, fills: int = 5_000, closer: int | None = 18_000) -> tuple[Figures, int | None]:
    """Opener 20,000; fills 5,000; credits 2,000; closer 18,000; drop 9,000. The figures, and win by chips."""
    drop, credit = 9_000, 2_000
    expected = opener + fills - credit - drop
    over_short = 0 if closer is None else closer - expected
    sums = Sums(buy_ins=drop, fills=fills, credits=credit, over_short=over_short)
    extent = Extent(sessions=1, open_sessions=int(closer is None), opener=opener, closer=closer or 0)
    return figures(sums, extent, 0), by_chips(sums, extent)


def test_the_day_wins_4000_and_holds_44_44_percent() -> None:
    made, chips = day()
    assert (made.win, chips, made.drop) == (4_000, 4_000, 9_000)
    assert made.hold is not None
    assert round(100 * made.hold, 2) == 44.44


def test_a_missing_closer_makes_win_unknown_and_not_zero() -> None:
    made, chips = day(closer=None)
    assert (made.win, chips, made.hold) == (None, None, None)
    assert {"closer", "win"} <= set(made.missing)


@pytest.mark.parametrize("x", [1, 700, 1_000_000])
def test_the_same_added_to_fills_and_closer_or_to_opener_and_closer_changes_nothing(x: int) -> None:
    assert day(fills=5_000 + x, closer=18_000 + x)[0].win == 4_000
    assert day(opener=20_000 + x, closer=18_000 + x)[0].win == 4_000


@pytest.fixture
def floor(databases: Databases) -> Iterator[Floor]:
    yield from floor_on(databases)


@pytest.fixture
def conn(floor: Floor) -> Iterator[psycopg.Connection[Any]]:
    yield from conn_of(floor)


def test_par_20000_and_inventory_14500_need_a_fill_of_5500_which_is_no_win(
    floor: Floor, conn: psycopg.Connection[Any]
) -> None:
    rules = ProposeRules(valid_from="2026-01-01", pars=(Par("P1", 20_000), Par("R1", 500_000)), reason="the pars")
    asked = floor.do(lambda w: money_rules.propose(w, rules), "ada", "admin")
    yes = DecideApproval(decision="approve")
    floor.do(lambda w: approvals.decide(w, asked["approval"], yes), "finn", "finance")
    command = OpenTable(ruleset="roulette-ua", currency="EUR", chip=50, min=500, max=20_000, opener=(Chips(50, 400),))
    floor.do(partial(open_table, table="P1", command=command), "sue", "supervisor")
    floor.do(partial(tables.buy_in, table="P1", command=BuyChips(player="A", amount=5_500)), "dora", "terminal")
    run_until(floor.url)
    found = {row.table: (row.par, row.tray, row.need, row.slip) for row in needs(conn).rows}
    assert found == {"P1": (20_000, 14_500, 5_500, "fill"), "R1": (500_000, 500_000, 0, None)}
    before = hold(conn, table="P1").rows[0].result
    fill = MoveChips(chips=(Chips(50, 110),))
    slip = floor.do(partial(slips.request_fill, table="P1", command=fill), "rita", "supervisor")["slip"]
    people = {"prepare": "cashier", "carry": "security", "count": "terminal", "receive": "supervisor"}
    for step, role in people.items():
        floor.do(partial(slips.sign, slip_id=slip, step=step, command=SignSlip()), f"{role}.9", role)
    run_until(floor.url)
    assert next(row for row in needs(conn).rows if row.table == "P1").need == 0
    floor.do(partial(tables.close_table, table="P1", command=CloseTable(closer=(Chips(50, 400),))), "sue", "supervisor")
    run_until(floor.url)
    (row,) = hold(conn, table="P1").rows
    assert (before, row.result, row.fills, row.win) == (0, 0, 5_500, 0)


def test_the_20th_of_august_has_25_hours_and_18_minutes_and_holds_the_21st_at_05_12() -> None:
    memory = house("roulette-ua")
    roll, late = datetime(2026, 8, 21, 5, 13, tzinfo=UTC), datetime(2026, 8, 21, 5, 12, tzinfo=UTC)
    memory.now = datetime(2026, 8, 20, 3, 54, 59, tzinfo=UTC)
    memory.do(lambda w: days.open_day(w, OpenDay(day="2026-08-20")))
    chips = (Chips(50, 10_000),)
    command = OpenTable(ruleset="roulette-ua", currency="EUR", chip=50, min=500, max=20_000, opener=chips)
    memory.do(partial(open_table, table="R1", command=command))
    memory.do(lambda w: days.open_day(w, OpenDay(day="2026-08-21")), at=roll)
    memory.do(partial(tables.close_table, table="R1", command=CloseTable(closer=chips, roll_to="2026-08-21")), at=roll)
    known = memory.look().house().days
    began = {name: of.opened_at for name, of in known.by_day.items()}
    assert str(began["2026-08-21"] - began["2026-08-20"]) == "1 day, 1:18:00"
    for moment, name in ((late, "2026-08-20"), (roll, "2026-08-21")):
        belongs = known.day_of(moment)
        assert belongs is not None
        assert belongs.day == name
        buy = partial(tables.buy_in, table="R1", command=BuyChips(player="A", amount=500))
        memory.now = datetime(2026, 8, 21, 6, 0, tzinfo=UTC)
        memory.do(buy, "dora", "terminal", at=moment)
    stream = memory.look().registry("R1").open_stream
    metas = [meta for meta, event in memory.look()._source.events(stream or "") if isinstance(event, BuyIn)]
    assert [meta.gaming_day for meta in metas] == ["2026-08-20", "2026-08-21"]


def test_1000_straight_bets_of_10_are_worth_270_27_with_a_deviation_of_1846_09_and_minus_1500_is_no_outlier() -> None:
    """A straight-up bet on a single zero: the sheet's own figures, times the bets. Hold names them as missing."""
    sheet = edge(shipped("roulette-ua"), "straight 17")
    handle, bets, stake = 10_000, 1_000, 10
    theoretical = handle * 1 / 37
    deviation = stake * bets**0.5 * sheet["sd_per_ante"]
    assert sheet["house_edge_per_ante"] == round(1 / 37, 6)
    assert (sheet["sd_per_ante"], round(theoretical, 2), round(deviation, 2)) == (5.837838, 270.27, 1_846.09)
    assert round((-1_500 - theoretical) / deviation, 2) == -0.96


QUADS_AND_FULL_HOUSE = box("Qd Qc Qs Qh Jd", "buy Js", "bet")


@pytest.mark.parametrize(("cap", "paid", "withheld", "house_wins"), [(None, 540, 0, -530), (500, 500, 40, -490)])
def test_four_of_a_kind_and_full_house_pay_27_to_1_and_a_cap_of_500_withholds_40(
    cap: int | None, paid: int, withheld: int, house_wins: int
) -> None:
    """Ante 10, sixth card 10, bet 20: the ante comes back, the house has the price of the sixth card."""
    sign = {} if cap is None else {"table": {"max_payout_per_box": 100 * cap}}
    (settled,) = settle(record("russian-ua", QUADS_AND_FULL_HOUSE, **sign))["boxes"]
    assert (settled["hand"], settled["second"]) == ("four of a kind", "full house")
    assert settled["stakes"] == {"ante": 1_000, "bet": 2_000, "buy": 1_000}
    assert settled["returned"] == {"ante": 1_000, "bet": 2_000}
    assert (settled["taken"], settled["paid"], settled["capped"]) == (
        {"buy": 1_000},
        {"bet": 100 * paid},
        100 * withheld,
    )
    assert settled["net"] == -100 * house_wins


def meters(seed: int, increment_ppm: int) -> tuple[dict[str, Meters], LevelTerms]:
    terms = LevelTerms(level=1, seed=seed, increment_ppm=increment_ppm)
    opened = ProgressiveOpened(
        progressive="main", currency="EUR", levels=(terms,), fixed_prizes_from="house", approval="a"
    )
    running: dict[str, Meters] = {}
    fold(running, opened)
    return running, terms


def contribution(stake: int, terms: LevelTerms) -> JackpotContributed:
    share = LevelShare(1, stake * terms.increment_ppm, 0)
    return JackpotContributed(round="r", box=1, progressive="main", stake=stake, shares=(share,), config_version=1)


def test_four_bets_of_0_50_at_14_5_percent_add_0_2900_and_no_cent_is_lost() -> None:
    running, terms = meters(0, 145_000)
    for _ in range(4):
        fold(running, contribution(50, terms))
    assert running["main"].levels[1].display_u == 29 * MICRO
    assert 4 * (50 * terms.increment_ppm // MICRO) == 28, "rounding each bet to cents would lose one"


def test_a_seed_of_10000_and_1000_stakes_at_70_percent_owe_700_and_a_hit_costs_10000_of_base() -> None:
    running, terms = meters(1_000_000, 700_000)
    owed = 0
    for _ in range(1_000):
        event = contribution(100, terms)
        fold(running, event)
        owed -= sum(amount for account, amount in legs(event) if account == JACKPOT_LIABILITY)
    level = running["main"].levels[1]
    assert (owed, level.display_u) == (70_000 * MICRO, 1_070_000 * MICRO)
    hit = award(running["main"], "r", Prize(1, "A", "royal flush", "C.8", 1_000_000, None))
    assert hit.award == 1_070_000
    used = dict(legs(hit))
    assert used[JACKPOT_LIABILITY] == 70_000 * MICRO
    assert used[JACKPOT_COST] == 1_000_000 * MICRO


def test_slips_101_102_and_104_lack_103() -> None:
    assert gaps_of([101, 102, 104]) == [103]


@pytest.fixture
def requested() -> tuple[MemoryHouse, str]:
    memory = house("roulette-ua")
    chips = (Chips(50, 10_000),)
    command = OpenTable(ruleset="roulette-ua", currency="EUR", chip=50, min=500, max=20_000, opener=chips)
    memory.do(partial(open_table, table="R1", command=command))
    fill = MoveChips(chips=(Chips(50, 10),))
    return memory, memory.do(partial(slips.request_fill, table="R1", command=fill), "rita")["slip"]


def test_the_same_person_as_requester_and_approver_of_a_void_is_refused(requested: tuple[MemoryHouse, str]) -> None:
    memory, slip = requested
    void = partial(slips.void, slip_id=slip, command=VoidSlip(reason="wrong chips"))
    with pytest.raises(Refusal, match="requested slip") as refused:
        memory.do(void, "rita", "cashier")
    assert refused.value.code == "same_person"
    memory.do(void, "carl", "cashier")


@pytest.mark.parametrize("body", [{}, {"reason": ""}, {"reason": "  "[:2]}])
def test_a_void_without_a_reason_is_refused(body: dict[str, str]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(body, VoidSlip)


@pytest.mark.parametrize(
    ("operator", "amount", "cash", "is_one"),
    [
        (">", 10_000_00, [10_000_00], False),
        (">", 10_000_00, [10_000_01], True),
        (">", 10_000_00, [6_000_00, 4_001_00], True),
        (">=", 2_000_00, [1_999_99], False),
        (">=", 2_000_00, [2_000_00], True),
        (">=", 2_000_00, [1_200_00, 800_00], True),
    ],
)
def test_more_than_10000_and_2000_or_more_linked(operator: Any, amount: int, cash: list[int], *, is_one: bool) -> None:
    """9,000 in and 9,000 out are two sums of their own: `test_cash_is_added_up_by_player_day_and_direction`."""
    assert passes(Threshold("cash_in", operator, amount), sum(cash), "EUR") is is_one
