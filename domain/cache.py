"""Folded states of streams, kept between requests so that a decision needs no read of the database.

The cache may lag behind other processes: the save checks the versions, and a refusal is believed only after `refresh`.
Entries beyond the bound are dropped, oldest use first; a dropped stream is read again when it is needed.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from eventsourcing.persistence import StoredEvent

from domain import cage, counts, displays, house, inbox, prints, program, slips, streams
from domain.codec import decode
from domain.events.base import Event, Meta
from domain.progressive import config, games
from domain.refusals import Refusal
from domain.ruleset import Ruleset, load_text
from domain.table import registry, session

STREAMS_MAX = 4096


class Reader(Protocol):
    """Where streams are read from."""

    def select_events(self, originator_id: str, *, gt: int | None = None) -> Iterable[StoredEvent]: ...


class StreamCache:
    """stream -> (version, state); version 0 and a fresh state for a stream that does not exist."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._entries: OrderedDict[str, tuple[int, Any]] = OrderedDict()
        self._rulesets: dict[str, Ruleset] = {}

    def load(self, stream: str) -> tuple[int, Any]:
        """The stream's version and state, from the cache where it is there."""
        entry = self._entries.get(stream)
        if entry is None:
            self._read(stream)
            entry = self._entries[stream]
        self._entries.move_to_end(stream)
        return entry

    def events(self, stream: str) -> Iterable[tuple[Meta, Event]]:
        """All events of a stream, read from the log."""
        for stored in self._reader.select_events(stream):
            yield decode(stored.topic, stored.state)

    def refresh(self, reads: Mapping[str, int]) -> bool:
        """Read what is new on these streams; True if any of them has moved past the version given."""
        moved = False
        for stream, version in reads.items():
            if self._read(stream) != version:
                moved = True
        return moved

    def advance(self, saved: Iterable[tuple[str, Meta, Event]]) -> None:
        """Fold events that this process has just saved."""
        for stream, meta, event in saved:
            version, state = self._entries.pop(stream, (0, None))
            self._put(stream, version + 1, self._fold(stream, state, meta, event))

    def forget(self) -> None:
        """Drop everything: the next decision reads the log."""
        self._entries.clear()

    def ruleset(self, digest: str) -> Ruleset:
        """The published ruleset of a digest, read from the log once and kept ready to play."""
        known = self._rulesets.get(digest)
        if known is None:
            published = self._of_house().by_digest.get(digest)
            if published is None:
                self._read(streams.HOUSE)
                published = self._of_house().by_digest.get(digest)
            if published is None:
                raise Refusal("unknown_ruleset", f"no ruleset of digest {digest} is published")
            known = self._rulesets[digest] = load_text(published.text)
        return known

    def _of_house(self) -> house.House:
        state = self.load(streams.HOUSE)[1]
        assert isinstance(state, house.House)
        return state

    def _read(self, stream: str) -> int:
        """Fold what is newer than the entry; the version reached. A fold that fails leaves no half-moved entry."""
        version, state = self._entries.pop(stream, (0, None))
        for stored in self._reader.select_events(stream, gt=version):
            meta, event = decode(stored.topic, stored.state)
            state = self._fold(stream, state, meta, event)
            version = stored.originator_version
        self._put(stream, version, _FRESH[streams.kind(stream)]() if state is None else state)
        return version

    def _put(self, stream: str, version: int, state: Any) -> None:
        self._entries[stream] = (version, state)
        while len(self._entries) > STREAMS_MAX:
            self._entries.popitem(last=False)

    def _fold(self, stream: str, state: Any, meta: Meta, event: Event) -> Any:
        kind = streams.kind(stream)
        if kind == "session":
            return session.evolve(state, meta, event, self.ruleset)
        if state is None:
            state = _FRESH[kind]()
        return _EVOLVE[kind](state, meta, event)


def _no_session() -> None:
    return None


_FRESH: dict[str, Any] = {
    "house": house.House,
    "program": program.Program,
    "registry": registry.Registry,
    "progressive": config.Progressive,
    "games": games.Games,
    "slips": slips.SlipBook,
    "prints": prints.Prints,
    "displays": displays.Displays,
    "count": counts.CountBook,
    "window": cage.Window,
    "cage": cage.CageShift,
    "inbox": inbox.Inbox,
    "session": _no_session,
}
_EVOLVE: dict[str, Any] = {
    "house": house.evolve,
    "program": program.evolve,
    "registry": registry.evolve,
    "progressive": config.evolve,
    "games": games.evolve,
    "slips": slips.evolve,
    "prints": prints.evolve,
    "displays": displays.evolve,
    "count": counts.evolve,
    "window": cage.evolve_window,
    "cage": cage.evolve,
    "inbox": inbox.evolve,
}
