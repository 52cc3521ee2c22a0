"""Build a view anew beside the one in use, compare the two, and put the new one in its place.

The build is folded by the same runner of batches into the tables of schema `views_build`, at its own pace and position;
readers see the old rows until the swap commits. The same serves a changed fold (version n+1) and an audit of version n:
of equal versions at equal positions every row must be equal.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple, TypedDict

import psycopg
import structlog
from psycopg import sql

from projections import log_reader
from projections.advance import CHANNEL, Advancer
from projections.catalog import all_projections
from projections.connect import Connect, connector
from projections.fold import Projection
from projections.positions import Positions, Standing
from projections.store import BUILD, LIVE, table

log = structlog.get_logger(__name__)

REBUILD_LOCK = 7_046_029_254_386_353_141
"""The advisory lock of whoever uses the build tables."""

SWAP_TIMEOUT_MS = 600_000


class UnknownProjectionError(Exception):
    """No projection of this name."""


class RebuildBusyError(Exception):
    """Somebody else is rebuilding; there is one set of build tables."""


class BuildStoppedError(Exception):
    """The build met an event it cannot take."""


class TableDifference(TypedDict):
    """missing: rows of the new build that the view in use lacked; extra: rows it had that the build has not."""

    table: str
    missing: int
    extra: int


class Comparison(NamedTuple):
    """compared: whether the view in use stood at the build's position, so that every row had to be equal."""

    projection: str
    position: int
    compared: bool
    differences: list[TableDifference]


class RebuildResult(TypedDict):
    """compared: whether the view in use stood at the same position and version, so that rows had to be equal."""

    projection: str
    version: int
    position: int
    events: int
    compared: bool
    differences: list[TableDifference]
    swapped: bool
    seconds: float


class Build:
    """Projections on their way beside the ones in use. Owns the build tables while it lives."""

    def __init__(self, conn: psycopg.Connection[Any], projections: Sequence[Projection[Any]]) -> None:
        self.projections = projections
        self._conn = conn
        self._advancer = Advancer(conn, projections, BUILD)

    def begin(self) -> None:
        """Take the build tables and empty them. Raises RebuildBusyError."""
        row = self._conn.execute("SELECT pg_try_advisory_lock(%s)", (REBUILD_LOCK,)).fetchone()
        if row is None or not row[0]:
            raise RebuildBusyError("a rebuild is under way in another process")
        self._empty()
        self._advancer.open()

    def _empty(self) -> None:
        for projection in self.projections:
            for name in projection.tables:
                self._conn.execute(sql.SQL("TRUNCATE {}").format(table(BUILD, name)))
            Positions(BUILD).clear(self._conn, projection.name)

    def step(self, upto: int | None = None) -> bool:
        """One more batch, not beyond `upto`; False where there is nothing more. Raises BuildStoppedError."""
        folded = self._advancer.step(upto)
        self._check()
        return folded

    def _check(self) -> None:
        stopped = [f"{m.projection.name}: {m.error}" for m in self._advancer.members if m.error is not None]
        if stopped:
            raise BuildStoppedError("; ".join(stopped))

    @property
    def at(self) -> int:
        return self._advancer.at

    def swap(self, *, only_compare: bool = False) -> list[Comparison]:
        """Compare the build with the views in use and put it in their place, in one transaction.

        The views in use are held while that happens: their runner waits, their readers do not.
        """
        live = Positions(LIVE)
        with self._conn.transaction():
            self._conn.execute(sql.SQL("SET LOCAL statement_timeout = {}").format(SWAP_TIMEOUT_MS))
            standing = {p.name: live.lock(self._conn, (p.name, p.version)) for p in self.projections}
            front = max((s.at for s in standing.values() if s is not None), default=0)
            while self.at < front and self.step(front):
                pass
            found = [self._compare(p, standing[p.name]) for p in self.projections]
            if not only_compare:
                for projection in self.projections:
                    self._move_in(projection)
                    live.put(self._conn, (projection.name, projection.version), self.at)
                self._conn.execute("SELECT pg_notify(%s, %s)", (CHANNEL, str(self.at)))
            self._empty()
        return found

    def _compare(self, projection: Projection[Any], standing: Standing | None) -> Comparison:
        compared = standing is not None and standing.at == self.at
        return Comparison(projection.name, self.at, compared, self._differences(projection) if compared else [])

    def release(self) -> None:
        """Give the build tables back."""
        self._conn.execute("SELECT pg_advisory_unlock(%s)", (REBUILD_LOCK,))

    def _differences(self, projection: Projection[Any]) -> list[TableDifference]:
        found = []
        for name in projection.tables:
            missing, extra = self._count(BUILD, LIVE, name), self._count(LIVE, BUILD, name)
            if missing or extra:
                found.append(TableDifference(table=name, missing=missing, extra=extra))
        return found

    def _count(self, of: str, without: str, name: str) -> int:
        statement = sql.SQL("SELECT count(*) FROM (TABLE {} EXCEPT ALL TABLE {}) AS d")
        row = self._conn.execute(statement.format(table(of, name), table(without, name))).fetchone()
        assert row is not None
        return int(row[0])

    def _move_in(self, projection: Projection[Any]) -> None:
        for name in projection.tables:
            old, new = table(LIVE, name), table(BUILD, name)
            self._conn.execute(sql.SQL("DELETE FROM {}").format(old))
            self._conn.execute(sql.SQL("INSERT INTO {} TABLE {}").format(old, new))


def rebuild(connect: str | Connect, name: str, *, swap: bool = True) -> RebuildResult:
    """Build the projection of this name from the whole log, compare, and (unless told not to) swap it in.

    Raises UnknownProjectionError, RebuildBusyError, BuildStoppedError.
    """
    began = time.perf_counter()
    projection = next((p for p in all_projections() if p.name == name), None)
    if projection is None:
        raise UnknownProjectionError(
            f"no projection {name!r}; there are {', '.join(p.name for p in all_projections())}"
        )
    opener = connector(connect) if isinstance(connect, str) else connect
    with opener() as conn:
        build = Build(conn, [projection])
        build.begin()
        try:
            while build.step():
                pass
            (found,) = build.swap(only_compare=not swap)
        finally:
            build.release()
        events = _count_to(conn, found.position)
    log.info("projection rebuilt", projection=name, position=found.position, swapped=swap)
    return RebuildResult(
        projection=name,
        version=projection.version,
        position=found.position,
        events=events,
        compared=found.compared,
        differences=found.differences,
        swapped=swap,
        seconds=round(time.perf_counter() - began, 3),
    )


def compare_anew(connect: str | Connect, projections: Sequence[Projection[Any]]) -> list[Comparison]:
    """Build these from the whole log and compare them with the views in use, which stay.

    Raises RebuildBusyError, BuildStoppedError.
    """
    opener = connector(connect) if isinstance(connect, str) else connect
    with opener() as conn:
        standing = Positions(LIVE).read(conn)
        front = max((standing[p.name, p.version].at for p in projections if (p.name, p.version) in standing), default=0)
        build = Build(conn, projections)
        build.begin()
        try:
            while build.at < front and build.step(front):
                pass
            return build.swap(only_compare=True)
        finally:
            build.release()


def _count_to(conn: psycopg.Connection[Any], position: int) -> int:
    row = conn.execute(
        "SELECT count(*) FROM public.pitclerk_events WHERE notification_id <= %s", (position,)
    ).fetchone()
    assert row is not None
    return int(row[0])


def needs_build(conn: psycopg.Connection[Any], projection: Projection[Any]) -> bool:
    """Whether the view in use is another version's, so that this one must first be built beside it."""
    found = Positions(LIVE).read(conn)
    versions = {version for name, version in found if name == projection.name}
    return bool(versions) and projection.version not in versions and log_reader.head(conn) > 0
