"""Win, whatever happens at a table: by chips and by play the same, and moved by nothing that is not win."""

from __future__ import annotations

import random
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.postings import MICRO, legs
from projections.day_fold import FOLD_TOPICS, DayFold, Group
from projections.explaining import FIGURES, part_of, value_of
from projections.figures import by_chips
from projections.log_reader import Batch, RawRow
from tests.money.boxes import Boxes
from tests.projections.logs import Log, Table

AMOUNT = st.integers(0, 500_000)
EDGE = st.tuples(st.sampled_from(["fill", "credit", "buy_in", "round", "void"]), AMOUNT)
EVENING = st.lists(EDGE, max_size=12)
SEED = st.integers(0, 10_000)
Change = Callable[[Table], None]

unhurried = settings(deadline=None)
"""How long an example takes says nothing: the machine is shared."""


def fold(log: Log) -> tuple[DayFold, list[RawRow]]:
    """The log folded without a database, and its rows."""
    rows: list[RawRow] = [(n, stream, v, topic, state) for n, (stream, v, topic, state, _) in enumerate(log.rows, 1)]
    folded = DayFold()
    for start in range(0, len(rows), 7):  # batches cut anywhere come to the same
        folded.take(Batch(rows[start][0] - 1, rows[start : start + 7], FOLD_TOPICS))
    return folded, rows


def evening(  # noqa: PLR0917  (the drawn values of a property)
    acts: list[tuple[str, int]], opener: int, over: int, seed: int, counted: int | None, more: Change = lambda _: None
) -> tuple[Log, Table]:
    """A table with these acts, its closer `over` what it should be, its box counted or not."""
    log, dice = Log(), random.Random(seed)
    table, boxes = Table(log, opener=opener), Boxes(log)
    box = boxes.mount(table)
    for act, amount in acts:
        if act == "round":
            table.round(dice, 2)
        elif act == "void":
            table.void_round(1)
        else:
            getattr(table, act)(amount)
    more(table)
    table.close(over)
    if counted is not None:
        boxes.settle(box, counted)
    return log, table


def group_of(log: Log) -> Group:
    folded, _ = fold(log)
    return folded.added_up(list(folded.sessions), audited=False)


Case = tuple[list[tuple[str, int]], int, int, int, int | None]
CASE = st.tuples(EVENING, AMOUNT, st.integers(-5_000, 5_000), SEED, st.none() | AMOUNT)


@unhurried
@given(CASE)
def test_win_by_chips_is_win_by_play(case: Case) -> None:
    log, _ = evening(*case)
    group = group_of(log)
    made = group.figures()
    assert made.win == by_chips(group.play.sums, group.extent)
    income = ("over_short",)
    booked = (
        -sum(a for *_, e in log.events for name, a in legs(e) if name in income or name.startswith("win.")) // MICRO
    )
    assert made.win == booked + made.drop - group.play.sums.buy_ins


@unhurried
@given(CASE, AMOUNT)
def test_what_is_added_to_fill_and_closer_alike_changes_no_win(case: Case, x: int) -> None:
    plain, _ = evening(*case)
    filled, _ = evening(*case, lambda table: table.fill(x))  # the closer grows with the tray
    assert group_of(filled).figures().win == group_of(plain).figures().win


@unhurried
@given(CASE, AMOUNT)
def test_what_is_added_to_opener_and_closer_alike_changes_no_win(case: Case, x: int) -> None:
    plain, _ = evening(*case)
    acts, opener, *rest = case
    richer, _ = evening(acts, opener + x, *rest)
    assert group_of(richer).figures().win == group_of(plain).figures().win


@unhurried
@given(CASE, AMOUNT)
def test_a_credit_taken_from_the_closer_changes_no_win(case: Case, x: int) -> None:
    plain, _ = evening(*case)
    credited, _ = evening(*case, lambda table: table.credit(x))
    assert group_of(credited).figures().win == group_of(plain).figures().win


@unhurried
@given(EVENING, AMOUNT, SEED, AMOUNT, st.integers(-900, 900))
def test_over_short_and_the_count_move_win_by_themselves(
    acts: list[tuple[str, int]], opener: int, seed: int, counted: int, by: int
) -> None:
    plain, _ = evening(acts, opener, 0, seed, 1_000 + counted)
    off, _ = evening(acts, opener, by, seed, 1_000 + counted)
    more, _ = evening(acts, opener, 0, seed, 1_000 + counted + by)
    win, with_off, with_more = (group_of(log).figures().win for log in (plain, off, more))
    assert win is not None
    assert (with_off, with_more) == (win + by, win + by)


@unhurried
@given(CASE)
def test_every_figure_is_the_sum_of_its_events(case: Case) -> None:
    log, _ = evening(*case)
    folded, rows = fold(log)
    (session,) = folded.sessions.values()
    group = folded.added_up(list(folded.sessions), audited=False)
    for name in FIGURES:
        parts = sum(part_of(name, session, event, raw) for raw, (*_, event) in zip(rows, log.events, strict=True))
        assert parts == value_of(name, group.play, group.extent, group.figures()), name
