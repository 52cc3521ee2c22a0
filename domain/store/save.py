"""What one save asks for, and what it has done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from eventsourcing.persistence import StoredEvent

if TYPE_CHECKING:
    from datetime import datetime

    from domain.store.locked import LockedLog


class AnswerRow(NamedTuple):
    """The answer of an idempotent request. `digest` covers the request, `position` is its last event's."""

    identity: str
    key: str
    digest: bytes
    status: int
    answer: bytes
    position: int


class Placed(NamedTuple):
    """Where and when one event was recorded."""

    position: int
    stream: str
    version: int
    topic: str
    recorded_at: datetime


Finish = Callable[["LockedLog"], Sequence[StoredEvent]]
Answer = Callable[[Sequence[Placed]], AnswerRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class Save:
    """Conditions and additions of a save, all in the transaction of its events.

    `versions`: the last version that each stream the decision rests on must still have; 0: it must not exist. The
    streams written to are checked by the versions of their new events anyway.
    `identity`, `key`: scope and idempotency key; both or neither. An answer kept under them ends the save.
    `finish`: called under the commit lock; its events are recorded instead of those given. It must not wait for
    anything: every other writer waits for it.
    `answer`: builds the row to keep for `identity`, `key` once the positions are known.
    """

    versions: Mapping[str, int] = field(default_factory=dict)
    identity: str = ""
    key: str = ""
    finish: Finish | None = None
    answer: Answer | None = None

    def __post_init__(self) -> None:
        if bool(self.identity) != bool(self.key) or (self.answer is not None and not self.key):
            raise ValueError("an answer is kept under an identity and a key: give both, or neither and no answer")


class Saved(NamedTuple):
    """What a save recorded, in order, and the answer kept with it."""

    placed: Sequence[Placed]
    answer: AnswerRow | None
