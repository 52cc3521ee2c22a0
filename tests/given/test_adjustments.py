"""Settled counts corrected and figures adjusted: with a reason, by two people, and what was settled first stays."""

from functools import partial
from typing import Any

import pytest

from domain.accounting_commands import AdjustFigure, CorrectCount
from domain.acts import adjustments, approvals, counts, days, tables
from domain.commands import (
    CloseDay,
    CloseTable,
    CountBox,
    DecideApproval,
    MountBox,
    MoveBox,
    OpenDay,
)
from domain.events.adjustment import AdjustmentRefused, BoxCorrected, FigureAdjusted
from domain.events.base import Chips
from domain.events.count import BoxSettled
from domain.money import MICRO
from domain.money_rules import DEFAULTS, of_code, passes
from domain.postings import legs
from domain.refusals import Refusal
from tests.given.scenes import CHIPS, house, open_table
from tests.memory_house import MemoryHouse

DAY, SESSION = "2026-03-14", "R1-2026-03-14-1"
DROP = f"drop-{DAY}-0001"
ROLES = ("terminal", "supervisor", "cashier", "security", "finance", "auditor", "display", "admin")
YES = DecideApproval(decision="approve")


@pytest.fixture
def memory() -> MemoryHouse:
    """A day of one table, rolled, counted by finn and fred (sam carried the box), and closed by cleo."""
    given = house("roulette-ua")
    given.do(lambda w: days.open_day(w, OpenDay(day=DAY)))
    open_table(given, "R1", "roulette-ua")
    given.do(partial(counts.mount, table="R1", command=MountBox(box="17")), "sam", "security")
    given.do(partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS)))
    given.do(lambda w: counts.remove(w, DROP, MoveBox()), "sam", "security")
    given.do(lambda w: counts.receive(w, DROP, MoveBox()), "finn", "finance")
    for actor in ("finn", "fred"):
        given.do(lambda w: counts.count(w, DROP, CountBox(cash=(Chips(5_000, 10),))), actor, "finance")
    given.do(lambda w: days.close_day(w, DAY, CloseDay()), "cleo", "finance")
    return given


def correct(memory: MemoryHouse, total: int, actor: str = "cleo", role: str = "finance") -> dict[str, Any]:
    command = CorrectCount(total=total, reason="a strap was counted twice")
    return memory.do(partial(adjustments.correct_count, drop=DROP, command=command), actor, role)


def adjust(memory: MemoryHouse, figure: Any, amount: int, actor: str = "ann", role: str = "auditor") -> dict[str, Any]:
    command = AdjustFigure(session=SESSION, figure=figure, amount=amount, reason="the slip says otherwise")
    return memory.do(partial(adjustments.adjust_figure, day=DAY, command=command), actor, role)


def decide(
    memory: MemoryHouse, approval: str, actor: str, role: str = "finance", command: DecideApproval = YES
) -> dict[str, Any]:
    return memory.do(partial(approvals.decide, approval=approval, command=command), actor, role)


def code(do: Any) -> str:
    with pytest.raises(Refusal) as refused:
        do()
    return refused.value.code


def test_a_correction_stands_beside_the_first_count(memory: MemoryHouse) -> None:
    asked = correct(memory, 45_000)
    assert (asked["was"], asked["now"]) == (50_000, 45_000)
    assert decide(memory, asked["approval"], "fay") == {"drop": DROP, "was": 50_000, "now": 45_000}
    (settled,), (corrected,) = memory.events(BoxSettled), memory.events(BoxCorrected)
    assert settled.total == 50_000
    assert (corrected.proposer, corrected.reason, corrected.difference) == ("cleo", "a strap was counted twice", -5_000)
    assert memory.look().counts(DAY).boxes[DROP].counted == 45_000
    sums: dict[str, int] = {}
    for account, amount in legs(corrected):
        sums[account] = sums.get(account, 0) + amount // MICRO
    assert sums == {"cage": -5_000, "drop_box": 0, "drop_difference": 5_000}


@pytest.mark.parametrize(
    ("figure", "win", "contra"),
    [("opener", -1, "float"), ("closer", 1, "float"), ("fills", -1, "cage"), ("credits", 1, "cage")],
)
@pytest.mark.parametrize("amount", [250_000, -70])
def test_an_adjustment_moves_win_as_the_formula_says_and_balances(
    memory: MemoryHouse, figure: str, win: int, contra: str, amount: int
) -> None:
    asked = adjust(memory, figure, amount)
    assert decide(memory, asked["approval"], "fay") == {"session": SESSION, "figure": figure, "win": win * amount}
    (adjusted,) = memory.events(FigureAdjusted)
    assert dict(legs(adjusted)) == {contra: win * amount * MICRO, "audit_adjustment": -win * amount * MICRO}


def test_nobody_agrees_to_what_they_proposed_in_any_role(memory: MemoryHouse) -> None:
    for asked, actor in ((correct(memory, 45_000), "cleo"), (adjust(memory, "fills", 500), "ann")):
        for role in ROLES:
            assert code(lambda a=asked, who=actor, r=role: decide(memory, a["approval"], who, r)) in {  # type: ignore[misc]
                "same_person",
                "role_required",
            }
        for role in (role for role in ROLES if role != "finance"):
            assert code(lambda a=asked, r=role: decide(memory, a["approval"], "fay", r)) == "role_required"  # type: ignore[misc]
    assert memory.events(BoxCorrected) == memory.events(FigureAdjusted) == []


@pytest.mark.parametrize("actor", ["sam", "finn", "fred"])
def test_who_carried_or_counted_the_box_does_not_agree_to_a_correction(memory: MemoryHouse, actor: str) -> None:
    approval = correct(memory, 45_000)["approval"]
    assert code(lambda: decide(memory, approval, actor)) == "same_person"


@pytest.mark.parametrize("role", ROLES)
def test_only_accounting_proposes(memory: MemoryHouse, role: str) -> None:
    if role != "finance":
        assert code(lambda: correct(memory, 45_000, "eve", role)) == "role_required"
    if role not in {"finance", "auditor"}:
        assert code(lambda: adjust(memory, "fills", 500, "eve", role)) == "role_required"


def test_what_cannot_be_put_right_is_refused(memory: MemoryHouse) -> None:
    assert code(lambda: correct(memory, 50_000)) == "nothing_to_correct"
    assert code(lambda: adjust(memory, "fills", 0)) == "nothing_to_correct"
    other = AdjustFigure(session="R1-2026-03-14-7", figure="fills", amount=5, reason="no such session")
    assert code(lambda: memory.do(partial(adjustments.adjust_figure, day=DAY, command=other), "ann", "auditor")) == (
        "unknown_session"
    )
    assert code(lambda: decide(memory, f"drop.{DAY}.9", "fay")) == "unknown_approval"
    first, second = correct(memory, 45_000), correct(memory, 46_000)
    decide(memory, first["approval"], "fay")
    assert code(lambda: decide(memory, second["approval"], "fay")) == "moved"
    assert code(lambda: decide(memory, first["approval"], "fay")) == "unknown_approval"


def test_a_box_that_is_not_settled_and_a_day_that_runs_are_not_put_right() -> None:
    memory = house("roulette-ua")
    memory.do(lambda w: days.open_day(w, OpenDay(day=DAY)))
    open_table(memory, "R1", "roulette-ua")
    memory.do(partial(counts.mount, table="R1", command=MountBox(box="17")), "sam", "security")
    assert code(lambda: correct(memory, 5)) == "drop_state"
    assert code(lambda: adjust(memory, "closer", 5)) == "day_running"
    memory.do(partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS)))
    assert code(lambda: adjust(memory, "closer", 5)) == "day_running"


def test_a_refusal_needs_its_reason_and_changes_nothing(memory: MemoryHouse) -> None:
    approval = correct(memory, 45_000)["approval"]
    no = DecideApproval(decision="refuse")
    assert code(lambda: decide(memory, approval, "fay", command=no)) == "reason_required"
    decide(memory, approval, "fay", command=DecideApproval(decision="refuse", reason="the camera agrees"))
    assert len(memory.events(AdjustmentRefused)) == 1
    assert memory.look().counts(DAY).boxes[DROP].counted == 50_000


def test_the_threshold_of_the_month_end_report_is_more_than_two_thousand() -> None:
    (threshold,) = of_code(DEFAULTS, "audit_adjustment")
    assert [passes(threshold, amount, "EUR") for amount in (200_000, 200_001, -200_001)] == [False, True, True]
