"""Bring the views to a position: wait for whoever runs them, or run them here if nobody does."""

from __future__ import annotations

import time
from typing import Any

import psycopg

from projections import log_reader
from projections.advance import Advancer, OvertakenError
from projections.catalog import all_projections
from projections.connect import Connect, connector
from projections.runner import release, try_lead

STALLED_S = 30.0
LOOK_S = 0.02

_STANDING = "SELECT name, version, at, error FROM views.positions"


class StalledError(Exception):
    """The views did not reach the position: somebody leads and does not move, or projections have stopped."""


def run_until(connect: str | Connect, position: int | None = None, *, stalled_s: float = STALLED_S) -> int:
    """Wait until every projection has folded the log up to `position` (the head as it is now); the position.

    Folds here if nobody leads. Raises StalledError when nothing moves for `stalled_s` seconds or a projection has
    stopped at an event it cannot take.
    """
    opener = connector(connect) if isinstance(connect, str) else connect
    with opener() as conn:
        target = log_reader.head(conn) if position is None else position
        at, moved = -1, time.monotonic()
        while at < target:
            if try_lead(conn):
                try:
                    return _fold_until(conn, target)
                finally:
                    release(conn)
            now_at = _standing(conn)
            if now_at > at:
                at, moved = now_at, time.monotonic()
            elif time.monotonic() - moved > stalled_s:
                raise StalledError(
                    f"the views stand at {at} and {target} is wanted; nothing has moved for {stalled_s:.0f} s"
                )
            if at < target:
                time.sleep(LOOK_S)  # another process folds; bounded by `stalled_s` without a move
        return at


def _fold_until(conn: psycopg.Connection[Any], target: int) -> int:
    advancer = Advancer(conn, all_projections())
    advancer.open()
    while advancer.at < target:
        try:
            folded = advancer.step()
        except OvertakenError:
            advancer.open()
            continue
        stopped = [f"{m.projection.name}: {m.error}" for m in advancer.members if m.error is not None]
        if stopped:
            raise StalledError("; ".join(stopped))
        if not folded:
            raise StalledError(f"the log ends at {advancer.at}, before {target}")
    return advancer.at


def _standing(conn: psycopg.Connection[Any]) -> int:
    """The position that all projections of this program have reached. Raises StalledError for a stopped one."""
    wanted = {(p.name, p.version) for p in all_projections()}
    found = {(n, v): (at, error) for n, v, at, error in conn.execute(_STANDING).fetchall() if (n, v) in wanted}
    stopped = [f"{name}: {error}" for (name, _), (_, error) in found.items() if error is not None]
    if stopped:
        raise StalledError("; ".join(stopped))
    return min(at for at, _ in found.values()) if len(found) == len(wanted) else 0
