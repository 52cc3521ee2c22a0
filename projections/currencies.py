"""Which currency a stream's money is in: said by the event that opens it, looked up in the log once.

A stream's currency never changes, so a bounded cache of it is always right.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import psycopg

from domain.codec import decode
from domain.events.base import Event
from domain.events.cage import WindowOpened
from domain.events.progressive import ProgressiveOpened
from domain.events.session import SessionOpened
from projections.fold import FoldError
from projections.log_reader import Batch

STREAMS_MAX = 4_096

OPENINGS = (SessionOpened, ProgressiveOpened, WindowOpened)

_OPENINGS = (
    "SELECT originator_id, topic, state FROM public.pitclerk_events WHERE originator_id = ANY(%s) AND topic = ANY(%s)"
)


def said_by(event: Event) -> str | None:
    """The currency that an event names itself; None: its stream's opening names it."""
    return getattr(event, "currency", None)


class CurrencyBook:
    """stream -> currency, for streams of sessions, progressives and cashiers' shifts."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, str] = OrderedDict()

    def learn(self, conn: psycopg.Connection[Any], batch: Batch, streams: set[str]) -> None:
        """Make sure that the currencies of these streams are known. Raises FoldError where the log does not say."""
        for _, stream, _, _, opened in batch.merged(*OPENINGS):
            self._known[stream] = opened.currency  # type: ignore[attr-defined]
        missing = [stream for stream in streams if stream not in self._known]
        if missing:
            topics = [kind.TOPIC for kind in OPENINGS]
            for stream, topic, state in conn.execute(_OPENINGS, (missing, topics)).fetchall():
                self._known[stream] = decode(topic, state)[1].currency  # type: ignore[attr-defined]
        for stream in streams:
            if stream not in self._known:
                at = next((row[0] for row in batch.raw if row[1] == stream), batch.end)
                raise FoldError(at, f"the log does not say in which currency {stream} is")
            self._known.move_to_end(stream)
        while len(self._known) > max(STREAMS_MAX, len(streams)):
            self._known.popitem(last=False)

    def __getitem__(self, stream: str) -> str:
        return self._known[stream]

    def forget(self) -> None:
        self._known.clear()
