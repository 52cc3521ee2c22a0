"""Search finds exactly what a look through the whole log finds; a sample is drawn again by its seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import msgspec
import psycopg
import pytest

from domain.events.base import Event, Meta
from domain.events.chips import BuyIn
from domain.events.count import BoxMounted, BoxSettled
from domain.events.outcome import PayoutMade
from domain.events.play import AntePlaced
from projections.catch_up import run_until
from projections.connect import connector
from projections.reads import search as searching
from projections.reads.moments import position_before
from projections.reads.sample import LEAST_DAYS, sample
from projections.reads.search import Wanted, search
from projections.reads.snapshot import snapshot
from tests.api.live import RECORD, serving
from tests.cli.conftest import Played
from tests.cli.program import pitclerk
from tests.databases import Database, Databases
from tests.projections.logs import START, Log, Pool, Table

Rows = list[tuple[int, str, Meta, Event]]


@pytest.fixture(scope="module")
def floor(databases: Databases) -> Iterator[tuple[psycopg.Connection[Any], Rows]]:
    """Four gaming days of three tables."""
    log = Log()
    _play(log)
    with databases.fresh() as database, connector(database.superuser_url)() as conn:
        log.write(conn)
        run_until(database.url)
        yield conn, [(at, stream, meta, event) for at, (stream, meta, event) in enumerate(log.events, 1)]


def _play(log: Log) -> None:
    dice = random.Random(7)
    pool = Pool(log)
    for day in ("2026-03-14", "2026-03-15", "2026-03-16", "2026-03-17"):
        for name in ("T1", "T10", "T2"):
            table = Table(log, name, day)
            drop = f"drop-{day}-{name}"
            place = {"drop": drop, "table": name, "session": table.stream, "session_stream": table.stream}
            log.add(f"count/{day}/1", BoxMounted(number=1, box=name, currency="EUR", **place), gaming_day=day)
            for _ in range(6):
                log.wait(seconds=40)
                table.buy_in(dice.choice((5_000, 10_000)), player=dice.choice(("P1", "P11", "VIP")))
                table.round(dice, dice.randint(1, 4), pool)
            table.fill(50_000)
            table.credit(20_000)
            table.close(-100)
            log.add(f"count/{day}/1", BoxSettled(currency="EUR", total=1000, **place), gaming_day=day)


def _found(conn: psycopg.Connection[Any], **wanted: Any) -> list[int]:
    return [row.position for row in search(conn, Wanted(**wanted), limit=10_000).rows]


@pytest.mark.parametrize(
    ("wanted", "holds"),
    [
        ({"table": "T1"}, lambda s, _m, e: s.startswith("table/T1/") or _get(e, "table") == "T1"),
        ({"player": "P1"}, lambda _s, _m, e: _get(e, "player") == "P1"),
        ({"player": "VIP", "table": "T2"}, lambda s, _m, e: _get(e, "player") == "VIP" and s.startswith("table/T2/")),
        ({"amount": 5_000, "topic": "table.buy_in"}, lambda _s, _m, e: isinstance(e, BuyIn) and e.amount == 5_000),
        ({"box": 4}, lambda _s, _m, e: _get(e, "box") == 4),
        ({"topic": "table.payout_made"}, lambda _s, _m, e: isinstance(e, PayoutMade)),
        ({"hand": "flush"}, lambda _s, _m, e: _get(e, "hand") == "flush"),
        ({"actor": "dealer-1", "topic": "table.ante_placed"}, lambda _s, _m, e: isinstance(e, AntePlaced)),
        ({"actor": "nobody"}, lambda _s, _m, _e: False),
    ],
)
def test_what_is_found_is_what_there_is(
    floor: tuple[psycopg.Connection[Any], Rows], wanted: dict[str, Any], holds: Callable[[str, Meta, Event], bool]
) -> None:
    conn, rows = floor
    assert _found(conn, **wanted) == [at for at, stream, meta, event in rows if holds(stream, meta, event)]


def _get(event: Event, name: str) -> Any:
    return getattr(event, name, None)


def test_pages_join_without_a_gap_whatever_their_size(
    floor: tuple[psycopg.Connection[Any], Rows], monkeypatch: pytest.MonkeyPatch
) -> None:
    conn, _ = floor
    whole = _found(conn, player="P1")
    monkeypatch.setattr(searching, "WINDOW", 7)
    monkeypatch.setattr(searching, "WINDOWS", 3)
    monkeypatch.setattr(searching, "MOST_STRETCHES", 1)
    monkeypatch.setattr(searching, "MOST_LOOKED", 2)
    for limit in (1, 3, 1000):
        pages, at = [], 0
        while True:
            page = search(conn, Wanted(player="P1"), after=at, limit=limit)
            assert len(page.rows) <= limit
            pages += [row.position for row in page.rows]
            if page.next is None:
                break
            assert page.next > at, "every page goes on"
            at = page.next
        assert pages == whole


def test_a_round_is_found_by_its_view_and_paged(floor: tuple[psycopg.Connection[Any], Rows]) -> None:
    conn, rows = floor
    of_it = [at for at, _, _, event in rows if _get(event, "round") == "T1-2026-03-15-1-2"]
    assert _found(conn, round="T1-2026-03-15-1-2") == of_it
    page = search(conn, Wanted(round="T1-2026-03-15-1-2"), limit=2)
    assert ([row.position for row in page.rows], page.next) == (of_it[:2], of_it[1])
    assert _found(conn, round="no-such") == []
    payments = [at for at, _, _, e in rows if isinstance(e, PayoutMade) and at in of_it]
    assert _found(conn, round="T1-2026-03-15-1-2", topic="table.payout_made") == payments


def test_times_bound_the_search(floor: tuple[psycopg.Connection[Any], Rows]) -> None:
    conn, rows = floor
    since, until = START + timedelta(minutes=5), START + timedelta(minutes=9)
    expected = [at for at, _, meta, _ in rows if since <= meta.happened_at < until]
    assert expected
    assert _found(conn, since=since, until=until) == expected


def test_moments_are_positions(floor: tuple[psycopg.Connection[Any], Rows]) -> None:
    conn, rows = floor
    for seconds in (-1, 0, 39, 40, 41, 400, 10**6):
        moment = START + timedelta(seconds=seconds)
        expected = max((at for at, _, meta, _ in rows if meta.happened_at < moment), default=0)
        with snapshot(conn) as look:
            assert position_before(look, moment) == expected


def test_moments_are_positions_where_positions_have_gaps(pg: Database) -> None:
    with psycopg.connect(pg.superuser_url, autocommit=True) as conn:
        insert = (
            "INSERT INTO pitclerk_events"
            " (originator_id, originator_version, topic, state, recorded_at, notification_id)"
            " VALUES ('house', %s, 'x', '', %s, %s)"
        )
        at = {1: 3, 2: 4, 3: 400, 4: 401, 5: 9000}
        for version, position in at.items():
            conn.execute(insert, (version, START + timedelta(seconds=version), position))
        with snapshot(conn) as look:
            for version in range(7):
                moment = START + timedelta(seconds=version, milliseconds=1)
                assert position_before(look, moment) == max((at[v] for v in at if v <= version), default=0)


def test_a_sample_has_the_sizes_and_is_drawn_again(floor: tuple[psycopg.Connection[Any], Rows]) -> None:
    conn, rows = floor
    drawn = sample(conn, 11)
    sizes = {one.kind: len(one.documents) for one in drawn.drawn}
    assert sizes == {"openings": 5, "closings": 5, "fills": 10, "credits": 3}
    assert drawn.short == []
    assert all(one.days >= LEAST_DAYS for one in drawn.drawn)
    assert len(drawn.drop_days) == 2
    assert {drop.gaming_day for drop in drawn.drops} == set(drawn.drop_days)
    topics = {at: event.TOPIC for at, _, _, event in rows}
    for one in drawn.drawn:
        assert len({topics[document.position] for document in one.documents}) == 1
        assert len({document.position for document in one.documents}) == len(one.documents), "each only once"
    assert msgspec.json.encode(sample(conn, 11)) == msgspec.json.encode(drawn)
    assert msgspec.json.encode(sample(conn, 12)) != msgspec.json.encode(drawn)


def test_a_sample_says_what_it_lacks(floor: tuple[psycopg.Connection[Any], Rows]) -> None:
    conn, _ = floor
    drawn = sample(conn, 1, first_day="2026-03-15", last_day="2026-03-15")
    assert {document.gaming_day for one in drawn.drawn for document in one.documents} == {"2026-03-15"}
    assert "openings: 3 of 5" in drawn.short
    assert "gaming days: 1 of 3" in drawn.short
    assert "days of drop: 1 of 2" in drawn.short
    earlier = sample(conn, 1, at=1)
    assert earlier.position == 1
    assert all(one.documents == [] for one in earlier.drawn)


def test_the_door_finds_for_the_entitled_and_notes_it(pg: Database, lines: list[Any]) -> None:
    with serving(pg) as live:
        live.open_table("S1")
        round_id = live.done("/v1/tables/S1/rounds", RECORD)["round"]
        live.settle_down()
        answer = live.get("/v1/search", round=round_id, type="table.payout_made").json()
        assert [row["round"] for row in answer["rows"]] == [round_id] * len(answer["rows"])
        assert answer["rows"]
        assert live.get("/v1/search", "supervisor", player="A", table="S1").json()["rows"]
        since = live.get("/v1/search", actor="t.terminal", **{"from": "2026-01-01T00:00:00Z"})
        assert since.status_code == 200, since.text
        assert since.json()["rows"]
        assert live.get("/v1/search", "terminal").status_code == 403
        for bad in ({"limit": 0}, {"box": "x"}, {"from": "2026-01-01T00:00:00"}, {"hand": "'; --"}, {"what": "x"}):
            assert live.get("/v1/search", **bad).status_code in (400, 422), bad
    viewed = [line for line in lines if line["event"] == "report_viewed"]
    viewed = [line for line in viewed if line["report"] == "GET /v1/search"]
    assert viewed[0] | {"actor": "t.auditor", "role": "auditor"} == viewed[0]
    assert viewed[0]["asked"] == {"round": round_id, "type": "table.payout_made"}
    assert viewed[0]["position"] == answer["position"]
    assert viewed[1]["actor"] == "t.supervisor"


def test_exceptions_lead_to_their_events(pg: Database) -> None:
    with serving(pg) as live:
        opened = live.open_table("X1")
        live.done("/v1/tables/X1/rounds", RECORD)
        live.done("/v1/tables/X1/close", {"closer": [{"denomination": 50, "count": 3}]}, "supervisor")
        live.settle_down()
        codes = {row["code"] for row in live.get("/v1/exceptions").json()["rows"]}
        assert "over_short" in codes
        rows = live.get("/v1/search", exception="over_short").json()["rows"]
        assert [row["type"] for row in rows] == ["table.session_closed"]
        assert rows[0]["data"]["session"] == opened["session"]


def test_the_commands(played: Played) -> None:
    home = played.home
    closed = pitclerk("search", "--type", "table.round_closed", "--limit", "5", "--json", home=home)
    document = closed.json()
    assert len(document["rows"]) == 5
    assert document["next"] == document["rows"][-1]["position"]
    assert '"report_viewed"' in closed.err
    table = document["rows"][0]["table"]
    shown = pitclerk("search", "--table", table, "--after", str(document["next"]), "--limit", "3", home=home)
    assert "more: --after" in shown.out
    assert pitclerk("search", "--from", "yesterday", home=home).status == 2
    one, two = (pitclerk("sample", "--seed", "4", "--json", home=home).json() for _ in range(2))
    assert one == two
    assert one["drawn"][0]["documents"]
    assert "draws it again" in pitclerk("sample", "--seed", "4", home=home).out
    assert pitclerk("sample", "--seed", "4", "--from", "spring", home=home).status == 2
