"""A display for tests: reads the feed in a thread and keeps every frame."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, Self

import httpx
import msgspec

from tests.api.live import Live


class Seen(NamedTuple):
    """One frame as it came; id None where it carried none."""

    event: str
    id: int | None
    data: dict[str, Any]
    at: float

    @property
    def key(self) -> tuple[Any, ...]:
        """What makes a moment that moment."""
        return self.event, self.data["jackpot"], self.data["level"], self.data["position"]


class Display:
    """Follows the feed until closed."""

    def __init__(
        self, live: Live, last_event_id: int | None = None, *, role: str = "display", path: str = "/v1/jackpots/stream"
    ) -> None:
        self.frames: list[Seen] = []
        self.comments: list[str] = []
        self.status = 0
        self.ended = threading.Event()
        headers = {} if last_event_id is None else {"last-event-id": str(last_event_id)}
        self._client = live.client(role)
        self._request = self._client.build_request("GET", path, headers=headers)
        self._changed = threading.Condition()
        self._closed = False
        self._response: httpx.Response | None = None
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        self._closed = True
        if self._response is not None:
            connection = self._response.extensions["network_stream"].get_extra_info("socket")
            with suppress(OSError):  # it may be gone already
                connection.shutdown(socket.SHUT_RDWR)  # wakes the reading thread
        self._thread.join(5)
        self._client.close()

    def wait(self, holds: Callable[[list[Seen]], bool], seconds: float = 10) -> list[Seen]:
        """Wait until something holds of the frames; they are returned."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while not holds(self.frames):
                left = deadline - time.monotonic()
                assert left > 0, f"not seen in {seconds} s; seen: {[f.key for f in self.frames][-20:]}"
                self._changed.wait(left)
            return list(self.frames)

    def wait_for_position(self, position: int, seconds: float = 10) -> list[Seen]:
        return self.wait(lambda frames: bool(frames) and frames[-1].data["position"] >= position, seconds)

    @property
    def last_id(self) -> int:
        return next(frame.id for frame in reversed(self.frames) if frame.id is not None)

    def moments(self) -> list[Seen]:
        """Everything but meters."""
        return [frame for frame in self.frames if frame.event != "meter"]

    def _read(self) -> None:
        try:
            self._response = self._client.send(self._request, stream=True)
            self.status = self._response.status_code
            fields: dict[str, str] = {}
            for line in self._response.iter_lines():
                if line.startswith(":"):
                    self.comments.append(line[1:].strip())
                elif line:
                    name, _, value = line.partition(":")
                    fields[name] = value.strip()
                elif "data" in fields:
                    self._take(fields)
                    fields = {}
                else:
                    fields = {}
        except (httpx.HTTPError, httpx.StreamError, RuntimeError, OSError):
            if not self._closed:
                self.comments.append("broken")
        finally:
            self.ended.set()
            with self._changed:
                self._changed.notify_all()

    def _take(self, fields: dict[str, str]) -> None:
        seen = Seen(
            fields["event"],
            int(fields["id"]) if "id" in fields else None,
            msgspec.json.decode(fields["data"]),
            time.monotonic(),
        )
        with self._changed:
            self.frames.append(seen)
            self._changed.notify_all()
