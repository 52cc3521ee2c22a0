"""Fixtures shared by all tests: `pg`, a fresh migrated database on a real server."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.databases import Database, Databases

if TYPE_CHECKING:
    from collections.abc import Iterator


MEMORY = Path("/dev/shm")
ROOM = 6 << 30


def pytest_configure() -> None:
    """Keep what tests write in memory where there is room: most of their time is spent waiting for a disk to be sure.

    Servers stay as sure as ever of what they wrote, and what is killed here are processes, not machines.
    """
    if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


@pytest.fixture(scope="session")
def databases() -> Iterator[Databases]:
    """One server for the whole run: the packaged one, or that of PITCLERK_TEST_PROGRAMS (its directory of programs)."""
    # Not below pytest's own directory: root's is closed to the ordinary user that the server runs as.
    with tempfile.TemporaryDirectory(prefix="pitclerk-tests-") as home, Databases(Path(home)) as server:
        yield server


@pytest.fixture
def pg(databases: Databases) -> Iterator[Database]:
    """A database of this test's own, migrated, with an empty log."""
    with databases.fresh() as database:
        yield database
