"""A level added in the batch of earlier stakes was said to have missed them: a view must not depend on its batches."""

from __future__ import annotations

import psycopg

from domain.events.outcome import StakeTaken
from domain.events.progressive import LevelTerms, ProgressiveOpened, ProgressiveStopped, TermsChanged
from projections.reads import jackpot_days
from tests.projections.conftest import FoldAll, conn, fold_all
from tests.projections.logs import Log, Table

__all__ = ["conn", "fold_all"]
ONE = LevelTerms(level=1, seed=1_000, increment_ppm=500_000)
TWO = LevelTerms(level=2, seed=500, increment_ppm=100_000)
DAY = "2026-03-14"


def test_a_stake_is_heard_of_by_the_levels_that_stood_then(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = Log()
    opened = ProgressiveOpened(
        progressive="p", currency="EUR", levels=(ONE,), fixed_prizes_from="house", approval="progressive.p.1"
    )
    log.add("progressive/p", opened, gaming_day=DAY)
    table = Table(log, "T1", DAY, progressive="p")
    stake = StakeTaken(round="T1-1", kind="jackpot", amount=50, clause="C", reason="always", box=1)
    log.add(table.stream, stake, gaming_day=DAY)
    log.add("progressive/p", ProgressiveStopped(progressive="p", reason="two levels"), gaming_day=DAY)
    changed = TermsChanged(
        progressive="p",
        levels=(ONE, TWO),
        fixed_prizes_from="house",
        same_deal="box_order",
        reason="two levels",
        approval="progressive.p.2",
    )
    log.add("progressive/p", changed, gaming_day=DAY)
    log.write(conn)
    fold_all()
    found = jackpot_days.reconciliation(conn, "p", DAY)
    assert found is not None
    assert [(one.level, one.stakes_taken) for one in found.levels] == [(1, 1), (2, 0)]
