"""Events to bytes and back: JSON in the log, strictly typed on the way in.

A row's state is `{"v": VERSION, "meta": {...}, "data": {...}}`. Reading refuses an unknown topic or field and a
version from the future; an older version passes through `domain.upcasts` first.
"""

from typing import Any, Generic, TypeVar

import msgspec

from domain.events.base import Event, Meta
from domain.events.registry import EVENTS
from domain.upcasts import UPCASTS

T = TypeVar("T", bound=Event)


class Stored(msgspec.Struct, Generic[T], frozen=True, forbid_unknown_fields=True, gc=False):
    """The shape of a row's state."""

    v: int
    meta: Meta
    data: T


class UnreadableEventError(Exception):
    """A stored event that this program cannot read: unknown topic, version from the future or a broken state."""


_ENCODER = msgspec.json.Encoder()
_DECODERS: dict[str, tuple[int, msgspec.json.Decoder[Any]]] = {
    topic: (cls.VERSION, msgspec.json.Decoder(Stored[cls]))  # type: ignore[valid-type]
    for topic, cls in EVENTS.items()
}


def encode(meta: Meta, data: Event) -> bytes:
    """The state bytes of an event; the same event always gives the same bytes."""
    return _ENCODER.encode(Stored(data.VERSION, meta, data))


def decode(topic: str, state: bytes) -> tuple[Meta, Event]:
    """The event of a stored row. Raises UnreadableEventError, naming topic and cause."""
    known = _DECODERS.get(topic)
    if known is None:
        raise UnreadableEventError(f"topic {topic!r} is not one this program knows; a newer program wrote it")
    version, decoder = known
    try:
        stored = decoder.decode(state)
        if stored.v == version:
            return stored.meta, stored.data
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        return _decode_older(topic, state, str(error))
    return _decode_older(topic, state, f"version {stored.v} with the fields of version {version}")


def _decode_older(topic: str, state: bytes, cause: str) -> tuple[Meta, Event]:
    cls = EVENTS[topic]
    try:
        raw = msgspec.json.decode(state)
        version, data = raw["v"], raw["data"]
        if not 0 < version < cls.VERSION:
            raise UnreadableEventError(f"{topic}: {cause}")
        for step in range(version, cls.VERSION):
            data = UPCASTS[topic, step](data)
        return msgspec.convert(raw["meta"], Meta), msgspec.convert(data, cls)
    except (msgspec.ValidationError, msgspec.DecodeError, KeyError, TypeError) as error:
        raise UnreadableEventError(f"{topic}: {cause}; and not an older version either: {error}") from error
