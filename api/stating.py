"""A table as it stood at a position of the log, folded from its streams up to there and from nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec
import psycopg
from eventsourcing.persistence import StoredEvent

from domain import engine, streams
from domain.cache import StreamCache
from domain.table.registry import Registry
from domain.table.session import TableSession

_HEAD: Final = "SELECT coalesce(max(notification_id), 0) FROM public.pitclerk_events"
_STREAM: Final = """
SELECT originator_id, originator_version, topic, state FROM public.pitclerk_events
WHERE originator_id = %s AND originator_version > %s AND notification_id <= %s ORDER BY originator_version"""


class NoSuchStateError(Exception):
    """There is no such table at that position, or no such position."""


class _LogUpTo:
    """The streams as they were at a position."""

    def __init__(self, conn: psycopg.Connection[Any], position: int) -> None:
        self._conn = conn
        self._position = position

    def select_events(self, originator_id: str, *, gt: int | None = None) -> Iterator[StoredEvent]:
        rows = self._conn.execute(_STREAM, (originator_id, gt or 0, self._position)).fetchall()
        return (StoredEvent(stream, version, topic, bytes(state)) for stream, version, topic, state in rows)


def table_state(conn: psycopg.Connection[Any], table: str, at: int | None) -> dict[str, Any]:
    """Session, expected tray, limits and the round on the felt. Raises NoSuchStateError."""
    row = conn.execute(_HEAD).fetchone()
    assert row is not None, "an aggregate returns a row"
    head: int = row[0]
    position = head if at is None else at
    if position > head:
        raise NoSuchStateError(f"the log ends at position {head}, before {position}")
    log = StreamCache(_LogUpTo(conn, position))
    version, registry = log.load(streams.registry(table))
    assert isinstance(registry, Registry), "the registry stream holds a registry"
    if version == 0:
        raise NoSuchStateError(f"at position {position} there is no table {table!r}")
    document: dict[str, Any] = {"table": table, "position": position, "state": "closed", "sessions": registry.number}
    if registry.open_stream is None:
        return document | {"closer": registry.closer_total}
    session = log.load(registry.open_stream)[1]
    assert isinstance(session, TableSession), "a session stream holds a session"
    return document | _session(session)


def session_state(conn: psycopg.Connection[Any], stream: str, at: int) -> dict[str, Any]:
    """The same of one session, whatever the table's registry knew of it then. Raises NoSuchStateError."""
    version, session = StreamCache(_LogUpTo(conn, at)).load(stream)
    if version == 0:
        raise NoSuchStateError(f"at position {at} there is no session {stream!r}")
    assert isinstance(session, TableSession), "a session stream holds a session"
    about = {"table": session.opened.table, "position": at} | _session(session)
    return about | {"state": "closed"} if session.closed else about


def _session(session: TableSession) -> dict[str, Any]:
    opened = session.opened
    about: dict[str, Any] = {
        "state": "open",
        "session": opened.session,
        "gaming_day": opened.gaming_day,
        "shift": opened.shift,
        "ruleset": opened.ruleset,
        "ruleset_version": opened.ruleset_version,
        "progressive": opened.progressive,
        "limits": msgspec.to_builtins(session.limits),
        "opener": opened.opener_total,
        "tray": session.tray,
        "rounds": session.rounds,
        "round": None,
    }
    if session.round is not None:
        about["round"] = {
            "round": session.round.round_id,
            "number": session.round.number,
            "shoe": session.shoe,
            "exposure": msgspec.to_builtins(engine.exposure(session.round)),
            "next": engine.next_actions(session.round),
        }
    return about
