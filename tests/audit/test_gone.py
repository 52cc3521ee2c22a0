"""A row that was slipped into the log, folded, and taken out again: said of exactly that, with its position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from domain.application import Application
from projections.catalog import all_projections
from projections.catch_up import run_until
from projections.check import check
from projections.connect import connector
from projections.rebuild import rebuild
from projections.verify_seals import gone_of, verify_with_seals
from tests.application.scenes import THREE, begin, play
from tests.databases import Database


@pytest.fixture
def master(pg: Database) -> Iterator[psycopg.Connection[Any]]:
    """The server's own master, the triggers off."""
    with psycopg.connect(pg.superuser_url, autocommit=True) as conn:
        conn.execute("ALTER TABLE pitclerk_events DISABLE TRIGGER ALL")
        yield conn


def _slip_in(master: psycopg.Connection[Any]) -> int:
    """The last payment once more, on its own stream, without a row in the chain; its position."""
    row = master.execute(
        "INSERT INTO pitclerk_events (originator_id, originator_version, topic, state, recorded_at)"
        " SELECT originator_id, originator_version + 900, topic, state, recorded_at FROM pitclerk_events"
        " WHERE topic = 'table.buy_in' OR topic = 'table.payout_made' ORDER BY notification_id DESC LIMIT 1"
        " RETURNING notification_id"
    ).fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize("more", [False, True], ids=["at the end", "with rounds after it"])
def test_what_was_folded_and_is_gone_is_named_and_a_rebuild_forgets_it(
    pg: Database, master: psycopg.Connection[Any], more: bool
) -> None:
    with Application(pg.url, site="test") as app:
        begin(app)
        play(app, "C1", THREE)
        run_until(pg.url)
        slipped = _slip_in(master)
        run_until(pg.url)
        master.execute("DELETE FROM pitclerk_events WHERE notification_id = %s", (slipped,))
        if more:
            play(app, "C1", THREE)
            play(app, "C1", THREE)
            run_until(pg.url)
    with connector(pg.url)() as conn:
        verdict = verify_with_seals(conn)
    assert not verdict.ok
    assert (verdict.first_bad, verdict.last_bad) == (slipped, slipped), "though rows and chain agree"
    assert (verdict.seals.tree, verdict.seals.gone, verdict.seals.gone_events) == (False, slipped, 1)
    broken = {one["name"]: one["detail"] for one in check(pg.url)["identities"] if not one["ok"]}
    assert f"position {slipped} is a leaf of the tree and no event of the log any more" in broken["projection_seal"]
    for projection in all_projections():
        rebuild(pg.url, projection.name)
    with connector(pg.url)() as conn:
        assert verify_with_seals(conn).ok
    assert check(pg.url)["ok"]


def test_rows_that_the_tree_has_not_taken_in_yet_are_not_gone() -> None:
    leaf = bytes(32)
    assert gone_of([(2, leaf), (4, leaf), (7, leaf)], [2, 4, 7, 9]) == (None, 0)
    assert gone_of([(2, leaf), (4, leaf), (7, leaf), (8, leaf)], [2, 3, 7]) == (4, 2)
    assert gone_of([(2, leaf)], []) == (2, 1)
    assert gone_of([], [1]) == (None, 0)
