"""`live`: one running service for the tests of a file; each makes its own tables."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from api import logs
from tests.api.live import Live, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.databases import Databases


@pytest.fixture(scope="module")
def live(databases: Databases) -> Iterator[Live]:
    logs.configure("json", level=logging.WARNING)
    with databases.fresh() as database, serving(database) as service:
        yield service
