"""Leaf bytes back to the events that they are."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

import msgspec

from domain.codec import UnreadableEventError, decode
from domain.events.base import Event, Meta
from domain.merkle import ProofError
from domain.proof import columns

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class EvidenceError(Exception):
    """A bundle that does not hold, or that cannot be made; the message says what is wrong."""


class Leaf(NamedTuple):
    """One event as the chain and the tree hash it."""

    position: int
    stream: str
    version: int
    recorded_at: datetime
    meta: Meta
    event: Event

    def said(self) -> dict[str, Any]:
        """The event for people: who and when beside what it says."""
        return {
            "position": self.position,
            "stream": self.stream,
            "version": self.version,
            "type": self.event.TOPIC,
            "event_id": self.meta.event_id,
            "recorded_at": self.recorded_at.isoformat(),
            "happened_at": self.meta.happened_at.isoformat(),
            "actor": self.meta.actor,
            "approver": self.meta.approver,
            "late": self.meta.late,
            "data": msgspec.to_builtins(self.event),
        }


def leaves_of(data: Iterable[bytes]) -> list[Leaf]:
    """The events of leaf bytes, in the order of the log. Raises EvidenceError."""
    try:
        return sorted(map(_leaf, data))
    except (ProofError, UnreadableEventError, OverflowError) as error:
        raise EvidenceError(str(error)) from error


def _leaf(data: bytes) -> Leaf:
    position, stream, version, topic, state, micros = columns(data)
    meta, event = decode(topic, state)
    return Leaf(position, stream, version, _EPOCH + timedelta(microseconds=micros), meta, event)
