"""One display's connection: everything it should know, in order, at its own speed.

Written as an ASGI answer so that a chunk is handed over only when the display has taken the one before; what it has not
taken is not made. A display that takes nothing for too long is let go.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import psycopg
import structlog
from anyio import to_thread
from psycopg_pool import PoolTimeout
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from api.feed.frames import RETRY, Frame, comment, render
from api.feed.hub import Hub
from api.http.protocol import ENDLESS
from api.problems import ProblemError

log = structlog.get_logger("pitclerk.feed")

MORE_TICK_S: Final = 1.0
TICK_S: Final = 4.0  # how often a quiet connection looks whether it may go on
QUIET_S: Final = 10.0  # a comment after so long without a frame; displays count on 15 s
STUCK_S: Final = 30.0
FIRST_PICTURE_S: Final = 5.0
MOST_POSITION: Final = 2**63

HEADERS: Final = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
}

MissedMoments = Callable[[int, int], list[Frame]]
"""Moments after one position up to another, a page of them, from the database."""

MayStay = Callable[[], Awaitable[bool]]

More = Callable[[], Awaitable[bytes]]
"""Other events for the same display, such as the floor of a page: the newest, whole; sent when it differs."""


def last_event_id(request: Request) -> int | None:
    """The position to resume after. Refuses `bad_parameter` for what no frame's id ever was."""
    given = request.headers.get("last-event-id", "").strip()
    if not given:
        return None
    if not given.isdigit() or not given.isascii() or int(given[:20]) >= MOST_POSITION:
        raise ProblemError("bad_parameter", f"Last-Event-ID {given[:40]!r} is no position: repeat the id of a frame")
    return int(given)


class FeedStream(Response):
    """The answer to one display, written by itself."""

    def __init__(
        self,
        hub: Hub,
        resume_after: int | None,
        missed: MissedMoments,
        may_stay: MayStay,
        *,
        pulse: bool = False,
        more: More | None = None,
    ) -> None:
        super().__init__(headers=HEADERS)
        self._hub = hub
        self._resume_after = resume_after
        self._missed = missed
        self._may_stay = may_stay
        self._pulse = pulse
        self._more = more
        self._told = b""
        self._cursor = 0
        self._stale = hub.is_stale
        self._sent_at = 0.0
        self._send: Send | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope.setdefault("state", {})[ENDLESS] = True
        self._send = send
        with self._hub.seat():
            await self._follow(receive, send)

    async def _follow(self, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": _streaming(self.raw_headers)})
        writing = asyncio.create_task(self._write())
        leaving = asyncio.create_task(_until_gone(receive))
        try:
            await asyncio.wait({writing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (writing, leaving):
                task.cancel()
            outcomes = await asyncio.gather(writing, leaving, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _write(self) -> None:
        hub = self._hub
        await self._put(RETRY)
        if not await self._begin():
            return
        checked_at = _now()
        while not hub.closing:
            await hub.change(self._cursor, TICK_S if self._more is None else MORE_TICK_S, was_stale=self._stale)
            await self._news()
            await self._other_news()
            if _now() - checked_at >= TICK_S:
                checked_at = _now()
                if not await self._may_stay():
                    await self._put(comment("the token is no longer valid"))
                    return
                await self._stay_awake()

    async def _begin(self) -> bool:
        """What was missed, then one `meter` per level; False if the house closes first."""
        hub = self._hub
        while not hub.has_picture and not hub.closing:
            await hub.change(hub.position, TICK_S, was_stale=hub.is_stale)
            await self._stay_awake()
        resume = self._resume_after
        older: list[Frame] = []
        if resume is None or resume > hub.position:
            # Nothing was seen before, or it was in another log: begin with the picture as it is.
            resume, self._cursor = None, hub.position
        else:
            self._cursor = resume
            older = await self._catch_up()
        chunk, self._cursor = hub.everything(older, self._cursor, resume), hub.position
        await self._put(chunk)
        return not hub.closing

    async def _news(self) -> None:
        hub = self._hub
        if hub.is_stale != self._stale:
            self._stale = hub.is_stale
            await self._put(hub.staleness())
        if not hub.has_news(self._cursor):
            return
        if not hub.remembers(self._cursor):
            await self._put(render(await self._catch_up()))
        frames, self._cursor = hub.since(self._cursor), hub.position
        if frames:
            await self._put(frames)

    async def _other_news(self) -> None:
        if self._more is None or self._hub.is_stale:
            return
        text = await self._more()
        if text != self._told:
            self._told = text
            await self._put(text)

    async def _catch_up(self) -> list[Frame]:
        """Moments older than the ring, page by page from the database, until the ring goes on from there.

        Returns those of the last position, not sent yet: more frames of that position may have to follow, and only its
        last one may carry the id.
        """
        hub = self._hub
        held: list[Frame] = []
        while not hub.remembers(self._cursor) and not hub.closing:
            upto = hub.position
            try:
                page = held + await to_thread.run_sync(self._missed, self._cursor, upto)
            except (psycopg.Error, PoolTimeout):
                await hub.change(hub.position, TICK_S, was_stale=hub.is_stale)
                await self._stay_awake()
                continue
            last = page[-1].data.position if page else upto
            self._cursor = upto if last == self._cursor else last
            held = [frame for frame in page if frame.data.position == last]
            await self._put(render(page[: len(page) - len(held)]))
        return held

    async def _stay_awake(self) -> None:
        if _now() - self._sent_at >= (TICK_S if self._pulse else QUIET_S):
            await self._put(self._beat())

    def _beat(self) -> bytes:
        hub = self._hub
        if not self._pulse:
            return comment(f"as_of={hub.picture.as_of} position={hub.position}")
        stale = b"true" if hub.is_stale else b"false"
        return b'event: pulse\ndata: {"position":%d,"as_of":"%s","stale":%s}\n\n' % (
            hub.position, hub.picture.as_of.encode(), stale,
        )  # fmt: skip

    async def _put(self, chunk: bytes) -> None:
        if not chunk:
            return
        assert self._send is not None, "called by the server"
        message: Message = {"type": "http.response.body", "body": chunk, "more_body": True}
        async with asyncio.timeout(STUCK_S):
            await self._send(message)
        self._sent_at = _now()


async def _until_gone(receive: Receive) -> None:
    while True:
        message: Any = await receive()
        if message["type"] == "http.disconnect":
            return


def _streaming(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """A stream has no length."""
    return [pair for pair in headers if pair[0] != b"content-length"]


def _now() -> float:
    return asyncio.get_running_loop().time()
