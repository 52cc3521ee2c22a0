"""Every projection there is. One process folds them all, with one read of the log."""

from __future__ import annotations

from typing import Any

from projections.fold import Projection
from projections.jackpot_meters import JackpotMeters
from projections.table_hold import TableHold


def all_projections() -> list[Projection[Any]]:
    """Fresh objects: what they keep in memory belongs to whoever runs them."""
    return [JackpotMeters(), TableHold()]
