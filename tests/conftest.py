"""Fixtures shared by all tests: `pg`, a fresh migrated database on a real server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.databases import Database, Databases

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    """One server for the whole run: the packaged one, or that of PITCLERK_TEST_PROGRAMS (its directory of programs)."""
    with Databases(tmp_path_factory.mktemp("pg")) as server:
        yield server


@pytest.fixture
def pg(databases: Databases) -> Iterator[Database]:
    """A database of this test's own, migrated, with an empty log."""
    with databases.fresh() as database:
        yield database
