"""The hash chain over the log: pure functions that anyone can write again from this page.

Every event has a chain row. `leaf` is the RFC 6962 leaf hash of the event's bytes, so the same leaves also make the
Merkle tree of the audit checkpoints; `link` binds the leaf to all leaves before it.

    leaf bytes = for each of the six stored columns, in this order: its length in bytes (4 bytes), then its bytes
                 position, stream (UTF-8), version, topic (UTF-8), state, recorded_at
                 whole numbers are 8 bytes, signed; recorded_at is microseconds since 1970-01-01T00:00:00Z
    leaf       = SHA-256(0x00 || leaf bytes)
    link       = SHA-256(0x02 || link before || leaf)          the first one follows 32 zero bytes

All numbers are big-endian. 0x00 marks leaves and 0x01 the nodes of the tree (RFC 6962), so links take 0x02.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from hashlib import sha256

GENESIS = bytes(32)
"""The link before the first event."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LEN = struct.Struct(">I").pack
_HEAD = struct.Struct(">IqI").pack  # a whole number, and the length of what follows it
_NUMBER = struct.Struct(">Iq").pack
_MARKED = struct.Struct(">xIq").pack  # the same behind the 0x00 that marks a leaf


def micros(at: datetime) -> int:
    """Return the microseconds since 1970 of an aware time, exactly."""
    return (at - _EPOCH) // _MICROSECOND


def leaf_bytes(  # noqa: PLR0917 -- the stored columns, in their order
    position: int, originator_id: str, originator_version: int, topic: str, state: bytes, recorded_at: datetime
) -> bytes:
    """Return the canonical bytes of one stored event."""
    return leaf_bytes_at(position, originator_id, originator_version, topic, state, micros(recorded_at))


def leaf_bytes_at(  # noqa: PLR0917 -- as above
    position: int, originator_id: str, originator_version: int, topic: str, state: bytes, recorded_micros: int
) -> bytes:
    """Return the canonical bytes of one stored event, its time given in microseconds since 1970."""
    stream, kind = originator_id.encode(), topic.encode()
    head = _HEAD(8, position, len(stream)) + stream + _HEAD(8, originator_version, len(kind)) + kind
    return b"".join((head, _LEN(len(state)), state, _NUMBER(8, recorded_micros)))


def leaf_hash(data: bytes) -> bytes:
    """Return the RFC 6962 leaf hash of leaf bytes."""
    return sha256(b"\x00" + data).digest()


def leaves(rows: Iterable[tuple[int, str, int, str, bytes]], times: Iterable[int]) -> list[bytes]:
    """Return the leaves of many stored events: position, stream, version, topic and state of each, and its time in
    microseconds since 1970. The same as one by one; what repeats in a stretch of the log is made once.
    """
    texts = _Texts()
    return [
        sha256(
            b"".join((_MARKED(8, position), texts[stream], _NUMBER(8, version), texts[topic], _LEN(len(state)), state,
                      _NUMBER(8, at)))
        ).digest()
        for (position, stream, version, topic, state), at in zip(rows, times, strict=True)
    ]  # fmt: skip


class _Texts(dict[str, bytes]):
    """Text -> its length and its bytes."""

    def __missing__(self, text: str) -> bytes:
        encoded = text.encode()
        self[text] = packed = _LEN(len(encoded)) + encoded
        return packed


def link(prev_link: bytes, leaf: bytes) -> bytes:
    """Return the link of a leaf that follows `prev_link` (GENESIS for the first)."""
    return sha256(b"\x02" + prev_link + leaf).digest()
