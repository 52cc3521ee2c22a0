"""What if: nothing other gives the same on both sides; another cap, sheet or rate gives what it must."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from domain.acts import rounds
from domain.application import Application
from domain.events.jackpot import JackpotHit
from domain.events.outcome import RoundClosed
from domain.events.play import RoundOpened, SixthCardBought
from domain.ruleset import load_text, shipped
from projections.connect import connector
from projections.whatif import Terms, WhatIf, whatif
from projections.whatif.run import ruleset_of_log
from tests.application.scenes import DEALER, ROYAL, SHEET, begin, do, play
from tests.cli.conftest import Played
from tests.cli.program import pitclerk
from tests.databases import Database, Databases
from tests.given.scenes import record
from tests.projections.real import Rows, play_night

Night = tuple[psycopg.Connection[Any], Rows]


@pytest.fixture(scope="module")
def night(databases: Databases) -> Iterator[Night]:
    with databases.fresh() as database:
        rows = play_night(database, JackpotHit, SixthCardBought)
        with connector(database.url)() as conn:
            yield conn, rows


def _closed(rows: Rows) -> list[RoundClosed]:
    return [event for row in rows if isinstance(event := row.event, RoundClosed)]


def _sums(found: WhatIf, side: str, figure: str) -> int:
    return sum(getattr(getattr(row, side), figure) for row in found.rows)


def test_nothing_other_comes_to_the_same(night: Night) -> None:
    conn, rows = night
    found = whatif(conn, Terms())
    assert [row.recorded for row in found.rows] == [row.whatif for row in found.rows]
    assert all(one.recorded_u == one.whatif_u for one in found.meters)
    assert all(one.recorded_wins == one.whatif_wins for one in found.meters)
    closed = _closed(rows)
    assert found.rounds + found.not_comparable == len(closed)
    assert set(found.reasons) <= {"stopped by a supervisor"}
    left = {one.round for one in found.listed}
    assert _sums(found, "recorded", "win") == sum(e.house_net for e in closed if e.round not in left)


def test_a_lower_cap_pays_less_and_says_what_it_withholds(night: Night) -> None:
    conn, _ = night
    low, none = whatif(conn, Terms(cap=1_000)), whatif(conn, Terms(cap=None))
    assert _sums(low, "whatif", "paid") < _sums(low, "recorded", "paid")
    assert _sums(low, "whatif", "handle") == _sums(low, "recorded", "handle")
    gained = _sums(low, "whatif", "win") - _sums(low, "recorded", "win")
    assert gained == _sums(low, "whatif", "capped") - _sums(low, "recorded", "capped")
    assert _sums(none, "whatif", "capped") == 0


def test_another_rate_moves_the_meter_by_exactly_that(night: Night) -> None:
    conn, _ = night
    found = whatif(conn, Terms(jackpot_ppm=0))
    assert found.meters
    assert _sums(found, "whatif", "handle") == _sums(found, "recorded", "handle")
    for one in found.meters:
        if one.level == 1:
            assert int(one.whatif_contributed_u) < int(one.recorded_contributed_u)


def test_another_sheet_is_for_its_own_games_only(night: Night) -> None:
    conn, rows = night
    found = whatif(conn, Terms(ruleset=shipped("texas-ua")))
    assert {row.ruleset for row in found.rows} == {"texas-ua"}
    assert found.passed_over + found.rounds + found.not_comparable == len(_closed(rows))
    assert [row.recorded for row in found.rows] == [row.whatif for row in found.rows]


def test_a_better_pay_table_pays_more(night: Night) -> None:
    conn, _ = night
    text = shipped("caribbean-ee").text
    assert '"pair" = "1:1"' in text
    found = whatif(conn, Terms(ruleset=load_text(text.replace('"pair" = "1:1"', '"pair" = "2:1"'))))
    row = next(row for row in found.rows if row.ruleset == "caribbean-ee")
    assert row.whatif.paid > row.recorded.paid
    assert row.whatif.handle == row.recorded.handle


def test_rounds_whose_actions_no_longer_fit_are_listed(night: Night) -> None:
    conn, rows = night
    found = whatif(conn, Terms(ruleset=shipped("caribbean-ee")))
    bought = {event.round for row in rows if isinstance(event := row.event, SixthCardBought)}
    assert bought <= {one.round for one in found.listed}
    assert found.not_comparable == len(found.listed)
    assert found.reasons["not_offered"]


def test_bounds_and_filters_choose_the_rounds(night: Night) -> None:
    conn, rows = night
    opened = [(at, row) for at, row in enumerate(rows, 1) if row.topic == RoundOpened.TOPIC]
    at, row = opened[len(opened) // 2]
    _, table, day, _ = row.stream.split("/")
    everything = whatif(conn, Terms(cap=None))
    assert whatif(conn, Terms(cap=None), start=at).rounds < everything.rounds
    assert whatif(conn, Terms(cap=None), stop=at).rounds < everything.rounds
    of_table = sum(r.stream.startswith(f"table/{table}/") and r.topic == RoundClosed.TOPIC for r in rows)
    chosen = whatif(conn, Terms(cap=None), table=table)
    assert chosen.rounds + chosen.not_comparable == of_table
    assert whatif(conn, Terms(cap=None), day=day).rounds <= everything.rounds
    assert whatif(conn, Terms(cap=None), day="1999-01-01").rounds == 0


def test_the_log_is_not_touched(night: Night) -> None:
    conn, rows = night
    whatif(conn, Terms(cap=5, jackpot_ppm=1))
    row = conn.execute("SELECT count(*) FROM pitclerk_events").fetchone()
    assert row == (len(rows),)


def test_an_award_follows_the_other_rate(pg: Database) -> None:
    """Seed 10,000.00; stakes of 0.50 at 70 % then at nothing: a royal flush wins the meter as it would have stood."""
    with Application(pg.url, site="test") as app:
        begin(app)
        for _ in range(4):
            play(app, "C1", "2s 3d 5c 7d 9h")
        play(app, "C1", ROYAL)
    with connector(pg.url)() as conn:
        found = whatif(conn, Terms(jackpot_ppm=0))
        assert ruleset_of_log(conn, SHEET) is not None
        assert ruleset_of_log(conn, "no-such") is None
    meter = found.meters[0]
    assert meter.recorded_wins == 1_000_000 + 5 * 35
    assert meter.whatif_wins == 1_000_000
    assert _sums(found, "whatif", "win") - _sums(found, "recorded", "win") == 5 * 35


def test_a_stake_outside_the_limits_stays_comparable(pg: Database) -> None:
    box = {"box": 1, "ante": 100, "cards": ROYAL, "play": [{"do": "bet"}]}
    finished = record(ruleset=SHEET, boxes=[box], dealer={"cards": DEALER})
    with Application(pg.url, site="test") as app:
        begin(app)
        do(app, partial(rounds.play_record, table="C1", record=finished), "term")
    with connector(pg.url)() as conn:
        found = whatif(conn, Terms(cap=100))
    assert (found.rounds, found.not_comparable) == (1, 0)


def test_the_command(played: Played, tmp_path: Path) -> None:
    home = played.home
    found = pitclerk("whatif", "--cap", "2000", "--json", home=home).json()
    assert found["rounds"] > 0
    assert found["cap"] == 2000
    sheet = tmp_path / "caribbean-ee.toml"
    sheet.write_text(shipped("caribbean-ee").text)
    told = pitclerk("whatif", "--ruleset", str(sheet), home=home)
    assert told.status == 0, told.err
    assert "not comparable" in told.out
    assert "games that this sheet is not for" in told.out
    assert pitclerk("whatif", home=home).status == 2
    assert pitclerk("whatif", "--ruleset", "no-such", home=home).status == 2
    too_much = pitclerk("whatif", "--jackpot-ppm", "1000000", home=home)
    assert (too_much.status, "bad_terms" in too_much.err) == (2, True)
