"""Each gaming day's sums against sums made here of the log itself: several levels, interleaved days, a limit."""

from __future__ import annotations

import random
from collections import Counter

import psycopg

from domain.engine.jackpot import Prize
from domain.events.base import Event
from domain.events.jackpot import JackpotContributed, JackpotHit
from domain.events.outcome import StakeTaken
from domain.events.progressive import LevelTerms, LimitImposed, ProgressiveOpened
from domain.money import MICRO
from domain.progressive.folding import fold
from projections.reads import jackpot_days, progressives
from tests.projections.conftest import FoldAll
from tests.projections.logs import Log, Pool, Table

LEVELS = (
    LevelTerms(level=1, seed=50_000, increment_ppm=145_000, reserve_ppm=10_000),
    LevelTerms(level=2, seed=2_000, increment_ppm=333_333),
)
DAYS = ("2026-03-13", "2026-03-14")


class Pair(Pool):
    """A progressive of two levels; the second has a limit that the play passes."""

    def __init__(self, log: Log) -> None:
        self.log, self.name, self.terms, self.meters, self.due = log, "pair", LEVELS, {}, []
        opened = ProgressiveOpened(
            progressive="pair", currency="EUR", levels=LEVELS, fixed_prizes_from="meter", approval="progressive.pair.1"
        )
        limited = LimitImposed(progressive="pair", level=2, limit=2_100, reason="posted", approval="progressive.pair.2")
        for event in (opened, limited):
            fold(self.meters, event)
            log.add("progressive/pair", event, gaming_day=DAYS[0])


def _log() -> Log:
    """Two tables on two gaming days at once, as tables roll one by one."""
    dice, log = random.Random(7), Log()
    pool = Pair(log)
    tables = [Table(log, f"T{n}", DAYS[n % 2], progressive="pair") for n in range(2)]
    for number in range(400):
        table, stake = tables[number % 2], dice.choice((50, 51, 100))
        round_id = f"{table.name}-{number}"
        events: list[Event] = [
            StakeTaken(round=round_id, kind="jackpot", amount=stake, clause="C", reason="always", box=1),
            pool.contribution(round_id, 1, stake),
        ]
        fold(pool.meters, events[1])
        luck = dice.random()
        if luck < 0.03:
            events += pool.hit(Prize(1, "P", "royal flush", "C.8", MICRO, None, 1), round_id)
        elif luck < 0.1:
            events += pool.hit(Prize(1, "P", "straight flush", "C.8", MICRO // 10, None, 2), round_id)
        elif luck < 0.3:
            events += pool.hit(Prize(1, "P", "flush", "C.8", None, 150, 1), round_id)
        log.add(table.stream, *events, gaming_day=table.day)
    return log


def test_every_day_and_level_adds_up(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = _log()
    log.write(conn)
    fold_all()
    sums: Counter[tuple[str, int, str]] = Counter()
    for _, meta, event in log.events:
        day = meta.gaming_day or ""
        if isinstance(event, JackpotContributed):
            for level in LEVELS:
                sums[day, level.level, "increments"] += event.stake * level.increment_ppm
                sums[day, level.level, "stakes"] += 1
        elif isinstance(event, JackpotHit):
            sums[day, event.level, "hits"] += 1
            sums[day, event.level, "awards"] += event.award * MICRO if event.charged_to == "meter" else 0
    running = _running(log)
    for day in DAYS:
        found = jackpot_days.reconciliation(conn, "pair", day)
        assert found is not None
        assert found.explained, found
        for level in found.levels:
            assert int(level.increments_u) == sums[day, level.level, "increments"] > 0
            assert int(level.awards_u) == sums[day, level.level, "awards"] > 0
            assert level.stakes == level.stakes_taken == sums[day, level.level, "stakes"] == 200
            assert level.hits == sums[day, level.level, "hits"]
        taken = [one for _, meta, one in log.events if isinstance(one, JackpotHit) and meta.gaming_day == day]
        lowered = [one for one in taken if one.meter_after_u < one.meter_before_u]
        assert len(found.decreases) == len(lowered) > 0
        assert len(found.last_hits) == min(25, len(found.last_hits))
    last = jackpot_days.reconciliation(conn, "pair", DAYS[1])
    assert last is not None
    assert int(last.levels[1].overflowed_u) > 0
    for level in last.levels:
        meter = running.levels[level.level]
        assert (level.meter_end_u, level.base_end_u) == (str(meter.display_u), str(meter.base_u))
        assert (level.reserve_end_u, level.rest_end_u) == (str(meter.reserve_u), str(meter.overflow_u))
        assert level.liability_end_u == str(meter.held_u - meter.base_u)


def _running(log: Log):  # type: ignore[no-untyped-def]
    meters: dict[str, object] = {}
    for _, _, event in log.events:
        fold(meters, event)  # type: ignore[arg-type]
    return meters["pair"]


def test_a_stake_that_no_meter_heard_of_is_found(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = _log()
    stream = next(stream for stream, _, event in log.events if isinstance(event, StakeTaken))
    lost = StakeTaken(round="T0-x", kind="jackpot", amount=50, clause="C", reason="always", box=1)
    log.add(stream, lost, gaming_day=DAYS[0])
    log.write(conn)
    fold_all()
    found = jackpot_days.reconciliation(conn, "pair", DAYS[0])
    assert found is not None
    assert not found.explained
    assert {level.stakes_taken - level.stakes for level in found.levels} == {1}


def test_what_was_asked_and_never_ran_is_told(conn: psycopg.Connection, fold_all: FoldAll) -> None:
    log = _log()
    log.write(conn)
    fold_all()
    life = progressives.progressive(conn, "pair", limit=2)
    assert life is not None
    assert (life.state, [one.event for one in life.changes]) == ("running", ["opened", "limit_imposed"])
    assert life.terms[1].limit == 2_100
    assert progressives.progressive(conn, "x") is None
