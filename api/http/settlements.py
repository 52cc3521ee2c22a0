"""POST /v1/settlements: round records in, settlements out; nothing is recorded.

One record is answered as `pitclerk settle` prints it; a refused one is a problem document that holds the same `error`
object. Many records come as one a line and are settled as they arrive, in bounded memory: output waits in a file until
the request has been read, because most clients do not read an answer while they are still sending.
"""

import tempfile
from collections.abc import AsyncIterator, Iterator
from typing import IO, Any, Final

import anyio
import msgspec
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from api import problems
from api.auth import gate, roles
from api.http import bodies
from api.http.doors import JSON, Doors
from api.http.openapi import RECORD_BODY
from api.problems import ProblemError
from domain.engine.record import Record
from domain.settle import settle_line

_PATH: Final = "/v1/settlements"
MOST_STREAM_BYTES: Final = 512_000_000
BATCH_BYTES: Final = 64_000  # some hundred records: a few milliseconds in a thread at a time
IN_MEMORY_BYTES: Final = 1_000_000  # output beyond this waits on disk
SETTLE_THREADS: Final = 2
STREAMS: Final = 8  # at once; each may hold its output on disk until it is read
INLINE_BYTES: Final = 8_000  # a smaller record is settled faster than a thread is woken


def mount(doors: Doors) -> None:
    threads = anyio.CapacityLimiter(SETTLE_THREADS)
    places = anyio.Semaphore(STREAMS)

    async def settle(request: Request) -> Response:
        await gate.enter(request, doors.house.tokens, roles.allowed("POST", _PATH))
        if bodies.media_type(request) == bodies.LINES_TYPE:
            return await _settle_lines(request, threads, places)
        bodies.require_json(request)
        body = await bodies.whole(request)
        if len(body) <= INLINE_BYTES:
            return _answer(settle_line(body))
        return _answer(await to_thread.run_sync(settle_line, body, limiter=threads))

    doors.mount("POST", _PATH, settle)
    doors.book.shapes.append(Record)
    doors.book.add("POST", _PATH, "Settle a round record, or one a line; nothing is recorded", (200,), body=RECORD_BODY)


class _Refused(msgspec.Struct):
    """What tells a refused record from a settled one."""

    error: dict[str, Any] | None = None


def _answer(line: bytes) -> Response:
    """A settlement, or the refusal both as `settle` prints it and as a problem document."""
    refused = msgspec.json.decode(line, type=_Refused).error
    if refused is None:
        return Response(line, 200, headers={"cache-control": "no-store"}, media_type=JSON)
    extra: dict[str, Any] = {"error": refused}
    if refused.get("box") is not None:
        extra["box"] = refused["box"]
    return problems.response(ProblemError(refused["code"], refused["detail"], extra=extra))


async def _settle_lines(request: Request, threads: anyio.CapacityLimiter, places: anyio.Semaphore) -> Response:
    try:
        places.acquire_nowait()
    except anyio.WouldBlock:
        raise ProblemError("busy", f"{STREAMS} streams are being settled already; try again") from None
    try:
        return await _settled_lines(request, threads)
    finally:
        places.release()


async def _settled_lines(request: Request, threads: anyio.CapacityLimiter) -> Response:
    out = tempfile.SpooledTemporaryFile(IN_MEMORY_BYTES)  # noqa: SIM115  (closed when the answer has been sent)
    try:
        async for lines in _batches(request):
            await to_thread.run_sync(_settle_batch, lines, out, limiter=threads)
        out.seek(0)
    except BaseException:
        out.close()
        raise
    return StreamingResponse(_pieces(out), 200, headers={"cache-control": "no-store"}, media_type=bodies.LINES_TYPE)


async def _batches(request: Request) -> AsyncIterator[list[bytes]]:
    """Whole lines as they come, some at a time; blank ones are passed over. Refuses a line or a stream too long."""
    rest = bytearray()
    total = 0
    async for piece in bodies.chunks(request):
        total += len(piece)
        if total > MOST_STREAM_BYTES:
            raise ProblemError("body_too_large", f"more than {MOST_STREAM_BYTES} bytes: send the lines in parts")
        rest += piece
        if len(rest) >= BATCH_BYTES and b"\n" in piece:
            cut = rest.rindex(b"\n") + 1
            lines, rest = bytes(rest[:cut]), rest[cut:]
            yield _split(lines)
        if len(rest) > bodies.MOST_BYTES and b"\n" not in rest:
            raise ProblemError("body_too_large", f"a line has more than {bodies.MOST_BYTES} bytes")
    yield _split(bytes(rest))


def _split(lines: bytes) -> list[bytes]:
    return [line for line in lines.split(b"\n") if line.strip()]


def _settle_batch(lines: list[bytes], out: IO[bytes]) -> None:
    out.write(b"".join(settle_line(line) + b"\n" for line in lines))


def _pieces(out: IO[bytes]) -> Iterator[bytes]:
    with out:
        while piece := out.read(BATCH_BYTES):
            yield piece
