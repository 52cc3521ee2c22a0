"""`lines`: what the audit tools write to the program's own log."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

import pytest
import structlog
from structlog.testing import capture_logs

from api import second_opinion, viewed
from tests.cli.conftest import home, played

__all__ = ["home", "lines", "played"]


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[MutableMapping[str, Any]]]:
    """The structured lines of a test, as they are written; loggers that other tests have bound are set aside."""
    monkeypatch.setattr(second_opinion, "log", structlog.get_logger("pitclerk.shadow"))
    monkeypatch.setattr(viewed, "log", structlog.get_logger("pitclerk.reports"))
    with capture_logs() as logged:
        yield logged
