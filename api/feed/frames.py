"""The feed's wire format: server-sent events with the data that displays rely on.

Only the last frame of a position carries `id:`. A display that loses its connection halfway through a position asks for
everything after the position before, and misses nothing.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple

import msgspec

EventName = Literal["meter", "hit", "paid", "reset"]
State = Literal["NORMAL", "PENDING", "STOPPED"]

RETRY: Final = b"retry: 1000\n\n"


class Data(msgspec.Struct, frozen=True, gc=False):
    """What a frame says of one level. Amounts are whole minor units.

    amount: what the sign shows (on a hit: what it showed when it was won). next_amount: on a hit, what it shows
    afterwards. hit_amount, table: the award and where it was won, on `hit`, `reset` and `paid`, and on `meter` while
    the award waits for payment.
    """

    jackpot: str
    level: int
    amount: int
    currency: str
    position: int
    as_of: str
    state: State
    next_amount: int | None = None
    hit_amount: int | None = None
    table: str | None = None


class Frame(NamedTuple):
    """One event of the feed."""

    event: EventName
    data: Data


_ENCODE = msgspec.json.Encoder().encode


def render(frames: Sequence[Frame], *, last_id: bool = True) -> bytes:
    """The frames as sent, in order of position; `last_id` False: the last position was given its id before."""
    parts: list[bytes] = []
    final = len(frames) - 1
    for n, frame in enumerate(frames):
        position = frame.data.position
        if (n < final and frames[n + 1].data.position != position) or (n == final and last_id):
            parts.append(b"id: %d\n" % position)
        parts.append(b"event: %s\ndata: %s\n\n" % (frame.event.encode(), _ENCODE(frame.data)))
    return b"".join(parts)


def comment(text: str) -> bytes:
    """A line that keeps the connection and says something to people, not to programs."""
    assert "\n" not in text, "a comment is one line"
    return f": {text}\n\n".encode()


def timestamp(moment: datetime) -> str:
    """RFC 3339 in UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
