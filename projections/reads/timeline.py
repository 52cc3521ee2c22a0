"""A table through time: its sessions, the events of each in their order, and the rounds before and after a round."""

from __future__ import annotations

from datetime import datetime
from typing import Any, LiteralString

from msgspec import Struct

from domain.codec import decode
from domain.events.play import RoundOpened
from projections.reads.snapshot import Snapshot, utc

MOST_SESSIONS = 400


class Session(Struct):
    """One session of a table. events: how many its stream holds now."""

    session: str
    stream: str
    gaming_day: str
    shift: str
    ruleset: str
    currency: str
    opened_at: datetime
    closed_at: datetime | None
    events: int


class Moment(Struct):
    """One event of a session's stream: which one it is there, and where in the log."""

    version: int
    position: int
    topic: str
    recorded_at: datetime


_SESSIONS: LiteralString = """
SELECT s.session, s.stream, s.gaming_day, s.shift, s.ruleset, s.currency, s.opened_at, s.closed_at,
       (SELECT coalesce(max(e.originator_version), 0) FROM public.pitclerk_events e WHERE e.originator_id = s.stream)
FROM views.table_hold_sessions s """
_OF_TABLE: LiteralString = _SESSIONS + "WHERE s.table_name = %s ORDER BY s.opened_at DESC, s.number DESC LIMIT %s"
_OF_STREAM: LiteralString = _SESSIONS + "WHERE s.stream = %s"

_MOMENT: LiteralString = """
SELECT originator_version, notification_id, topic, recorded_at FROM public.pitclerk_events
WHERE originator_id = %s AND originator_version = %s"""
# A stream's positions rise with its versions, so the last one up to a position is found from its end.
_UP_TO: LiteralString = """
SELECT originator_version, notification_id, topic, recorded_at FROM public.pitclerk_events
WHERE originator_id = %s AND notification_id <= %s ORDER BY originator_version DESC LIMIT 1"""
# Found from the version backwards over the stream's primary key: never further than one round is long.
_ROUND_AT: LiteralString = """
SELECT state FROM public.pitclerk_events WHERE originator_id = %s AND originator_version <= %s AND topic = %s
ORDER BY originator_version DESC LIMIT 1"""

_BEFORE: LiteralString = """
SELECT round FROM views.rounds WHERE table_name = %s AND first_position < %s ORDER BY first_position DESC LIMIT 1"""
_AFTER: LiteralString = """
SELECT round FROM views.rounds WHERE table_name = %s AND first_position > %s ORDER BY first_position LIMIT 1"""


def sessions_of(look: Snapshot, table: str, limit: int = MOST_SESSIONS) -> list[Session]:
    """The sessions of a table, the newest first; none for a table that was never opened."""
    return [_session(row) for row in look.rows(_OF_TABLE, (table, limit))]


def session_of(look: Snapshot, stream: str) -> Session | None:
    """The session that a stream holds."""
    return next((_session(row) for row in look.rows(_OF_STREAM, (stream,))), None)


def moment_of(look: Snapshot, stream: str, version: int) -> Moment | None:
    """The event of that version."""
    return next((_moment(row) for row in look.rows(_MOMENT, (stream, version))), None)


def moment_at(look: Snapshot, stream: str, position: int) -> Moment | None:
    """The last event of a stream up to a position; None where the stream begins later."""
    return next((_moment(row) for row in look.rows(_UP_TO, (stream, position))), None)


def round_at(look: Snapshot, stream: str, version: int) -> str | None:
    """The round that began last in a session up to that version, on the felt or settled."""
    for (state,) in look.rows(_ROUND_AT, (stream, version, RoundOpened.TOPIC)):
        event = decode(RoundOpened.TOPIC, state)[1]
        assert isinstance(event, RoundOpened), "a topic has one kind of event"
        return event.round
    return None


def rounds_beside(look: Snapshot, table: str, first_position: int) -> tuple[str | None, str | None]:
    """The rounds that began before and after one at its table."""
    before, after = (look.rows(one, (table, first_position)) for one in (_BEFORE, _AFTER))
    return (before[0][0] if before else None), (after[0][0] if after else None)


def _session(row: tuple[Any, ...]) -> Session:
    found = Session(*row)
    found.opened_at, found.closed_at = utc(found.opened_at) or found.opened_at, utc(found.closed_at)
    return found


def _moment(row: tuple[Any, ...]) -> Moment:
    version, position, topic, recorded_at = row
    return Moment(version, position, topic, utc(recorded_at) or recorded_at)
