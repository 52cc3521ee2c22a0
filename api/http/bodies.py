"""Bodies in: read with a bound on size and time, decoded strictly from the bytes that came.

JSON that names a field twice is refused: two amounts in one command leave open which of them was meant, and parsers
on the way may have seen different ones.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from api.http.wording import plain
from api.problems import ProblemError

MOST_BYTES: Final = 1_000_000  # of a whole body, and of one line of a stream
READ_SECONDS: Final = 15.0  # for the next piece of a body

JSON_TYPE: Final = "application/json"
LINES_TYPE: Final = "application/x-ndjson"

T = TypeVar("T")


def media_type(request: Request) -> str:
    """The body's type without parameters, in lower case; refuses a compressed body."""
    encoding = request.headers.get("content-encoding", "identity").lower()
    if encoding != "identity":
        raise ProblemError("unsupported_media_type", f"Content-Encoding {encoding!r} is not read: send the body plain")
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def require_json(request: Request) -> None:
    """The body, if there is one, is JSON; a missing Content-Type is taken as that."""
    found = media_type(request)
    if found not in ("", JSON_TYPE):
        raise ProblemError("unsupported_media_type", f"Content-Type is {found!r}; this door reads {JSON_TYPE}")


async def chunks(request: Request) -> AsyncIterator[bytes]:
    """The body's pieces as they come. Refuses a sender that stalls."""
    stream = request.stream().__aiter__()
    while True:
        try:
            piece = await asyncio.wait_for(anext(stream), READ_SECONDS)
        except StopAsyncIteration:
            return
        except TimeoutError as error:
            raise ProblemError("request_timeout", f"nothing more of the body came for {READ_SECONDS:.0f} s") from error
        except ClientDisconnect as error:
            raise ProblemError("request_timeout", "the connection ended before the body did") from error
        if piece:
            yield piece


async def whole(request: Request) -> bytes:
    """The whole body. Refuses more than `MOST_BYTES`, by its header before anything is read where there is one."""
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and (len(declared) > 18 or int(declared) > MOST_BYTES):
        raise ProblemError("body_too_large", f"the body has {declared} bytes; this door takes {MOST_BYTES}")
    body = bytearray()
    async for piece in chunks(request):
        body += piece
        if len(body) > MOST_BYTES:
            raise ProblemError("body_too_large", f"the body has more than {MOST_BYTES} bytes, the most this door takes")
    return bytes(body)


def decode(body: bytes, shape: type[T]) -> T:
    """The body as the strict shape of a door; an empty body counts as `{}`. Refuses `bad_json` and `bad_body`."""
    body = body if body.strip() else b"{}"
    check_json(body)
    try:
        return msgspec.json.decode(body, type=shape)
    except msgspec.ValidationError as error:
        raise ProblemError("bad_body", where(plain(str(error)))) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise ProblemError("bad_json", f"the body cannot be read: {error}") from error


def check_json(body: bytes) -> None:
    """Refuses what is no JSON text in UTF-8, nests too deep, or names a field twice."""
    try:
        json.loads(
            body.decode("utf-8"),
            object_pairs_hook=_once,
            parse_int=len,  # numbers are not looked at here: one of a thousand digits costs nothing
            parse_float=len,
            parse_constant=_no_number,
        )
    except RecursionError as error:
        raise ProblemError("bad_json", "the body nests too deep") from error
    except UnicodeDecodeError as error:
        raise ProblemError("bad_json", f"the body is not UTF-8: byte {error.start} begins no character") from error
    except ValueError as error:
        raise ProblemError("bad_json", f"the body cannot be read: {error}") from error


def business_time(at: datetime | None) -> datetime | None:
    """`at` in UTC. Refuses a time without its offset: nobody knows when that was."""
    if at is None:
        return None
    if at.tzinfo is None:
        raise ProblemError("bad_body", "`at` has no offset: write it as RFC 3339, such as 2026-03-14T21:05:00Z")
    try:
        return at.astimezone(UTC)
    except OverflowError as error:
        raise ProblemError("bad_body", f"`at` {at.isoformat()} lies outside the calendar") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"field {twice[:40]!r} is named twice in one object")
    return fields


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def where(message: str) -> str:
    """msgspec's message with its path in words: `$.levels[0].seed` is where, the rest is what would be right."""
    what, _, path = message.partition(" - at `$")
    return f"{path.rstrip('`').lstrip('.')}: {what}" if path else what
