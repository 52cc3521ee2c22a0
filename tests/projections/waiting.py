"""Waiting with a deadline, never by sleeping and hoping."""

from __future__ import annotations

import time
from collections.abc import Callable

DEADLINE_S = 20.0


def until(what: Callable[[], object], *, seconds: float = DEADLINE_S) -> None:
    """Look until it is so; fail loudly after the deadline."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "the deadline has passed"
        time.sleep(0.005)  # the poll's pause; the deadline above decides
