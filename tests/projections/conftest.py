"""A connection to a fresh log as the service's role, and the projections run to its head by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from projections.advance import Advancer
from projections.catalog import all_projections
from projections.connect import connector
from tests.databases import Database

FoldAll = Callable[[], Advancer]


@pytest.fixture
def conn(pg: Database) -> Iterator[psycopg.Connection[Any]]:
    with connector(pg.url)() as connection:
        yield connection


@pytest.fixture
def fold_all(conn: psycopg.Connection[Any]) -> FoldAll:
    """Fold everything that is in the log now, with fresh projections."""

    def run() -> Advancer:
        advancer = Advancer(conn, all_projections())
        advancer.open()
        while advancer.step():
            pass
        return advancer

    return run
