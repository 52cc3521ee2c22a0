"""From a moment to a position: where the log stood when the clock said so."""

from __future__ import annotations

from datetime import datetime
from typing import LiteralString

from projections.reads.snapshot import Snapshot
from projections.reads.tree import log_head

_AT_OR_BEFORE: LiteralString = """
SELECT notification_id, recorded_at FROM public.pitclerk_events WHERE notification_id <= %s
ORDER BY notification_id DESC LIMIT 1"""


def position_before(look: Snapshot, moment: datetime) -> int:
    """The last position recorded before a moment; 0 where there is none.

    Times of recording never decrease with the position, so it is found by halving: some forty rows of the index,
    however long the log is.
    """
    low, high = 0, log_head(look)
    while low < high:
        middle = (low + high + 1) // 2
        row = _at_or_before(look, middle)
        if row is None or row[1] < moment:
            low = middle
        else:
            high = row[0] - 1
    row = _at_or_before(look, low)
    return 0 if row is None else row[0]


def _at_or_before(look: Snapshot, position: int) -> tuple[int, datetime] | None:
    found = look.rows(_AT_OR_BEFORE, (position,))
    return (int(found[0][0]), found[0][1]) if found else None
