"""A log with idempotency keys, brought in from an export, was called broken: its answers stay where they were given."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from api.cli.publish import publish_shipped
from deploy.import_log import import_log
from domain.acts import tables
from domain.application import Act, Application
from domain.commands import BuyChips, OpenTable
from domain.events.base import Chips
from domain.request import Request
from projections.check import check
from tests.cli.program import pitclerk
from tests.databases import Database, Databases

OPENER = (Chips(500, 100),)
OPEN = OpenTable(ruleset="roulette-ua", currency="EUR", chip=50, min=500, max=10_000, opener=OPENER)
BUY = BuyChips(player="A", amount=500)


def keyed(url: str, acts: dict[str, Act]) -> None:
    """Each act under a key, as the service does them."""
    with Application(url, site="house") as application:
        publish_shipped(application, actor="test")
        for key, act in acts.items():
            application.handle(Request("token-1", "sue", "supervisor", key=key, digest=b"d"), act)


@pytest.fixture
def imported(pg: Database, databases: Databases, tmp_path: Path) -> Iterator[Database]:
    """The log of another database, brought in here."""
    file = tmp_path / "whole.jsonl"
    keyed(pg.url, {"open": partial(tables.open_table, table="R1", command=OPEN)})
    done = pitclerk("export", "--format", "jsonl", "--out", str(file), PITCLERK_DATABASE_URL=pg.url)
    assert done.status == 0, done.err
    with databases.fresh() as other:
        with file.open("rb") as source:
            import_log(other.superuser_url, source)
        yield other


def keys(url: str) -> Any:
    return next(one for one in check(url)["identities"] if one["name"] == "idempotency")


def test_its_keyed_saves_need_no_answers_here(imported: Database) -> None:
    assert keys(imported.url)["ok"], keys(imported.url)


def test_what_is_saved_here_since_does(imported: Database) -> None:
    keyed(imported.url, {"buy": partial(tables.buy_in, table="R1", command=BUY)})
    assert keys(imported.url)["ok"], keys(imported.url)
    with psycopg.connect(imported.superuser_url) as conn:
        conn.execute("SET LOCAL session_replication_role = replica")
        conn.execute("ALTER TABLE pitclerk_answers DISABLE TRIGGER USER")
        conn.execute("DELETE FROM pitclerk_answers WHERE key = 'buy'")
    assert not keys(imported.url)["ok"]
