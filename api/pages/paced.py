"""One text for any number of pages: made once when the figures have moved, at most once a second, and only while
somebody looks.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final


class Paced:
    """An event of a live feed. make: the event's data, JSON; position: where the figures stand now."""

    PACE_S: Final = 1.0

    def __init__(self, event: str, make: Callable[[], Awaitable[bytes]], position: Callable[[], int]) -> None:
        self._event = event.encode()
        self._make = make
        self._position = position
        self._lock = asyncio.Lock()
        self._at = -1
        self._taken = 0.0
        self._text = b""

    async def text(self) -> bytes:
        """The newest, as a server-sent event."""
        async with self._lock:
            now = asyncio.get_running_loop().time()
            moved = self._position() != self._at
            if not self._text or (moved and now - self._taken >= self.PACE_S):
                self._taken, self._at = now, self._position()
                self._text = b"event: %s\ndata: %s\n\n" % (self._event, await self._make())
        return self._text
