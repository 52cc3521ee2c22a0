"""Late events of a real floor: they belong to the day of their business time, and every figure still adds up."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import msgspec
import psycopg
import pytest

from domain.acts import days, progressives, rounds, tables
from domain.commands import (
    CloseDay,
    CloseTable,
    DecideApproval,
    OpenDay,
    OpenShift,
    OpenTable,
    ProposeProgressive,
)
from domain.events.base import Chips, Meta
from domain.events.chips import BuyIn
from domain.events.late import LateReckoned
from projections.catch_up import run_until
from projections.check import check
from projections.check.examiner import Seen
from projections.check.sessions import SessionExaminer
from projections.reads.compared import compare
from projections.reads.days import gaming_days
from projections.reads.exceptions import exceptions
from projections.reads.explain import figure, journal_line
from projections.reads.hold import hold
from projections.reads.jackpot_hits import hits
from projections.reads.journal import journal
from projections.reads.known import known, learned
from tests.databases import Databases
from tests.given.scenes import record
from tests.money.floor import Floor, conn_of, floor_on, name_of

MICRO = 1_000_000
SUMS = ("win", "drop", "handle", "taken", "paid", "over_short", "rounds", "fills", "credits", "tips")


@pytest.fixture
def floor(databases: Databases) -> Iterator[Floor]:
    yield from floor_on(databases)


@pytest.fixture
def conn(floor: Floor) -> Iterator[psycopg.Connection[Any]]:
    yield from conn_of(floor)


def adds_up(conn: psycopg.Connection[Any]) -> None:
    """Hours, tables, sessions and shifts of a day, and days of the whole; win by chips and by play; the books."""
    whole = dict.fromkeys(SUMS, 0)
    won: Counter[str] = Counter()
    for line in journal(conn).lines:
        if line.account in ("over_short", "drop_difference") or line.account.startswith("win."):
            won[line.gaming_day] -= line.amount_u
    for day in hold(conn, by="day").rows:
        assert day.gaming_day is not None
        for by in ("hour", "table", "session", "shift"):
            rows = hold(conn, by=by, gaming_day=day.gaming_day).rows
            for name in SUMS:
                assert sum(getattr(row, name) for row in rows) == getattr(day, name), (day.gaming_day, by, name)
        assert day.win == day.drop + day.closer + day.credits - day.opener - day.fills  # type: ignore[operator]
        assert won[day.gaming_day] == (day.win or 0) * MICRO
        for name in SUMS:
            whole[name] += getattr(day, name)
        (explained,) = figure(conn, "win", gaming_day=day.gaming_day).rows
        assert explained.value == explained.total == day.win
        assert known(conn, day.gaming_day).rows[-1].win == day.win
        for row in hold(conn, by="hour", gaming_day=day.gaming_day).rows:
            for name in ("win", "drop", "over_short", "handle", "buy_ins"):
                (part,) = figure(conn, name, gaming_day=day.gaming_day, hour=row.hour).rows
                assert part.value == part.total == getattr(row, name), (row.hour, name)
    (everything,) = hold(conn, by="all").rows
    assert whole == {name: getattr(everything, name) for name in SUMS}


def test_a_late_round_belongs_to_the_closed_day_and_moves_no_win_that_was_counted(
    floor: Floor, conn: psycopg.Connection[Any]
) -> None:
    spin = record(ruleset="roulette-ua", bets=[{"player": "A", "on": "red", "amount": 1_000}], result=17)
    play = partial(rounds.play_record, table="R1", record=spin)
    floor.do(play, "dora", "terminal")
    floor.now += timedelta(minutes=70)
    at = floor.now  # a second such round is played, and its record is lost on the way
    floor.tray["R1"] += 2_000
    floor.now += timedelta(hours=3)
    floor.do(lambda w: days.open_day(w, OpenDay(day=name_of(1))), "sue", "supervisor")
    for table in floor.names:
        floor.roll(table, roll_to=name_of(1))
        floor.count(floor.boxes[table])
        floor.mount(table)
    closed = floor.do(lambda w: days.close_day(w, name_of(0), CloseDay()), "finn", "finance")
    run_until(floor.url)
    (before,) = hold(conn, by="day", gaming_day=name_of(0)).rows
    assert (before.win, before.over_short, before.handle) == (2_000, 1_000, 1_000)
    done = floor.do(play, "dora", "terminal", at)
    for table in floor.names:
        floor.roll(table)
    run_until(floor.url)
    (after,) = hold(conn, by="day", gaming_day=name_of(0)).rows
    assert (after.win, after.over_short, after.handle, after.taken) == (2_000, 0, 2_000, 2_000)
    (following,) = hold(conn, by="day", gaming_day=name_of(1)).rows
    assert (following.win, following.over_short, following.handle) == (0, 0, 0)
    hours = {row.hour: (row.handle, row.win) for row in hold(conn, by="hour", gaming_day=name_of(0)).rows}
    assert hours[at.replace(minute=0, second=0)] == (1_000, 1_000)

    found = learned(conn, name_of(0))
    assert found is not None
    assert found.fixed_at == closed["position"]
    whole = {d.figure: d.difference for d in found.differences if d.table is None}
    assert whole == {"rounds": 1, "handle": 1_000, "taken": 1_000, "over_short": -1_000}
    assert known(conn, name_of(0), at_position=closed["position"]).rows == found.fixed
    assert known(conn, name_of(0), at_position=done["position"]).rows == found.now
    assert [day.state for day in gaming_days(conn).rows] == ["open", "closed"]
    compared = compare(conn, closed["position"], done["position"])
    assert [day.gaming_day for day in compared.days] == [name_of(0)]
    assert all(change.explained for change in compared.days[0].changes)
    played = conn.execute(
        "SELECT gaming_day, session FROM views.rounds WHERE first_position > %s", (closed["position"],)
    )
    assert played.fetchall() == [(name_of(0), f"R1-{name_of(1)}-2")]
    late = [row for row in exceptions(conn, now=floor.now).rows if row.code == "late_event"]
    assert [(row.gaming_day, row.table) for row in late] == [(name_of(0), "R1")]
    line = journal_line(conn, gaming_day=name_of(0), currency="EUR", entry="late events", account="over_short")
    assert line is not None
    assert line.value == line.total == 1_000 * MICRO


def night(floor: Floor, dice: random.Random, number: int, waiting: list[Callable[[], None]]) -> None:
    """Two shifts; some of what happens is recorded later, at some table's next session or a day after."""
    for step in range(14):
        floor.now += timedelta(minutes=dice.randrange(20, 50))
        if step == 7 and number != 1:
            floor.do(lambda w: days.open_shift(w, name_of(number), OpenShift(shift="2")), "sue", "supervisor")
            floor.roll_all(dice, roll_shift="2")
        late = floor.happens(dice.choice(floor.names), dice, recorded=dice.random() < 0.6)
        waiting += [late] if late is not None else []
        dice.shuffle(waiting)
        while waiting and dice.random() < 0.3:
            waiting.pop()()
    following = name_of(number + 1)
    floor.do(lambda w: days.open_day(w, OpenDay(day=following)), "sue", "supervisor")
    floor.roll_all(dice, roll_to=following)
    floor.day = following
    if number != 1:
        floor.do(lambda w: days.close_day(w, w.house().days.not_closed()[0], CloseDay()), "finn", "finance")


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_late_hours_make_days_and_days_the_whole(
    floor: Floor, conn: psycopg.Connection[Any], seed: int
) -> None:
    dice = random.Random(seed)
    waiting: list[Callable[[], None]] = []
    for number in range(3):
        night(floor, dice, number, waiting)
    for late in waiting:
        late()
    floor.roll_all(dice)
    for drop in floor.uncounted:
        floor.count(drop)
    run_until(floor.url)
    adds_up(conn)
    for row in hold(conn, by="day").rows:
        assert (row.win, row.handle) == (floor.won[row.gaming_day or ""], floor.staked[row.gaming_day or ""])
        assert row.drop == floor.dropped[row.gaming_day or ""] == row.buy_ins
        assert row.over_short == floor.off[row.gaming_day or ""]
    found = check(floor.url, jobs=2)
    assert [identity for identity in found["identities"] if not identity["ok"]] == []
    assert next(i for i in found["identities"] if i["name"] == "late_reckoned")["detail"] != "0 saves of late events"
    closed = [learned(conn, name_of(number)) for number in (0, 1)]
    for day in closed:
        assert day is not None
        assert day.fixed_at is not None
        assert known(conn, day.gaming_day, at_position=day.fixed_at).rows == day.fixed
    last = known(conn, name_of(0)).position
    assert all(change.explained in {True, None} for day in compare(conn, 1, last).days for change in day.changes)


def test_a_late_round_with_a_jackpot_hit_moves_the_meter_now_and_is_booked_on_its_day(
    floor: Floor, conn: psycopg.Connection[Any]
) -> None:
    """The meter is a fold of the log in its order: the award is what it holds now, whenever the round was dealt."""
    level = {"level": 1, "seed": 1_000_000, "increment_ppm": 700_000, "reserve_ppm": 50_000}
    proposal = msgspec.convert({"id": "main", "currency": "EUR", "levels": [level]}, ProposeProgressive)
    asked = floor.do(lambda w: progressives.propose(w, proposal), "ada", "admin")
    yes = DecideApproval(decision="approve")
    floor.do(lambda w: progressives.decide(w, asked["approval"], yes), "finn", "finance")
    chips = (Chips(50, 10_000),)
    terms = {"currency": "EUR", "chip": 50, "min": 500, "max": 20_000, "opener": chips, "progressive": "main"}
    command = OpenTable(ruleset="caribbean-ee-ak", **terms)  # type: ignore[arg-type]
    floor.do(partial(tables.open_table, table="C1", command=command), "sue", "supervisor")
    box = {"box": 1, "player": "A", "ante": 1_000, "jackpot": 50, "play": [{"do": "bet"}]}
    dealer = {"cards": "Ah Kc 8c 7s 3h"}
    lost = record(ruleset="caribbean-ee-ak", boxes=[{**box, "cards": "9s 8d 6c 4h 2c"}], dealer=dealer)
    royal = record(ruleset="caribbean-ee-ak", boxes=[{**box, "cards": "As Ks Qs Js Ts"}], dealer=dealer)
    floor.now += timedelta(hours=1)
    at = floor.now
    floor.now += timedelta(hours=1)
    floor.do(lambda w: days.open_day(w, OpenDay(day=name_of(1))), "sue", "supervisor")
    roll = CloseTable(closer=chips, roll_to=name_of(1))
    floor.do(partial(tables.close_table, table="C1", command=roll), "sue", "supervisor")
    floor.do(partial(rounds.play_record, table="C1", record=lost), "dora", "terminal")
    floor.do(partial(rounds.play_record, table="C1", record=royal), "dora", "terminal", at)
    floor.do(partial(tables.close_table, table="C1", command=CloseTable(closer=chips)), "sue", "supervisor")
    run_until(floor.url)
    found = check(floor.url, jobs=1)
    assert [identity for identity in found["identities"] if not identity["ok"]] == []
    (hit,) = hits(conn).hits
    assert (hit.award, hit.gaming_day) == (1_000_070, name_of(0))
    booked = {line.gaming_day for line in journal(conn).lines if line.entry == "jackpot contributions"}
    assert booked == {name_of(0), name_of(1)}
    handles = {row.gaming_day: row.handle for row in hold(conn, by="day", table="C1").rows}
    assert handles == {name_of(0): 3_050, name_of(1): 3_050}


@pytest.mark.parametrize(
    ("tray", "of", "ok"), [(-500, "table/T1/a/1", True), (500, "table/T1/a/1", False), (-500, "table/T1/b/1", False)]
)
def test_the_check_notices_a_reckoning_that_is_not_of_its_events(tray: int, of: str, *, ok: bool) -> None:
    examiner, stream = SessionExaminer(), "table/T1/b/2"
    at = datetime(2026, 3, 14, tzinfo=UTC)
    meta = Meta(event_id="e", site="main", happened_at=at, actor="dora", late=True, belongs_to="table/T1/a/1")
    reckoned = LateReckoned(session="s", session_stream=of, counted_at=at, tray=tray, events=1)
    for position, event in enumerate((BuyIn(player="A", amount=500, tender="cash"), reckoned), 1):
        examiner.take(Seen(position, stream, position, meta, event), None)  # type: ignore[arg-type]
    verdicts = {identity["name"]: identity["ok"] for identity in examiner.verdicts(None)}  # type: ignore[arg-type]
    assert verdicts["late_reckoned"] is ok


def test_the_check_notices_late_events_that_are_not_reckoned() -> None:
    examiner, at = SessionExaminer(), datetime(2026, 3, 14, tzinfo=UTC)
    meta = Meta(event_id="e", site="main", happened_at=at, actor="dora", late=True, belongs_to="table/T1/a/1")
    bought = BuyIn(player="A", amount=500, tender="cash")
    examiner.take(Seen(1, "table/T1/b/2", 1, meta, bought), None)  # type: ignore[arg-type]
    assert not examiner.verdicts(None)[-1]["ok"]  # type: ignore[arg-type]
