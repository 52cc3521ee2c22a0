"""Nobody stands at two ends of one slip, correction, count or handover, in whatever roles; the domain itself refuses.

Every pair of steps of each act is tried with one person in both, under the very roles that the steps take; and every
step in every role but its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from domain.accounting_commands import AdjustFigure, CorrectCount
from domain.acts import adjustments, approvals, cage, corrections, counts, days, money_rules, rounds, slips, tables
from domain.cage_commands import CountWindow, OpenWindow
from domain.commands import (
    AuditDay,
    CloseDay,
    CloseTable,
    CountBox,
    DecideApproval,
    MakeRuling,
    MountBox,
    MoveBox,
    MoveChips,
    OpenDay,
    ProposeCorrection,
    ProposeRules,
    RightPayment,
    SignSlip,
    VoidSlip,
)
from domain.duties import DUTIES
from domain.events.base import Chips
from domain.events.correction import OrderedPayment
from domain.events.rules import Window
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work
from tests.given.scenes import CHIPS, house, open_table, record
from tests.memory_house import MemoryHouse

ROLES = ("terminal", "supervisor", "cashier", "security", "finance", "auditor", "display", "admin")

Step = tuple[str, str, Callable[[MemoryHouse, dict[str, str], str, str], None]]
"""Name of the step, the role it takes, and how it is done by an actor in a role."""


def _request_of(act: Callable[..., Reply]) -> Callable[[MemoryHouse, dict[str, str], str, str], None]:
    def do(memory: MemoryHouse, names: dict[str, str], actor: str, role: str) -> None:
        command = MoveChips(chips=(Chips(2500, 10),))
        names["slip"] = memory.do(partial(act, table="R1", command=command), actor, role)["slip"]

    return do


_request = _request_of(slips.request_fill)


def _sign(step: str) -> Callable[[MemoryHouse, dict[str, str], str, str], None]:
    def do(memory: MemoryHouse, names: dict[str, str], actor: str, role: str) -> None:
        memory.do(lambda w: slips.sign(w, names["slip"], step, SignSlip()), actor, role)

    return do


def _mount(memory: MemoryHouse, names: dict[str, str], actor: str, role: str) -> None:
    names["drop"] = memory.do(partial(counts.mount, table="R1", command=MountBox(box="1")), actor, role)["drop"]


def _remove(memory: MemoryHouse, names: dict[str, str], actor: str, role: str) -> None:
    memory.do(lambda w: counts.remove(w, names["drop"], MoveBox()), actor, role)
    memory.do(partial(tables.close_table, table="R1", command=CloseTable(closer=CHIPS)), "sue")


def _receive(memory: MemoryHouse, names: dict[str, str], actor: str, role: str) -> None:
    memory.do(lambda w: counts.receive(w, names["drop"], MoveBox()), actor, role)


def _count(cash: int) -> Callable[[MemoryHouse, dict[str, str], str, str], None]:
    def do(memory: MemoryHouse, names: dict[str, str], actor: str, role: str) -> None:
        memory.do(lambda w: counts.count(w, names["drop"], CountBox(cash=(Chips(cash, 1),))), actor, role)

    return do


SLIP: list[Step] = [
    ("request", "supervisor", _request),
    ("prepare", "cashier", _sign("prepare")),
    ("carry", "security", _sign("carry")),
    ("count", "terminal", _sign("count")),
    ("receive", "supervisor", _sign("receive")),
]
CREDIT: list[Step] = [("request a credit", "supervisor", _request_of(slips.request_credit)), *SLIP[1:]]
COUNT: list[Step] = [
    ("mount", "security", _mount),
    ("remove", "security", _remove),
    ("receive", "finance", _receive),
    ("first count", "finance", _count(100)),
    ("second count", "finance", _count(200)),
    ("third count", "finance", _count(100)),
]


def _propose_count(memory: MemoryHouse, names: dict[str, str], actor: str, role: str) -> None:
    command = CorrectCount(total=300, reason="a note was overlooked")
    act = partial(adjustments.correct_count, drop=names["drop"], command=command)
    names["approval"] = memory.do(act, actor, role)["approval"]


def _agree(memory: MemoryHouse, names: dict[str, str], actor: str, role: str) -> None:
    yes = DecideApproval(decision="approve")
    memory.do(partial(approvals.decide, approval=names["approval"], command=yes), actor, role)


COUNT_CORRECTION: list[Step] = [
    *COUNT[:4],
    ("same count", "finance", _count(100)),
    ("propose a correction", "finance", _propose_count),
    ("agree to it", "finance", _agree),
]
MAY_BE_ONE = {
    ("mount", "remove"),
    *(("receive", count) for count in ("first count", "second count", "third count", "same count")),
    *((step, "propose a correction") for step in ("mount", "remove", "receive", "first count", "same count")),
}
"""Custody stays with one person where the box does: at the table, and in the count room. Anybody of finance may say
that a count is wrong, also of their own; it takes somebody who had no part in it to agree."""

PAIRS = [
    (steps, early, late)
    for steps in (SLIP, CREDIT, COUNT, COUNT_CORRECTION)
    for late in range(len(steps))
    for early in range(late)
    if (steps[early][0], steps[late][0]) not in MAY_BE_ONE
]


@pytest.fixture
def memory() -> MemoryHouse:
    given = house("roulette-ua")
    open_table(given, "R1", "roulette-ua")
    return given


def refusal(do: Callable[[], Any]) -> str:
    with pytest.raises(Refusal) as refused:
        do()
    return refused.value.code


@pytest.mark.parametrize(
    ("steps", "early", "late"), PAIRS, ids=[f"{steps[early][0]}, {steps[late][0]}" for steps, early, late in PAIRS]
)
def test_one_person_in_two_steps_is_refused(memory: MemoryHouse, steps: list[Step], early: int, late: int) -> None:
    names: dict[str, str] = {}
    for number, (_, role, do) in enumerate(steps[:late]):
        do(memory, names, "both" if number == early else f"person{number}", role)
    before = len(memory.log)
    _, role, do = steps[late]
    assert refusal(lambda: do(memory, names, "both", role)) == "same_person"
    assert len(memory.log) == before


STRANGERS = [
    (steps, at, role)
    for steps in (SLIP, CREDIT, COUNT, COUNT_CORRECTION)
    for at in range(1, len(steps))
    for role in ROLES
    if role != steps[at][1]
]


@pytest.mark.parametrize(
    ("steps", "at", "role"), STRANGERS, ids=[f"{steps[at][0]}, {role}" for steps, at, role in STRANGERS]
)
def test_a_step_in_another_role_is_refused(memory: MemoryHouse, steps: list[Step], at: int, role: str) -> None:
    names: dict[str, str] = {}
    for number, (_, own, do) in enumerate(steps[:at]):
        do(memory, names, f"person{number}", own)
    assert refusal(lambda: steps[at][2](memory, names, "another", role)) == "role_required"


@pytest.mark.parametrize("role", [role for role in ROLES if role != "cashier"])
def test_only_the_cage_voids_a_slip_and_never_its_requester(memory: MemoryHouse, role: str) -> None:
    names: dict[str, str] = {}
    _request(memory, names, "sue", "supervisor")
    void = partial(slips.void, slip_id=names["slip"], command=VoidSlip(reason="wrong chips"))
    assert refusal(lambda: memory.do(void, "sven", role)) == "role_required"
    assert refusal(lambda: memory.do(void, "sue", "cashier")) == "same_person"


def test_who_proposes_a_correction_does_not_agree_to_it_in_any_role(memory: MemoryHouse) -> None:
    spin = record(ruleset="roulette-ua", bets=[{"player": "A", "on": "red", "amount": 1000}], result=16)
    round_id = memory.do(partial(rounds.play_record, table="R1", record=spin), "dora", "terminal")["round"]
    right = RightPayment(box=1, kind="red", paid=1_050)
    command = ProposeCorrection(round=round_id, reason="a chip was left out", payments=(right,))
    asked = memory.do(partial(corrections.propose, table="R1", command=command), "sue")
    agree = partial(approvals.decide, approval=asked["approval"], command=DecideApproval(decision="approve"))
    for role in ROLES:
        assert refusal(lambda role=role: memory.do(agree, "sue", role)) in {"same_person", "role_required"}  # type: ignore[misc]
    for role in (role for role in ROLES if role != "supervisor"):
        assert refusal(lambda role=role: memory.do(agree, "sven", role)) == "role_required"  # type: ignore[misc]
    memory.do(agree, "sven", "supervisor")


Act = Callable[[Work], Reply]
"""What the first of two people does, and what the second then must not be the same person for."""


def _asked(first: Act, second: Callable[[str], Act]) -> Callable[[MemoryHouse, str, str, str], Act]:
    def prepared(memory: MemoryHouse, actor: str, role: str, name: str = "approval") -> Act:
        return second(str(memory.do(first, actor, role).get(name, "")))

    return prepared


def _agreed(approval: str) -> Act:
    return partial(approvals.decide, approval=approval, command=DecideApproval(decision="approve"))


def _ruling(work: Work) -> Reply:
    payments = (OrderedPayment(1, 500),)
    ruling = MakeRuling(ruling="paid in good will", reason="a guest was misled", payments=payments)
    return corrections.propose_ruling(work, "R1", ruling)


def _adjustment(work: Work) -> Reply:
    command = AdjustFigure(session="R2-2026-03-14-1", figure="fills", amount=5, reason="misread")
    return adjustments.adjust_figure(work, "2026-03-14", command)


def _rules(work: Work) -> Reply:
    return money_rules.propose(work, ProposeRules(valid_from="2026-02-01", reason="the spring"))


HALF = (Chips(2_500, 200),)
COUNTED = CountWindow(cash=HALF, chips=HALF)
TWO_PEOPLE: dict[str, tuple[str, str, Callable[[MemoryHouse, str, str, str], Act]]] = {
    "a ruling": ("supervisor", "supervisor", _asked(_ruling, _agreed)),
    "an audit adjustment": ("finance", "finance", _asked(_adjustment, _agreed)),
    "money rules": ("finance", "finance", _asked(_rules, _agreed)),
    "the closing and the audit of a day": (
        "finance",
        "finance",
        _asked(
            partial(days.close_day, day="2026-03-13", _command=CloseDay()),
            lambda _: partial(days.audit_day, day="2026-03-13", command=AuditDay()),
        ),
    ),
    "a handover": (
        "cashier",
        "cashier",
        _asked(
            partial(cage.offer, window="W1", command=COUNTED),
            lambda _: partial(cage.take_over, window="W1", command=COUNTED),
        ),
    ),
}


@pytest.fixture
def busy() -> MemoryHouse:
    """R1 is open, R2 was; the day before is over; `both` works W1."""
    given = house("roulette-ua")
    windows = (Window("W1", "EUR", 1_000_000),)
    command = ProposeRules(valid_from="2026-01-01", windows=windows, reason="the cage opens")
    asked = given.do(lambda w: money_rules.propose(w, command), "ada", "admin")
    given.do(_agreed(asked["approval"]), "zoe", "finance")
    for table in ("R1", "R2"):
        open_table(given, table, "roulette-ua")
    given.do(partial(tables.close_table, table="R2", command=CloseTable(closer=CHIPS)))
    opening = OpenWindow(cash=HALF, chips=HALF, gaming_day="2026-03-14")
    given.do(partial(cage.open_window, window="W1", command=opening), "both", "cashier")
    return given


@pytest.mark.parametrize("what", TWO_PEOPLE)
def test_two_people_it_takes(busy: MemoryHouse, what: str) -> None:
    first, second, prepared = TWO_PEOPLE[what]
    if "day" in what:
        busy.do(lambda w: days.open_day(w, OpenDay(day="2026-03-13")))
    act = prepared(busy, "both", first, "approval")
    before = len(busy.log)
    assert refusal(lambda: busy.do(act, "both", second)) == "same_person"
    assert len(busy.log) == before
    busy.do(act, "another", second)


def test_every_duty_is_of_known_roles_and_the_cage_counts_no_drop() -> None:
    assert all(roles and roles <= set(ROLES) for roles in DUTIES.values())
    assert "cashier" not in DUTIES["count a drop box"] | DUTIES["receive a drop box"] | DUTIES["close the day"]
    assert not DUTIES["mount a drop box"] & DUTIES["count a drop box"]
