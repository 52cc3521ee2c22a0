"""Rounds, limits, tables and the log, read from a real night of all games."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import msgspec
import psycopg
import pytest

from domain import engine
from domain.chain import leaf_bytes
from domain.engine.limits import Limits
from domain.engine.record import Record
from domain.engine.sign import limits_of as limits_in
from domain.events.correction import AmountCorrected
from domain.events.jackpot import JackpotHit
from domain.events.outcome import PayoutMade, RoundClosed, RoundVoided
from domain.events.play import AntePlaced, InsurancePlaced, RoundOpened
from domain.events.session import SessionClosed, SessionOpened
from domain.ruleset import shipped
from projections.catch_up import run_until
from projections.connect import connector
from projections.reads import events, limits, rounds, tables
from projections.store import LIVE
from tests.databases import Databases
from tests.projections.conftest import FoldAll
from tests.projections.logs import Log, Table
from tests.projections.real import Rows, copy, play_night
from tests.projections.rows import rows_of


@pytest.fixture(scope="module")
def played(databases: Databases) -> Iterator[tuple[psycopg.Connection[Any], Rows]]:
    with databases.fresh() as database:
        rows = play_night(database, RoundVoided, InsurancePlaced)
        run_until(database.url)
        with connector(database.url)() as conn:
            yield conn, rows


def _ids(rows: Rows) -> list[str]:
    return [row.event.round for row in rows if row.topic == RoundOpened.TOPIC]  # type: ignore[attr-defined]


def test_every_round_is_found_in_pages(played: tuple[psycopg.Connection[Any], Rows]) -> None:
    conn, night = played
    found, after = [], 0
    while True:
        page = rounds.rounds(conn, after=after, limit=50)
        found += [row.round for row in page.rows]
        if page.next is None:
            break
        after = page.next
    assert found == _ids(night)


def test_rounds_by_table_and_player(played: tuple[psycopg.Connection[Any], Rows]) -> None:
    conn, night = played
    ante = next(r.event for r in night if r.topic == AntePlaced.TOPIC and r.event.player)  # type: ignore[attr-defined]
    assert isinstance(ante, AntePlaced)
    assert ante.round in {r.round for r in rounds.rounds(conn, player=ante.player, limit=1000).rows}
    table = next(row.event for row in night if row.topic == SessionOpened.TOPIC)
    assert isinstance(table, SessionOpened)
    of_table = rounds.rounds(conn, table=table.table, gaming_day=table.gaming_day, limit=1000).rows
    assert {r.table for r in of_table} == {table.table}
    assert rounds.rounds(conn, table=table.table, gaming_day="1999-01-01").rows == []


def test_a_story_has_every_event_of_its_round(played: tuple[psycopg.Connection[Any], Rows]) -> None:
    conn, night = played
    for round_id in _ids(night)[::25]:
        story = rounds.round_story(conn, round_id)
        assert story is not None
        told = [(e.type, e.stream, e.version) for e in story.events]
        assert told == [(r.topic, r.stream, r.version) for r in night if getattr(r.event, "round", None) == round_id]
        assert [e.position for e in story.events] == sorted(e.position for e in story.events)
        assert rounds.round_events(conn, round_id) == story.events


def test_records_settle_to_what_was_paid(played: tuple[psycopg.Connection[Any], Rows]) -> None:
    """The record of every finished round, given to `settle`, comes to the round's own settlement."""
    conn, night = played
    settled = 0
    for round_id in _ids(night):
        whole = rounds.round_record(conn, round_id)
        assert whole is not None
        assert whole.round.state in ("closed", "void")
        settlement = msgspec.to_builtins(whole.settlement)
        nets = sum(entry["net"] for entry in settlement.get("boxes", settlement.get("bets")))
        if "house_net" in settlement:
            assert settlement["house_net"] == -nets == whole.round.house_net
        if any(e.type == "table.round_stopped" for e in whole.events):
            continue  # a stopped round has no record that settles to the same
        record = msgspec.convert(whole.record, Record)
        ruleset = shipped(record.ruleset)
        played_under: Limits = limits_in(ruleset, record.table)
        again = engine.settle_record(ruleset, played_under, record)
        assert msgspec.to_builtins(again) == settlement, (round_id, whole.record)
        settled += 1
    assert settled > 200


def test_an_unknown_round_is_none(played: tuple[psycopg.Connection[Any], Rows]) -> None:
    conn, _ = played
    assert rounds.round_row(conn, "nowhere-1") is None
    assert rounds.round_record(conn, "nowhere-1") is None
    assert rounds.round_story(conn, "nowhere-1") is None
    assert rounds.round_events(conn, "nowhere-1") == []


def test_the_log_by_position_and_filters(played: tuple[psycopg.Connection[Any], Rows]) -> None:
    conn, night = played
    found: list[events.LoggedEvent] = []
    after: int | None = 0
    while after is not None:
        page = events.events(conn, after=after, limit=1000)
        found += page.events
        after = page.next
    assert [(e.stream, e.version, e.type) for e in found] == [(r.stream, r.version, r.topic) for r in night]
    kind = events.events(conn, type_=PayoutMade.TOPIC, limit=10_000).events
    assert {e.type for e in kind} == {PayoutMade.TOPIC}
    table = next(r.event for r in night if r.topic == SessionClosed.TOPIC)
    assert isinstance(table, SessionClosed)
    of_table = events.events(conn, table=table.table, limit=100_000).events
    assert {e.stream.split("/")[1] for e in of_table} == {table.table}
    assert {e.stream.count("/") for e in of_table} == {1, 3}
    round_id = _ids(night)[3]
    of_round = events.events(conn, round_id=round_id, type_=RoundClosed.TOPIC).events
    assert [msgspec.json.decode(e.data)["round"] for e in of_round] == [round_id]


def test_raw_events_have_the_bytes_that_are_hashed(played: tuple[psycopg.Connection[Any], Rows]) -> None:
    conn, night = played
    page = events.events(conn, limit=5, raw=True)
    for event, row in zip(page.events, night, strict=False):
        assert isinstance(event.leaf_bytes, str)
        assert base64.b64decode(event.leaf_bytes) == leaf_bytes(
            event.position, row.stream, row.version, row.topic, row.state, row.recorded_at
        )
    assert events.events(conn, limit=1).events[0].leaf_bytes is msgspec.UNSET


def test_an_event_that_nobody_can_fold_can_still_be_read(conn: psycopg.Connection[Any]) -> None:
    log = Log()
    Table(log)
    row = log.rows[0]
    log.rows = [(row[0], 1, "table.from_tomorrow", b'{"v":9,"meta":{"event_id":"x"},"data":{"a":1}}', row[4])]
    log.rows.append((row[0], 2, "table.broken", b"\xff", row[4]))
    log.write(conn)
    newer, broken = events.events(conn).events
    assert (newer.event_id, msgspec.json.decode(newer.data)) == ("x", {"a": 1})
    assert msgspec.json.decode(broken.data) == {"unreadable": "/w=="}


def test_live_rounds_show_what_their_boxes_can_still_be_paid(
    conn: psycopg.Connection[Any], played: tuple[psycopg.Connection[Any], Rows], fold_all: FoldAll
) -> None:
    """At every step of a live round the view is the engine's exposure, also after a restart in the middle."""
    night = played[1]
    opened = next(
        at
        for at, r in enumerate(night)
        if r.topic == RoundOpened.TOPIC
        and r.event.source == "live"  # type: ignore[attr-defined]
        and not r.stream.startswith("table/roulette")
    )
    stream, round_id = night[opened].stream, night[opened].event.round  # type: ignore[attr-defined]
    copy([r for r in night[:opened] if r.stream in (stream, "house")], conn)
    steps = [r for r in night[opened:] if r.stream == stream]
    seen = 0
    for row in steps:
        copy([row], conn)
        fold_all()  # fresh projections each time: the round's state comes from the log alone
        shown = limits.limits(conn)
        if row.topic == RoundClosed.TOPIC:
            break
        boxes = {r.box for r in shown.rows}
        assert {r.round for r in shown.rows} <= {round_id}
        assert all(r.headroom is None or r.headroom == r.cap - r.most_payable for r in shown.rows if r.cap)
        seen = max(seen, len(boxes))
    assert seen > 0
    assert limits.limits(conn).rows == []
    assert rows_of(conn, "live_rounds", LIVE) == []


def test_caps_are_remembered(conn: psycopg.Connection[Any], fold_all: FoldAll) -> None:
    log = Log()
    table = Table(log)
    table.add(*table.inputs(1, source="record", jackpot=False))
    payout = PayoutMade(
        round=table.round_id, box=1, kind="bet", due=54_000, paid=50_000, capped=4_000, clause="R.cap", odds="27:1"
    )
    table.add(payout, payout)
    log.write(conn)
    fold_all()
    withheld = limits.withheld(conn, table="T01")
    assert [(r.due, r.paid, r.capped, r.box) for r in withheld.rows] == [(54_000, 50_000, 4_000, 1)] * 2
    assert rows_of(conn, "box_caps") == [("main", "T01", "2026-03-14", 8_000)]
    assert limits.withheld(conn, table="T02").rows == []


def test_the_floor(conn: psycopg.Connection[Any], fold_all: FoldAll) -> None:
    log = Log()
    one, two = Table(log, "T1", opener=10_000), Table(log, "T2", opener=20_000)
    one.buy_in(3_000)
    log.wait(minutes=10)
    one.limits(1_000, 9_000)
    one.add(*one.inputs(1, source="record", jackpot=False))
    two.close(5)
    log.write(conn)
    fold_all()
    first, second = tables.tables(conn).rows
    assert (first.state, first.tray, first.min, first.max, first.live_round) == (
        "open",
        7_000,
        1_000,
        9_000,
        one.round_id,
    )
    assert (first.max_payout_per_box, first.last_activity) == (500_000, log.now)
    assert (second.state, second.closer, second.tray, second.closed_at) == ("closed", 20_005, 0, log.now)
    again = Table(log, "T2", number=2, opener=20_005)
    log.write(conn)
    fold_all()
    (second,) = tables.tables(conn, table="T2").rows
    assert (second.state, second.session, second.opener, second.closer) == ("open", "T2/2026-03-14/2", 20_005, None)
    assert again.stream


def test_jackpots_of_the_night_stand_in_the_stories(played: tuple[psycopg.Connection[Any], Rows]) -> None:
    conn, night = played
    for row in night:
        if isinstance(row.event, JackpotHit):
            assert any(e.type == JackpotHit.TOPIC for e in rounds.round_events(conn, row.event.round))


def test_money_alone_is_no_activity_of_a_table(conn: psycopg.Connection[Any], fold_all: FoldAll) -> None:
    """A correction an hour later, folded in a batch of its own, leaves the time of the last play as it was."""
    log = Log()
    table = Table(log)
    table.buy_in(100)
    last = log.now
    log.write(conn)
    fold_all()
    log.wait(hours=1)
    table.add(AmountCorrected(round="r", box=1, kind="bet", effect="paid", was=5, now=3, corrects=(), **_WHY))
    log.write(conn)
    fold_all()
    (row,) = tables.tables(conn).rows
    assert (row.last_activity, row.tray) == (last, table.tray)


_WHY = {"reason": "mispaid", "approval": "a"}
