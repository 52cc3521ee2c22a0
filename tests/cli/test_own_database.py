"""A database of the operator's own: told to be migrated first, migrated, and then used like any other."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from tests.cli.program import pitclerk
from tests.databases import Databases


@pytest.fixture
def blank(databases: Databases) -> Iterator[str]:
    """The address of an empty database, as its owner."""
    url = databases.server.superuser_url
    with psycopg.connect(make_conninfo(url, dbname="postgres"), autocommit=True) as conn:
        conn.execute("CREATE DATABASE own")
        try:
            yield make_conninfo(url, dbname="own")
        finally:
            conn.execute("DROP DATABASE own WITH (FORCE)")


@pytest.mark.parametrize(
    "command", [["verify"], ["check"], ["replay"], ["lag"], ["simulate", "--rounds", "5"], ["token", "list"]]
)
def test_a_database_without_tables_is_said_in_one_sentence(blank: str, command: list[str]) -> None:
    done = pitclerk(*command, PITCLERK_DATABASE_URL=blank)
    assert (done.status, done.out) == (2, "")
    assert "pitclerk migrate" in done.err
    assert "Traceback" not in done.err


def test_it_is_migrated_and_used(blank: str) -> None:
    migrated = pitclerk("migrate", "--json", PITCLERK_DATABASE_URL=blank).json()
    assert migrated["applied"]
    assert "texas-ua" in migrated["published"]
    played = pitclerk("simulate", "--rounds", "9", "--tables", "9", "--json", PITCLERK_DATABASE_URL=blank)
    assert (played.status, played.json()["rounds"]) == (0, 9)
    assert pitclerk("check", "--json", PITCLERK_DATABASE_URL=blank).status == 0
