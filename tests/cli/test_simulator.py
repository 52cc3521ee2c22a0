"""What the simulator puts into the log: everything the sheets offer, the same for the same seed, beside other runs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import msgspec
import psycopg
import pytest

from api.cli.floor import all_games
from api.cli.publish import publish_shipped
from api.simulator import run
from api.simulator.claim import claimed
from domain.application import Application
from domain.codec import decode
from domain.events import chips, jackpot, outcome, play, progressive, session, slips
from domain.events.base import Event
from tests.databases import Database, Databases

SIMULATED: tuple[type[Event], ...] = (
    *(play.AntePlaced, play.BonusPlaced, play.JackpotStaked, play.WagerPlaced, play.SwapFeePlaced, play.CardsSwapped),
    *(play.BuyFeePlaced, play.SixthCardBought, play.InsurancePlaced, play.BetPlaced, play.HandFolded),
    *(play.BoardDealt, play.DealerRevealed, play.DealerCardFeePlaced, play.DealerCardDeclined, play.DealerCardsDrawn),
    *(play.NumberCalled, play.NoSpinCalled, play.MisdealCalled),
    *(outcome.StakeTaken, outcome.StakeReturned, outcome.PayoutMade, outcome.RoundVoided, outcome.RoundClosed),
    *(jackpot.JackpotContributed, jackpot.JackpotHit, jackpot.JackpotPaid, progressive.ProgressiveOpened),
    *(session.SessionOpened, session.SessionClosed, chips.BuyIn, chips.TipDropped, chips.FillReceived),
    *(chips.CreditSent, slips.SlipRequested, slips.SlipReceived),
)


def simulate(database: Database, *, rulesets: list[str] | None = None, **options: int) -> dict[str, Any]:
    with Application(database.url, site="test") as application:
        publish_shipped(application, actor="test")
    wanted = {"tables": 9, "rounds": 90, "seed": 5} | options
    return run.simulate(database.url, "test", rulesets or all_games(), **wanted)


def log_of(database: Database) -> Iterator[tuple[str, Event]]:
    with psycopg.connect(database.url) as conn:
        log = "SELECT originator_id, topic, state FROM pitclerk_events ORDER BY notification_id"
        rows = conn.execute(log).fetchall()
    return ((stream, decode(topic, bytes(state))[1]) for stream, topic, state in rows)


@contextmanager
def two(databases: Databases) -> Iterator[tuple[Database, Database]]:
    with databases.fresh() as one, databases.fresh() as other:
        yield one, other


def test_every_act_of_players_and_staff_is_simulated(pg: Database) -> None:
    report = simulate(pg, rounds=1500, tables=18)
    seen = Counter(type(event) for _, event in log_of(pg))
    assert [cls.__name__ for cls in SIMULATED if not seen[cls]] == []
    assert seen[outcome.RoundClosed] == report["rounds"] == 1500
    sources = Counter((e.source, e.shoe) for _, e in log_of(pg) if isinstance(e, play.RoundOpened))
    assert {("record", "external"), ("live", "house"), ("live", "external")} <= set(sources)
    assert any(e.blind for _, e in log_of(pg) if isinstance(e, play.AntePlaced))
    assert any(e.unit for _, e in log_of(pg) if isinstance(e, play.WagerPlaced))


def test_the_same_seed_gives_the_same_events(databases: Databases) -> None:
    with two(databases) as (one, other):
        assert {**simulate(one), "seconds": 0} == {**simulate(other), "seconds": 0}
        same = zip(log_of(one), log_of(other), strict=True)
        assert [(a, b) for a, b in same if a != b] == []


def test_another_seed_gives_other_events(databases: Databases) -> None:
    with two(databases) as (one, other):
        simulate(one, seed=1)
        simulate(other, seed=2)
        assert list(log_of(one)) != list(log_of(other))


def test_runs_at_once_share_the_log_and_the_jackpot(pg: Database) -> None:
    simulate(pg, rounds=9)  # the sheets are published
    with ThreadPoolExecutor(3) as pool:
        seeds = (7, 7, 8)  # two of one seed as well
        reports = list(pool.map(lambda seed: simulate(pg, seed=seed, rounds=40, tables=5), seeds))
    assert [report["rounds"] for report in reports] == [40, 40, 40]
    opened = [e for _, e in log_of(pg) if isinstance(e, progressive.ProgressiveOpened)]
    assert len({e.progressive for e in opened}) == len(opened), "a progressive is opened once"
    tables = [e.table for _, e in log_of(pg) if isinstance(e, session.SessionOpened)]
    assert len(tables) == len(set(tables))


def test_a_second_run_of_a_seed_takes_its_tables_up_again(pg: Database) -> None:
    simulate(pg)
    simulate(pg)
    numbers = {(e.table, e.number) for _, e in log_of(pg) if isinstance(e, session.SessionOpened)}
    assert {number for _, number in numbers} >= {1, 2}


def test_what_a_killed_run_left_open_is_cleared(pg: Database) -> None:
    def kill(_rounds: int) -> None:
        raise InterruptedError

    with Application(pg.url, site="test") as application:
        publish_shipped(application, actor="test")
    with pytest.raises(InterruptedError):
        run.simulate(pg.url, "test", ["russian-ua"], tables=2, rounds=3000, seed=5, played=kill)
    report = simulate(pg, rulesets=["russian-ua"], tables=2, rounds=20)
    assert report["rounds"] == 20
    events = [event for _, event in log_of(pg)]
    opened = sum(isinstance(e, session.SessionOpened) for e in events)
    assert opened == sum(isinstance(e, session.SessionClosed) for e in events)


def test_a_claim_falls_with_its_holder(pg: Database) -> None:
    with claimed(pg.url, "5") as first, claimed(pg.url, "5") as second:
        assert (first, second) == ("5", "5a")
    with claimed(pg.url, "5") as again:
        assert again == "5"


def test_an_unknown_ruleset_is_named(pg: Database) -> None:
    with pytest.raises(run.UnknownRulesetError, match="no-such-sheet"):
        simulate(pg, rulesets=["no-such-sheet"])


def test_reports_are_plain_json(pg: Database) -> None:
    assert json.loads(msgspec.json.encode(simulate(pg, rounds=9)))["rounds"] == 9
