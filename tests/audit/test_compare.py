"""Time travel: a table at a moment, and what two moments of knowledge differ by, down to who and why."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec
import psycopg
import pytest

from domain.acts import corrections
from domain.application import Application
from domain.commands import DecideApproval, ProposeCorrection
from domain.events.count import BoxMounted, BoxSettled
from projections.catch_up import run_until
from projections.connect import connector
from projections.reads import compared
from projections.reads.compared import Changed, Comparison, TooMuchError, compare
from tests.application.scenes import THREE, begin, do, play
from tests.cli.conftest import Played
from tests.cli.program import pitclerk
from tests.databases import Database, Databases
from tests.projections.logs import Log, night

DAY = "2026-03-14"


@pytest.fixture(scope="module")
def floor(databases: Databases) -> Iterator[tuple[psycopg.Connection[Any], Log]]:
    log = night(3, tables=3, rounds=60)
    with databases.fresh() as database, connector(database.superuser_url)() as conn:
        log.write(conn)
        run_until(database.url)
        yield conn, log


def _figure(found: Comparison, figure: str, table: str | None = None) -> Changed:
    (day,) = found.days
    return next(one for one in day.changes if (one.figure, one.table) == (figure, table))


def test_every_known_difference_is_explained_to_the_cent(floor: tuple[psycopg.Connection[Any], Log]) -> None:
    conn, log = floor
    head = len(log.events)
    differing = 0
    for first, second in ((20, head // 2), (head // 3, head // 3 + 40), (head // 2, head)):
        for day in compare(conn, first, second).days:
            for one in day.changes:
                differing += 1
                assert one.explained is not False, one
                if one.difference is not None:
                    assert one.explained or any(cause.amount is None for cause in one.causes), one
    assert differing > 20


def test_the_same_moment_differs_in_nothing(floor: tuple[psycopg.Connection[Any], Log]) -> None:
    conn, log = floor
    assert compare(conn, 100, 100).days == []
    assert compare(conn, 1, len(log.events), day="1999-01-01").days == []


def test_the_parts_of_a_round_are_one_cause(floor: tuple[psycopg.Connection[Any], Log]) -> None:
    conn, log = floor
    handle = _figure(compare(conn, 50, len(log.events), day=DAY), "handle", "T01")
    rounds = [cause.round for cause in handle.causes]
    assert len(rounds) == len(set(rounds))
    assert all(cause.events > 1 and cause.actor == "dealer-1" for cause in handle.causes)


def test_a_closer_makes_the_win_known(floor: tuple[psycopg.Connection[Any], Log]) -> None:
    conn, log = floor
    head = len(log.events)
    win = _figure(compare(conn, head - 2, head), "win", "T02")
    assert (win.first, win.difference, win.explained) == (None, None, None)
    assert win.second is not None
    assert [cause.type for cause in win.causes] == ["table.session_closed"]


def test_lists_are_bounded(floor: tuple[psycopg.Connection[Any], Log], monkeypatch: pytest.MonkeyPatch) -> None:
    conn, log = floor
    monkeypatch.setattr(compared, "MOST_CAUSES", 3)
    handle = _figure(compare(conn, 1, len(log.events)), "handle")
    assert len(handle.causes) == 3
    assert handle.more > 0
    assert handle.explained, "the sum is over all of them"
    monkeypatch.setattr(compared, "MOST_EVENTS", 10)
    with pytest.raises(TooMuchError, match="narrow"):
        compare(conn, 1, len(log.events))
    monkeypatch.setattr(compared, "MOST_DAYS", 0)
    with pytest.raises(TooMuchError, match="name a day"):
        compare(conn, 1, len(log.events))


def test_a_late_count_is_a_cause(databases: Databases) -> None:
    log = night(5, tables=1, rounds=10)
    table = log.events[1][0]
    place = {"drop": "d1", "table": "T01", "session": "s", "session_stream": table, "currency": "EUR"}
    log.add(f"count/{DAY}/1", BoxMounted(number=1, box="b", **place))
    before = len(log.events)
    bought = sum(event.amount for _, _, event in log.events if event.TOPIC == "table.buy_in")  # type: ignore[attr-defined]
    log.add(f"count/{DAY}/1", BoxSettled(total=bought + 700, difference=700, **place))
    with databases.fresh() as database, connector(database.superuser_url)() as conn:
        log.write(conn)
        run_until(database.url)
        found = compare(conn, before, before + 1)
    drop = _figure(found, "drop", "T01")
    assert (drop.difference, drop.explained) == (700, True)
    assert [cause.type for cause in drop.causes] == ["count.box_settled"]
    counted = _figure(found, "counted_drop", "T01")
    assert (counted.first, counted.second) == (None, bought + 700)
    assert [cause.type for cause in counted.causes] == ["count.box_settled"]


def test_a_correction_is_told_with_who_and_why(pg: Database) -> None:
    with Application(pg.url, site="test") as app:
        begin(app)
        round_id = play(app, "C1", THREE)["round"]
        before = play(app, "C1", THREE)["position"]
        payment = {"box": 1, "kind": "ante", "paid": 150}
        proposal = {"round": round_id, "payments": [payment], "reason": "paid short"}
        wanted = msgspec.convert(proposal, ProposeCorrection)
        asked = do(app, partial(corrections.propose, table="C1", command=wanted), "sue")
        yes = DecideApproval(decision="approve")
        after = do(app, partial(corrections.decide, approval=asked["approval"], command=yes), "sam")["position"]
    run_until(pg.url)
    with connector(pg.url)() as conn:
        paid = _figure(compare(conn, before, after), "paid", "C1")
    assert (paid.difference, paid.explained) == (50, True)
    (cause,) = paid.causes
    assert (cause.type, cause.round, cause.why) == ("table.amount_corrected", round_id, "paid short")
    assert (cause.actor, cause.approver, cause.amount) == ("sam", "sam", 50)


def test_the_commands_take_positions_and_times(played: Played) -> None:
    home, position = played.home, played.report["position"]
    found = pitclerk("compare", "--at", str(position // 2), "--and", str(position), "--json", home=home).json()
    assert (found["first"], found["second"]) == (position // 2, position)
    assert found["days"]
    told = pitclerk("compare", "--at", str(position // 2), "--and", str(position), home=home)
    assert "handle" in told.out
    assert pitclerk("compare", "--at", "9", "--and", "3", home=home).status == 2
    assert pitclerk("compare", "--at", "noon", "--and", "3", home=home).status == 2
    event = pitclerk("search", "--type", "table.round_closed", "--limit", "3", "--json", home=home).json()["rows"][2]
    when = [event["table"], event["recorded_at"]]
    by_time = pitclerk("state", "--table", when[0], "--at", when[1], "--json", home=home).json()
    by_position = pitclerk("state", "--table", when[0], "--at", str(by_time["position"]), "--json", home=home).json()
    assert by_time == by_position
    assert by_time["position"] >= event["position"]
    assert pitclerk("state", "--table", when[0], "--at", "2000-01-01T00:00:00Z", home=home).status == 2
