"""Whose session a stream is: the opening event of each table session, looked up in the log once.

It is the first event of its stream and never changes, so a bounded cache of it is always right.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import psycopg

from domain.codec import UnreadableEventError, decode
from domain.events.base import Meta
from domain.events.session import SessionOpened
from projections.fold import FoldError
from projections.log_reader import Batch

SESSIONS_MAX = 4_096

_FIRST = (
    "SELECT originator_id, topic, state FROM public.pitclerk_events"
    " WHERE originator_id = ANY(%s) AND originator_version = 1"
)


class SessionBook:
    """stream -> its SessionOpened."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, SessionOpened] = OrderedDict()

    def learn(self, conn: psycopg.Connection[Any], batch: Batch, streams: set[str]) -> None:
        """Make sure that the sessions of these streams are known, from the batch itself or from the log."""
        for _, stream, _, _, opened in batch.of(SessionOpened):
            self._known[stream] = opened
        missing = [stream for stream in streams if stream not in self._known]
        if missing:
            self._fetch(conn, batch, missing)
        for stream in streams:
            self._known.move_to_end(stream)
        while len(self._known) > max(SESSIONS_MAX, len(streams)):
            self._known.popitem(last=False)

    def _fetch(self, conn: psycopg.Connection[Any], batch: Batch, missing: list[str]) -> None:
        for stream, topic, state in conn.execute(_FIRST, (missing,)).fetchall():
            if topic == SessionOpened.TOPIC:
                try:
                    opened = decode(topic, state)[1]
                except UnreadableEventError as error:
                    raise FoldError(
                        _first(batch, stream), f"the opening of {stream} cannot be read: {error}"
                    ) from error
                assert isinstance(opened, SessionOpened)
                self._known[stream] = opened
        for stream in missing:
            if stream not in self._known:
                raise FoldError(_first(batch, stream), f"{stream} does not begin with its session's opening")

    def __getitem__(self, stream: str) -> SessionOpened:
        return self._known[stream]

    def forget(self) -> None:
        self._known.clear()


def _first(batch: Batch, stream: str) -> int:
    """Where the batch first speaks of a stream."""
    return next((row[0] for row in batch.raw if row[1] == stream), batch.end)


def day_of(meta: Meta, session: SessionOpened) -> str:
    """The gaming day of what was recorded at a session: its own, of a late event that of the session it belongs to."""
    return (meta.gaming_day if meta.belongs_to is not None else None) or session.gaming_day


def table_of(stream: str) -> str:
    """The table of a table stream (`table/<table>/...`)."""
    return stream.split("/", 2)[1]
