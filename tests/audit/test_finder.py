"""Search in a long history: what lies in its first rounds is found at once, and nothing that is there is missed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import psycopg
import pytest

from domain.codec import decode
from projections.catch_up import run_until
from projections.check import check
from projections.connect import connector
from projections.finder import Finder
from projections.reads import search as searching
from projections.reads.search import MOST_EXCEPTIONS, Wanted, search
from projections.rebuild import rebuild
from projections.terms import HANDS, STRETCH_BITS, amounts_of, table_of
from tests.databases import Database, Databases
from tests.projections.logs import Log, Pool, Table
from tests.projections.real import play_night

HEAD = 5_000_000
RARE, ODD = "Rare-7", 123_457


@pytest.fixture(scope="module")
def history(databases: Databases) -> Iterator[tuple[Database, psycopg.Connection[Any]]]:
    """One night at the beginning, and another of the same kind five million positions later."""
    dice = random.Random(5)
    log = Log()
    pool = Pool(log)
    with databases.fresh() as database, connector(database.superuser_url)() as conn:
        for night in range(2):
            for name in ("T1", "T2"):
                table = Table(log, name, f"2026-03-{14 + night}")
                table.buy_in(ODD if night == 0 else 500, player=RARE if night == 0 else "P1")
                for _ in range(40):
                    table.round(dice, 3, pool)
            log.write(conn)
            conn.execute("SELECT setval(pg_get_serial_sequence('pitclerk_events', 'notification_id'), %s)", (HEAD,))
        run_until(database.url)
        yield database, conn


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(player=RARE),
        Wanted(amount=ODD),
        Wanted(player=RARE, amount=ODD, table="T2"),
        Wanted(player=RARE, topic="table.buy_in", actor="dealer-1"),
    ],
)
def test_a_hit_in_the_first_rounds_is_found_by_one_request(
    history: tuple[Database, psycopg.Connection[Any]], wanted: Wanted
) -> None:
    found = search(history[1], wanted)
    assert [row.table for row in found.rows] == (["T2"] if wanted.table else ["T1", "T2"])
    assert found.next is None, "the whole log was looked at"
    assert found.position > HEAD


def test_terms_that_never_meet_are_answered_by_one_request(history: tuple[Database, psycopg.Connection[Any]]) -> None:
    assert search(history[1], Wanted(player=RARE, topic="table.session_opened")) == searching.Found(
        search(history[1], Wanted(player="x")).position, [], None
    )


def test_what_the_view_has_not_folded_yet_is_read_as_it_is(pg: Database) -> None:
    log = Log()
    table = Table(log, "T1")
    table.buy_in(700, player="early")
    with connector(pg.superuser_url)() as conn:
        log.write(conn)
        run_until(pg.url)
        table.buy_in(700, player="late")
        log.write(conn)
        for player in ("early", "late"):
            assert [row.position for row in search(conn, Wanted(player=player)).rows], player
        assert len(search(conn, Wanted(amount=700)).rows) == 2


def test_every_event_of_every_game_is_found_under_all_it_says(pg: Database) -> None:
    """The terms of the view against the stored bytes, read by other means."""
    rows = play_night(pg)
    run_until(pg.url)
    with connector(pg.url)() as conn:
        stored = {
            (term, stretch) for term, stretch in conn.execute("SELECT term, stretch FROM views.search_terms").fetchall()
        }
        at = conn.execute("SELECT notification_id, originator_id, topic, state FROM pitclerk_events").fetchall()
    assert len(at) == len(rows)
    for position, stream, topic, state in at:
        raw = msgspec.json.decode(state)
        data, meta = raw["data"], raw["meta"]
        said = {f"type:{topic}", f"actor:{meta['actor']}"}
        said |= {f"actor:{meta['approver']}"} if meta.get("approver") else set()
        said |= {f"{name}:{data[name]}" for name in ("player", "box", "table") if data.get(name) is not None}
        said |= {f"hand:{data[name]}" for name in HANDS if isinstance(data.get(name), str)}
        said |= {f"amount:{one}" for one in amounts_of(data)}
        said |= {f"table:{table_of(stream)}"} if table_of(stream) else set()
        missing = {one for one in said if (one, position >> STRETCH_BITS) not in stored}
        assert not missing, (position, missing)
        decode(topic, state)


def test_rebuild_and_check_know_the_terms(history: tuple[Database, psycopg.Connection[Any]]) -> None:
    database, conn = history
    result = rebuild(database.url, Finder.name)
    assert (result["compared"], result["differences"]) == (True, [])
    stretches = conn.execute("DELETE FROM views.search_terms WHERE term = %s", (f"player:{RARE}",)).rowcount
    broken = [one["name"] for one in check(database.url)["identities"] if not one["ok"]]
    assert "projection_finder" in broken
    assert rebuild(database.url, Finder.name)["differences"] == [
        {"table": "search_terms", "missing": stretches, "extra": 0}
    ]
    assert search(conn, Wanted(player=RARE)).rows


def test_more_exceptions_than_one_request_looks_at_are_all_found(
    history: tuple[Database, psycopg.Connection[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MOST_EXCEPTIONS > 4
    monkeypatch.setattr(searching, "MOST_EXCEPTIONS", 2)
    _, conn = history
    code = conn.execute("SELECT code FROM views.exceptions GROUP BY code ORDER BY count(*) DESC LIMIT 1").fetchone()
    assert code is not None
    about = conn.execute(
        "SELECT DISTINCT position FROM views.exceptions WHERE code = %s ORDER BY position", code
    ).fetchall()
    found: list[int] = []
    after: int | None = 0
    while after is not None:
        page = search(conn, Wanted(exception=code[0]), after=after, limit=100)
        found += [row.position for row in page.rows]
        after = page.next
    assert found == [at for (at,) in about]
    assert len(found) > 2
