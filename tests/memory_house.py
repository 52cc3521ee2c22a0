"""The domain without a database: streams in a dict, the same cache, acts and folds. For given/when/then tests."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from eventsourcing.persistence import StoredEvent

from domain.cache import StreamCache
from domain.codec import encode
from domain.events.base import Event
from domain.progressive.folding import fold
from domain.progressive.meters import Meters
from domain.progressive.port import MeterNeededError
from domain.request import Reply, Request
from domain.work import Work

Act = Callable[[Work], Reply]


class MemoryHouse:
    """Given what was done, when an act is done, then events are recorded or it is refused."""

    def __init__(self, seed: int = 1) -> None:
        self.log: list[tuple[str, Event]] = []
        self._stored: dict[str, list[StoredEvent]] = defaultdict(list)
        self._cache = StreamCache(self)
        self._random = random.Random(seed)
        self.now = datetime(2026, 3, 14, 18, 0, tzinfo=UTC)

    def select_events(self, originator_id: str, *, gt: int | None = None) -> list[StoredEvent]:
        return self._stored[originator_id][gt or 0 :]

    def do(
        self, act: Act, actor: str = "sue", role: str = "supervisor", *, at: datetime | None = None
    ) -> dict[str, Any]:
        """Do it and record it; the answer's body. Refusals come out as they are. at: its business time."""
        self.now += timedelta(seconds=1)
        try:
            work, reply = self._decide(act, actor, role, None, at)
        except MeterNeededError:
            work, reply = self._decide(act, actor, role, self.meters(), at)
        versions = dict(work.reads)
        for stream, meta, event in work.records:
            versions[stream] += 1
            named = msgspec.structs.replace(meta, event_id=f"e{len(self.log)}")
            self._stored[stream].append(StoredEvent(stream, versions[stream], event.TOPIC, encode(named, event)))
            self.log.append((stream, event))
        self._cache.advance(work.records)
        return dict(reply.body)

    def _decide(
        self, act: Act, actor: str, role: str, meters: dict[str, Meters] | None, at: datetime | None
    ) -> tuple[Work, Reply]:
        request = Request(identity=actor, actor=actor, role=role, at=at)
        work = Work(self._cache, request, site="test", clock_now=self.now, draw=self._random.randrange, meters=meters)
        return work, act(work)

    def look(self) -> Work:
        """A work to look at what stands now."""
        request = Request(identity="", actor="", role="")
        return Work(self._cache, request, site="test", clock_now=self.now, draw=self._random.randrange, meters=None)

    def meters(self) -> dict[str, Meters]:
        """Every progressive, folded from zero."""
        running: dict[str, Meters] = {}
        for _, event in self.log:
            fold(running, event)
        return running

    def events(self, kind: type[Event]) -> list[Any]:
        """All recorded events of one type, in order."""
        return [event for _, event in self.log if isinstance(event, kind)]
