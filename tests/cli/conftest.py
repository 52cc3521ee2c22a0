"""A home with a running server and a played floor, shared by the tests that only look at it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from deploy.embedded import EmbeddedServer
from tests.cli.program import pitclerk

ROUNDS, TABLES = 180, 9


class Played(NamedTuple):
    """A home in which a floor was simulated, and what `simulate` said."""

    home: Path
    report: dict[str, Any]


@pytest.fixture(scope="session")
def home() -> Iterator[Path]:
    """A home whose server stays up between commands, so that each need not start one."""
    # Not below pytest's own directory: root's is closed to the ordinary user that the server runs as.
    with tempfile.TemporaryDirectory(prefix="pitclerk-cli-") as directory, EmbeddedServer(Path(directory)):
        yield Path(directory)


@pytest.fixture(scope="session")
def played(home: Path) -> Played:
    """All games, some rounds each, by the seed 11."""
    options = ["--ruleset", "all", "--tables", str(TABLES), "--rounds", str(ROUNDS), "--seed", "11", "--json"]
    done = pitclerk("simulate", *options, home=home)
    assert done.status == 0, done.err
    return Played(home, done.json())
