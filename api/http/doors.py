"""How a door is mounted: its gate, its strict body or parameters, and the thread its work runs in.

The event store library is synchronous, so deciding and reading run in worker threads; reading a body, knowing a token
and waiting for a position do not occupy one. Writes and reads have threads of their own: a slow report never keeps
a table waiting.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Concatenate, Final, NamedTuple, TypeVar

import anyio
import msgspec
from anyio import to_thread
from fastapi import FastAPI
from psycopg import Connection
from starlette.requests import Request
from starlette.responses import Response

from api.auth import gate, roles
from api.auth.tokens import Caller
from api.http import bodies, queries
from api.http.keys import REPLAY_HEADER, idempotency_key, request_digest
from api.http.names import path_names
from api.http.openapi import Book
from api.problems import ProblemError
from api.viewed import report_viewed
from api.wiring import House
from domain.commands import Command
from domain.request import Answer, Reply
from domain.request import Request as Asked
from domain.work import Work

# The application takes one turn at a time: more writers would only queue in another place.
WRITE_THREADS: Final = 8
READ_THREADS: Final = 8

JSON: Final = "application/json"

C = TypeVar("C", bound=Command)
Q = TypeVar("Q", bound=queries.Query)
T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]
Act = Callable[Concatenate[Work, ...], Reply]
Read = Callable[Concatenate[Connection[Any], Q, ...], object]


class Shown(NamedTuple):
    """An answer. position: up to where the log was known; None: where the views stand."""

    response: Response
    position: int | None = None


Showing = Callable[Concatenate[Q, ...], Awaitable[Shown]]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A recording request: who asks, the names in its path, its body, and the facts of its log line."""

    asked: Asked
    names: list[str]
    body: bytes
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Writing:
    """What a recording door does with a body that it understands: pages record by the same acts."""

    command: type[Command]
    act: Act


class Doors:
    """Mounts doors on an application and keeps what OpenAPI should say of them."""

    def __init__(self, app: FastAPI, house: House) -> None:
        self.app = app
        self.house = house
        self.book = Book()
        self.writings: dict[str, Writing] = {}
        self._writers = anyio.CapacityLimiter(WRITE_THREADS)
        self._readers = anyio.CapacityLimiter(READ_THREADS)

    def write(self, path: str, command: type[C], act: Act, summary: str, *, statuses: tuple[int, ...] = (201,)) -> None:
        """A recording POST: `act(work, *names in the path, command)` decides."""

        async def endpoint(request: Request) -> Response:
            prepared = await self.recording(request, path)
            asked = bodies.decode(prepared.body, command)
            return await self.handle(prepared, asked.at, lambda work: act(work, *prepared.names, asked))

        self.writings[path] = Writing(command, act)
        self.book.write(path, command, summary, statuses)
        self.mount("POST", path, endpoint)

    def read(self, path: str, query: type[Q], read: "Read[Q]", summary: str) -> None:
        """A GET: `read(connection, query, *names in the path)` answers from the views, at one position."""

        async def answer(asked: Q, *names: str) -> Shown:
            body = await self.reading(lambda conn: read(conn, asked, *names))
            return Shown(as_json(body), getattr(body, "position", None))

        self.show(path, query, answer, summary)

    def show(self, path: str, query: type[Q], answer: "Showing[Q]", summary: str, *, media: str = JSON) -> None:
        """A GET whose answer needs more than a connection. What not everybody may see is noted when it was shown."""
        allowed = roles.allowed("GET", path)

        async def endpoint(request: Request) -> Response:
            caller = await gate.enter(request, self.house.tokens, allowed)
            names = path_names(request)
            asked = queries.parse(request, query)
            await self.wait_for(asked)
            shown = await answer(asked, *names)
            if allowed != roles.ANY:
                at = self.house.hub.views_at if shown.position is None else shown.position
                _note(request, caller, path, at)
            return shown.response

        self.book.read(path, query, summary, media=media)
        self.mount("GET", path, endpoint)

    def mount(self, method: str, path: str, endpoint: Endpoint) -> None:
        """Put an endpoint at a path; what OpenAPI says of it comes from the book."""
        self.app.add_api_route(path, endpoint, methods=[method], include_in_schema=False)

    async def recording(self, request: Request, path: str) -> Prepared:
        """Everything that is checked of a recording request before its body is understood."""
        caller = await gate.enter(request, self.house.tokens, roles.allowed("POST", path))
        key = idempotency_key(request)
        names = path_names(request)
        queries.refuse_any(request)
        bodies.require_json(request)
        body = await bodies.whole(request)
        asked = Asked(
            identity=caller.identity,
            actor=caller.actor,
            role=caller.role,
            key=key,
            digest=request_digest(request.method, request.scope["path"], body),
        )
        return Prepared(asked, names, body, request.scope["state"]["facts"])

    async def handle(self, prepared: Prepared, at: datetime | None, act: Callable[[Work], Reply]) -> Response:
        """Decide and record in a writer's thread; the answer as it was stored."""
        asked = replace(prepared.asked, at=bodies.business_time(at))
        answer = await to_thread.run_sync(self.house.application.handle, asked, act, limiter=self._writers)
        prepared.facts["position"] = answer.position
        if answer.replayed:
            prepared.facts["replayed"] = True
            self.house.metrics.replays.inc()
        return as_answer(answer)

    async def reading(self, read: Callable[[Connection[Any]], T]) -> T:
        """Read in a reader's thread, at one moment of the database."""
        return await to_thread.run_sync(self.house.read, read, limiter=self._readers)

    async def wait_for(self, query: queries.Query) -> None:
        """Wait, without a thread, until the figures have reached `min_position`. Refuses `not_caught_up`."""
        wanted, hub = query.min_position, self.house.hub
        if wanted is not None and not await hub.reach(wanted, query.wait_ms / 1000):
            raise ProblemError(
                "not_caught_up",
                f"after {query.wait_ms} ms the figures stand at position {hub.views_at}, not at {wanted}; ask again",
                extra={"position": hub.views_at},
            )


def _note(request: Request, caller: Caller, path: str, position: int) -> None:
    """The line of a report that was shown, with the names in its path and its parameters as they were given."""
    report_viewed(
        f"GET {path}",
        actor=caller.actor,
        role=caller.role,
        asked={**request.path_params, **request.query_params},
        position=position,
        request=request.scope["state"]["request_id"],
    )


def as_json(body: object, status: int = 200) -> Response:
    """A JSON answer that no cache between may keep: it is true at one position."""
    return Response(msgspec.json.encode(body), status, headers={"cache-control": "no-store"}, media_type=JSON)


def as_answer(answer: Answer) -> Response:
    """The stored answer, marked when it was given before."""
    headers = {**answer.headers, "cache-control": "no-store"}
    if answer.replayed:
        headers[REPLAY_HEADER] = "true"
    return Response(answer.body, answer.status, headers=headers, media_type=JSON)
