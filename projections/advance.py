"""Move projections through the log, a batch and a transaction at a time; leading and waiting are `runner`'s.

Exactly once: the first statement of a batch's transaction moves the positions from where the batch began, and if that
does not change exactly the rows it should, somebody else has folded meanwhile and the batch is given up. Projections
that stand at one position go through the log together: one read, one decode.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
import structlog

from projections.fold import FoldError, Projection
from projections.log_reader import BATCH, Batch, UnreadableRowError, read_batch
from projections.positions import Key, Positions
from projections.store import LIVE

log = structlog.get_logger(__name__)

CHANNEL = "pitclerk_views"
"""NOTIFY channel: after each commit the position (decimal text) at which the views are now true."""

BATCH_FAR = 8 * BATCH
"""Events a batch while far behind: statements and commits cost less an event."""


class OvertakenError(Exception):
    """Somebody else moved the positions: read them again."""


@dataclass(slots=True)
class Member:
    """One projection and how far it is.

    error: why it stands still; it is not moved any more. limit: events of its next batch, more while it is far behind.
    barrier: the next batch ends here, because something after it failed and is being narrowed down.
    """

    projection: Projection[Any]
    at: int = 0
    epoch: int = 0
    error: str | None = None
    limit: int = BATCH
    barrier: int | None = None

    @property
    def key(self) -> Key:
        return self.projection.name, self.projection.version


class Advancer:
    """Some projections on one connection (autocommit), in one schema."""

    def __init__(
        self, conn: psycopg.Connection[Any], projections: Sequence[Projection[Any]], schema: str = LIVE
    ) -> None:
        self.conn = conn
        self.schema = schema
        self.members = [Member(projection) for projection in projections]
        self._positions = Positions(schema)

    def open(self) -> None:
        """Enter new projections, read all positions, give stopped ones another try."""
        found = self._positions.enter(self.conn, [m.key for m in self.members])
        for member in self.members:
            member.projection.forget()
            member.at, member.epoch, member.error = found[member.key].at, found[member.key].epoch, None
            member.limit, member.barrier = BATCH, None

    def adopt(self, projection: Projection[Any]) -> None:
        """Take in one more, where it stands."""
        self.members.append(Member(projection))
        self.open()

    @property
    def at(self) -> int:
        """Up to where every projection that still moves has folded."""
        return min((m.at for m in self.moving), default=0)

    @property
    def moving(self) -> list[Member]:
        """The projections that are not stopped."""
        return [m for m in self.members if m.error is None]

    def forget(self) -> None:
        """Drop what the folds keep in memory."""
        for member in self.members:
            member.projection.forget()

    def step(self, upto: int | None = None) -> bool:
        """Fold one batch; False when there was nothing to fold.

        While some projections are behind the others (a new one, one that was stopped), first those at the front get
        what is new and then those furthest behind get a batch, so that nobody's figures wait for another's past.
        upto: not beyond this position. Raises OvertakenError; psycopg.OperationalError where the connection is lost.
        Nothing is half done after either.
        """
        stands = sorted({m.at for m in self.moving})
        if not stands:
            return False
        if len(stands) == 1:
            return self._advance(stands[0], upto)
        front = self._advance(stands[-1], upto)
        return self._advance(stands[0], stands[1]) or front

    def _advance(self, at: int, upto: int | None) -> bool:
        """One batch for the projections that stand at a position."""
        group = [m for m in self.moving if m.at == at]
        if not group:
            return False
        bounds = [bound for bound in (upto, *(m.barrier for m in group)) if bound is not None]
        topics = frozenset().union(*(m.projection.topics for m in group))
        limit = min(m.limit for m in group)
        batch = read_batch(self.conn, at, topics, limit, min(bounds, default=None))
        for member in group:
            member.limit = self._next_limit(limit, len(batch))
        if batch:
            self._fold_and_store(group, batch)
            return True
        if batch.unreadable is not None:
            self._stop_unreadable(group, batch.unreadable)
            return True
        narrowed = any(m.barrier is not None for m in group)
        for member in group:
            member.barrier = None
        return narrowed

    @staticmethod
    def _next_limit(limit: int, read: int) -> int:
        return min(2 * limit, BATCH_FAR) if read == limit else BATCH

    def _fold_and_store(self, group: list[Member], batch: Batch) -> None:
        changes: list[tuple[Member, Any]] = []
        for member in group:
            try:
                member.projection.load(self.conn, self.schema, batch)
                changes.append((member, member.projection.fold(batch)))
            except (psycopg.OperationalError, psycopg.InterfaceError):
                self.forget()
                raise
            except Exception as error:  # whatever a fold trips over stops that fold, and not the runner
                self._failed(member, group, batch, error)
                return
        writing = group[0]
        try:
            with self.conn.transaction(), self.conn.cursor() as cursor:
                keys, epochs = [m.key for m in group], [m.epoch for m in group]
                if not self._positions.move(cursor, keys, epochs, batch.start, batch.end):
                    raise OvertakenError(f"positions moved away from {batch.start}")
                for writing, change in changes:
                    writing.projection.store(cursor, self.schema, change)
                if self.schema == LIVE:
                    reached = min(m.at if m not in group else batch.end for m in self.moving)
                    cursor.execute("SELECT pg_notify(%s, %s)", (CHANNEL, str(reached)), prepare=True)
        except (psycopg.OperationalError, psycopg.InterfaceError, OvertakenError):
            self.forget()
            raise
        except psycopg.Error as error:
            self._failed(writing, group, batch, error)
            return
        for member in group:
            member.at = batch.end

    def _failed(self, member: Member, group: list[Member], batch: Batch, error: Exception) -> None:
        """Stop the projection at the event it cannot take, after it has folded everything before.

        A fold that does not say which event that is gets smaller batches until there is only one.
        """
        self.forget()  # folds that went well have moved their memory
        if isinstance(error, FoldError) and error.position <= batch.end:
            before = [row[0] for row in batch.raw if row[0] < error.position]
            position, cause = error.position, error.cause
        else:
            before = [row[0] for row in batch.raw[: len(batch) // 2]]
            position, cause = batch.end, f"{type(error).__name__}: {error}"
        for one in group:
            one.barrier = before[-1] if before else None
        if not before:
            self._stop(member, position, cause)

    def _stop_unreadable(self, group: list[Member], row: UnreadableRowError) -> None:
        wanting = [m for m in group if row.topic in m.projection.topics] or group
        for member in wanting:
            self._stop(member, row.position, row.cause)

    def _stop(self, member: Member, position: int, cause: str) -> None:
        name, version = member.key
        member.error = f"position {position}: {cause}"
        log.error("projection stopped", projection=name, version=version, position=position, cause=cause)
        self._positions.stop(self.conn, member.key, member.error)
