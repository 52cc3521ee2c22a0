"""HTTP itself at its edge: what is no HTTP, too much header or too slow a header is answered as a problem, too.

Given to uvicorn as `http=Protocol`. Without it uvicorn answers such requests in plain text, waits for ever for a
request that is sent a byte a minute, and for the end of streams before it stops.
"""

import asyncio
import socket
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from api.problems import KINDS, MEDIA_TYPE, document

HEADERS_S: Final = 15.0  # from the first moment of waiting to the last byte of the headers
MOST_HEADER_BYTES: Final = 32_768
LINGER_S: Final = 1.0

ENDLESS: Final = "endless"
"""Set in the state of a request's scope by an answer that goes on until somebody leaves."""


class Protocol(H11Protocol):
    """uvicorn's protocol with bounds on the head of a request, and answers in our own form."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn = h11.Connection(h11.SERVER, max_incomplete_event_size=MOST_HEADER_BYTES)
        self._head_timer: asyncio.TimerHandle | None = None
        self._refused = False

    def data_received(self, data: bytes) -> None:
        if not self._refused:
            super().data_received(data)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # Head and body of an answer, and the frames of a feed, are small writes: without this one waits for the other's
        # acknowledgement, up to 40 ms. asyncio sets it only on sockets that it has made itself.
        connection = transport.get_extra_info("socket")
        if connection is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._watch_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_watching()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """The server stops: finish what is under way, but a stream has no end of its own."""
        super().shutdown()
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete and cycle.scope["state"].get(ENDLESS):
            cycle.disconnected = True
            cycle.message_event.set()
            self.transport.close()

    def handle_events(self) -> None:
        super().handle_events()
        self._watch_head()

    def send_400_response(self, msg: str) -> None:
        """Called for what cannot be parsed, and (h11 says no more) for a head that is too long."""
        unread, _ = self.conn.trailing_data
        if len(unread) > MOST_HEADER_BYTES:
            self._refuse("headers_too_large", f"request line and headers are limited to {MOST_HEADER_BYTES} bytes")
        else:
            self._refuse("bad_http", msg)

    def _watch_head(self) -> None:
        """Time the head of the next request from the moment we wait for it."""
        if self._refused or self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._stop_watching()
        elif self._head_timer is None:
            self._head_timer = self.loop.call_later(HEADERS_S, self._too_slow)

    def _stop_watching(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _too_slow(self) -> None:
        self._head_timer = None
        if self.transport.is_closing() or self.conn.their_state is not h11.IDLE:
            return
        if self.conn.our_state is h11.IDLE:
            self._refuse("request_timeout", f"the headers did not arrive within {HEADERS_S:.0f} s")
        else:
            self.transport.close()

    def _refuse(self, code: str, detail: str) -> None:
        body = document(code, detail)
        headers = [
            (b"content-type", MEDIA_TYPE.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        answer = h11.Response(status_code=KINDS[code].status, headers=headers, reason=KINDS[code].title.encode())
        for event in (answer, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        # Closing while the other side still sends would tear the answer away from it: listen a little, to nothing.
        self._refused = True
        self._stop_watching()
        self.transport.write_eof()
        self.loop.call_later(LINGER_S, self.transport.close)
