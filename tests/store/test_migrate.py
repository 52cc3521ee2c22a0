"""Migrations: once each, in order, by one process at a time, and never a file that has changed."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from deploy.migrate import (
    HERE,
    DatabaseIsNewerError,
    MigrationChangedError,
    MigrationError,
    migrate,
    shipped,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.databases import Database, Databases


@pytest.fixture
def empty(databases: Databases) -> Iterator[str]:
    """The superuser's address of a database without any of our tables."""
    with databases.fresh(template="template0") as database:
        yield database.superuser_url


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A copy of the shipped migrations that a test may change."""
    return Path(shutil.copytree(HERE / "migrations", tmp_path / "migrations"))


def applied(url: str) -> list[int]:
    with psycopg.connect(url) as conn:
        return [row[0] for row in conn.execute("SELECT number FROM schema_migrations ORDER BY number")]


def test_every_file_is_applied_once_and_in_order(empty: str) -> None:
    names = [script.name for script in shipped()]
    assert migrate(empty) == ["roles.sql", *names]
    assert migrate(empty) == []
    assert names == sorted(names)


def test_a_migrated_database_can_be_asked_by_the_service(pg: Database) -> None:
    assert migrate(pg.url) == []


def test_concurrent_starters_wait_for_one_another(empty: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        done = [names for names in pool.map(migrate, [empty] * 4) if names]
    assert len(done) == 1


def test_a_new_file_is_applied_alone(empty: str, directory: Path) -> None:
    migrate(empty, directory=directory)
    (directory / "9000_more.sql").write_text("CREATE TABLE views.more (a int);", "utf-8")
    assert migrate(empty, directory=directory) == ["9000_more.sql"]


def test_a_changed_file_is_refused(empty: str, directory: Path) -> None:
    migrate(empty, directory=directory)
    with (directory / "0001_log.sql").open("a") as file:
        file.write("-- one more line\n")
    with pytest.raises(MigrationChangedError, match=r"0001_log\.sql"):
        migrate(empty, directory=directory)


def test_a_newer_database_is_refused(empty: str, directory: Path) -> None:
    (directory / "9000_more.sql").write_text("SELECT 1;", "utf-8")
    migrate(empty, directory=directory)
    with pytest.raises(DatabaseIsNewerError, match="9000"):
        migrate(empty)


def test_a_failing_file_leaves_those_before_it(empty: str, directory: Path) -> None:
    (directory / "9000_half.sql").write_text("CREATE TABLE views.half (a int); SELECT nonsense;", "utf-8")
    with pytest.raises(MigrationError, match=r"9000_half\.sql.*nonsense"):
        migrate(empty, directory=directory)
    assert 9000 not in applied(empty)
    (directory / "9000_half.sql").write_text("CREATE TABLE views.half (a int);", "utf-8")
    assert migrate(empty, directory=directory) == ["9000_half.sql"]


@pytest.mark.parametrize("name", ["0001_again.sql", "12_short.sql", "0000_roles.sql", "0020_Name.sql"])
def test_a_wrong_name_is_refused(directory: Path, name: str) -> None:
    (directory / name).write_text("SELECT 1;", "utf-8")
    with pytest.raises(MigrationError):
        shipped(directory)
