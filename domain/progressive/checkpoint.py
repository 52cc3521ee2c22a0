"""The meter at the head of the log, read while the commit lock is held.

The projection's row is only a shortcut: whatever it has folded already need not be folded again here. Replay
recomputes every award from zero and demands the same.
"""

from collections.abc import Iterator, Mapping

import msgspec

from domain.codec import decode
from domain.progressive.folding import fold
from domain.progressive.meters import Meters
from domain.store.locked import JACKPOT_TOPICS, LockedLog

CHECKPOINT = "SELECT position, meters FROM views.jackpot_meters WHERE progressive = %s"


class MetersAtHead(Mapping[str, Meters]):
    """progressive id -> its meters at the head of the log, each folded when first asked for."""

    def __init__(self, log: LockedLog) -> None:
        self._log = log
        self._known: dict[str, Meters] = {}

    def __getitem__(self, progressive: str) -> Meters:
        if progressive not in self._known:
            self._known[progressive] = _at_head(self._log, progressive)
        return self._known[progressive]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def _at_head(log: LockedLog, progressive: str) -> Meters:
    """Raises KeyError for a progressive that was never opened."""
    position = 0
    running: dict[str, Meters] = {}
    for row in log.query(CHECKPOINT, (progressive,)):
        position = int(row[0])
        running[progressive] = msgspec.json.decode(row[1], type=Meters)
    for stored in log.events_after(position, JACKPOT_TOPICS):
        _, event = decode(stored.topic, stored.state)
        if getattr(event, "progressive", None) == progressive:
            fold(running, event)
    return running[progressive]
