"""The check: true for a true log and its views; each identity notices what breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import psycopg
import pytest

from domain.events.base import Event
from domain.events.jackpot import JackpotContributed, JackpotHit
from domain.events.outcome import PayoutMade, RoundClosed, RoundVoided, StakeTaken
from domain.events.play import AntePlaced, RoundOpened
from domain.events.session import SessionClosed
from projections.catalog import all_projections
from projections.check import CheckResult, check
from projections.connect import connector
from tests.databases import Database, Databases
from tests.projections.logs import INSERT, START, Log, Table
from tests.projections.logs import night as synthetic
from tests.projections.real import Rows, address, copy, first, play_night

IDENTITIES = {
    "projections_at_head",
    "log_readable",
    "projections_together",
    "stakes_settled",
    "box_nets",
    "caps",
    "expected_tray",
    "win_two_ways",
    "late_reckoned",
    "postings_balance",
    "trial_balance",
    "jackpot_identity",
    "idempotency",
    "replay",
} | {f"projection_{p.name}" for p in all_projections()}


@pytest.fixture(scope="module")
def played(databases: Databases) -> Iterator[tuple[Database, Rows]]:
    with databases.fresh() as database:
        yield database, play_night(database, RoundVoided, JackpotContributed)


def _broken(result: CheckResult) -> dict[str, str]:
    return {i["name"]: i["detail"] for i in result["identities"] if not i["ok"]}


def test_a_true_night_holds(played: tuple[Database, Rows]) -> None:
    database, rows = played
    result = check(database.url)
    assert _broken(result) == {}
    assert {i["name"] for i in result["identities"]} == IDENTITIES
    assert result["ok"]
    with connector(database.url)() as conn:
        assert result["position"] == conn.execute("SELECT max(notification_id) FROM pitclerk_events").fetchone()[0]  # type: ignore[index]
    assert rows


def test_an_empty_log_holds(pg: Database) -> None:
    result = check(pg.url)
    assert (result["ok"], result["position"]) == (True, 0)


@pytest.mark.parametrize("rounds", [7, 60])
def test_a_log_that_ends_anywhere_holds(
    conn: psycopg.Connection, pg: Database, played: tuple[Database, Rows], rounds: int
) -> None:
    """In the middle of a live round too."""
    rows = played[1]
    live = [at for at, row in enumerate(rows) if row.topic == RoundOpened.TOPIC and row.event.source == "live"]  # type: ignore[attr-defined]
    at = live[min(rounds, len(live)) - 1] + rounds % 5 + 1
    copy([row for row in rows if row.recorded_at <= rows[at].recorded_at], conn)  # saves are whole
    assert _broken(check(pg.url)) == {}


@pytest.mark.parametrize(
    ("kind", "change", "identity"),
    [
        (StakeTaken, lambda e: {"amount": e.amount + 1}, "stakes_settled"),
        (AntePlaced, lambda e: {"amount": e.amount + 1}, "stakes_settled"),
        (RoundClosed, lambda e: {"taken": e.taken + 1}, "stakes_settled"),
        (RoundClosed, lambda e: {"house_net": e.house_net + 1}, "box_nets"),
        (PayoutMade, lambda e: {"paid": e.paid + 1}, "caps"),
        (SessionClosed, lambda e: {"expected": e.expected + 1}, "expected_tray"),
        (SessionClosed, lambda e: {"over_short": e.over_short + 1}, "win_two_ways"),
        (JackpotContributed, lambda e: {"shares": e.shares[:0]}, "replay"),
    ],
)
def test_each_identity_notices_what_breaks_it(
    conn: psycopg.Connection,
    played: tuple[Database, Rows],
    kind: type[Event],
    change: Callable[[Any], dict[str, Any]],
    identity: str,
) -> None:
    night = list(played[1])
    at = first(night, kind)
    event = night[at].event
    night[at] = night[at].with_event(msgspec.structs.replace(event, **change(event)))
    copy(night, conn)
    broken = _broken(check(address(conn)))
    assert identity in broken, broken
    assert "replay" in broken


@pytest.mark.parametrize(
    ("statement", "identity"),
    [
        ("UPDATE views.table_hold SET tray_play = tray_play + 1", "projection_table_hold"),
        ("DELETE FROM views.table_hold_kinds WHERE kind = 'ante'", "projection_table_hold"),
        ("UPDATE views.table_hold_sessions SET opener = opener + 1", "projection_table_hold"),
        ("UPDATE views.rounds SET players = '{}' WHERE players <> '{}'", "projection_rounds"),
        ("DELETE FROM views.rounds WHERE number = 3", "projection_rounds"),
        ("UPDATE views.tables SET tray = tray + 1", "projection_tables"),
        ("UPDATE views.jackpot_meters SET state = 'STOPPED'", "projection_jackpot_meters"),
        ("UPDATE views.jackpot_history SET display_u = display_u + 1", "projection_jackpot_meters"),
        ("DELETE FROM views.jackpot_hits", "projection_jackpot_meters"),
        ("UPDATE views.box_caps SET capped = capped + 1", "projection_box_limits"),
        ("INSERT INTO views.box_caps VALUES ('main', 'T', '2026-01-01', 5)", "projection_box_limits"),
        ("DELETE FROM views.seal_tiles WHERE level = 0 AND tile = 3", "projection_seal"),
        ("DELETE FROM views.journal", "projection_journal"),
    ],
)
def test_a_view_that_lies_is_found(conn: psycopg.Connection, pg: Database, statement: str, identity: str) -> None:
    log = synthetic(3, 3, 150)
    log.write(conn)
    assert "projection_rounds" not in _broken(check(pg.url))
    conn.execute(statement)  # type: ignore[arg-type]
    assert identity in _broken(check(pg.url))


def test_synthetic_logs_equal_their_plain_fold(conn: psycopg.Connection, pg: Database) -> None:
    """Hits, voids, fills, closers: everything but what needs the engine."""
    log = synthetic(11, 4, 400)
    log.write(conn)
    broken = _broken(check(pg.url))
    assert broken.keys() <= {"replay", "idempotency"}, broken
    assert any(isinstance(event, JackpotHit) and event.pending for _, _, event in log.events)


def test_a_payout_over_the_cap_is_found(conn: psycopg.Connection, pg: Database, played: tuple[Database, Rows]) -> None:
    """As if the session had been opened with another cap."""
    night = list(played[1])
    stream = night[first(night, PayoutMade, lambda e: e.kind == "bet")].stream
    at = next(n for n, row in enumerate(night) if row.stream == stream)
    night[at] = night[at].with_event(msgspec.structs.replace(night[at].event, max_payout_per_box=1))
    copy(night, conn)
    assert "its cap is 1" in _broken(check(pg.url))["caps"]


def _keyed(conn: psycopg.Connection, key: str | None, position: int | None) -> None:
    log = Log()
    table = Table(log, min=500)
    log.write(conn)
    table.add(*table.inputs(1, source="record", jackpot=False)[:1], key=key)
    last = log.write(conn)
    if position is not None:
        conn.execute(
            "INSERT INTO public.pitclerk_answers VALUES ('t1', 'k1', '', 201, '', %s, %s)", (last + position, START)
        )


@pytest.mark.parametrize(
    ("key", "position", "holds"),
    [("k1", 0, True), (None, None, True), ("k1", None, False), (None, 0, False), ("k2", 0, False), ("k1", -1, False)],
)
def test_keys_and_answers_belong_together(
    conn: psycopg.Connection, pg: Database, key: str | None, position: int | None, holds: bool
) -> None:
    _keyed(conn, key, position)
    assert ("idempotency" not in _broken(check(pg.url))) == holds


def test_it_says_what_stopped_the_views(conn: psycopg.Connection, pg: Database) -> None:
    log = Log()
    Table(log).buy_in(5)
    good = log.write(conn)
    conn.execute(INSERT, ("table/T9/2026-03-14/1", 1, "table.unheard_of", b"{}", START))
    result = check(pg.url)
    assert not result["ok"]
    assert result["position"] == good
    assert "table.unheard_of" in _broken(result)["projections_at_head"]
