"""Every projection there is. One process folds them all, with one read of the log."""

from __future__ import annotations

from typing import Any

from projections.box_limits import BoxLimits
from projections.cage import Cage
from projections.counts import Counts
from projections.exceptions import Exceptions
from projections.finder import Finder
from projections.fold import Projection
from projections.gaming_days import GamingDays
from projections.jackpot_days import JackpotDays
from projections.jackpot_meters import JackpotMeters
from projections.journal import Journal
from projections.paper import Paper
from projections.rounds import Rounds
from projections.seal import Seal
from projections.sessions import SessionBook
from projections.table_hold import TableHold
from projections.tables import Tables


def all_projections() -> list[Projection[Any]]:
    """Fresh objects: what they keep in memory belongs to whoever runs them."""
    sessions = SessionBook()
    jackpots: list[Projection[Any]] = [JackpotMeters(), JackpotDays(sessions)]
    return [*jackpots, TableHold(), BoxLimits(sessions), Rounds(sessions), Tables(), Seal(), Finder(), *_money()]


def _money() -> list[Projection[Any]]:
    """The money room's."""
    return [GamingDays(), Counts(), Cage(), Journal(), Exceptions(), Paper()]
