"""What surrounds every request: its id, its line in the log, its time in the metrics, and the last resort.

A plain ASGI layer: it passes chunks through as they come, so streams stay streams. Whatever escapes a door becomes
`internal_error` here, without a trace to the outside; the trace goes to the log under the request's id.
"""

import re
import secrets
import time
from typing import Any, Final

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import problems
from api.metrics import Metrics

log = structlog.get_logger("pitclerk.http")

REQUEST_ID: Final = b"x-request-id"
_GIVEN_ID: Final = re.compile(rb"[A-Za-z0-9_.-]{1,64}")

SECURITY_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class Edge:
    """Wraps the whole application; `most_at_once` bounds the requests under way, streams included."""

    def __init__(self, app: ASGIApp, metrics: Metrics, most_at_once: int) -> None:
        self.app = app
        self.metrics = metrics
        self.most_at_once = most_at_once
        self.under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        await _Exchange(self, scope, send).run(receive)


class _Exchange:
    """One request and its answer."""

    def __init__(self, edge: Edge, scope: Scope, send: Send) -> None:
        self.edge = edge
        self.scope = scope
        self._send = send
        self.id = _request_id(scope)
        self.began = time.perf_counter()
        self.status = 0
        # Doors put here what the log line should name: actor, role, position, replayed, code.
        scope.setdefault("state", {})
        self.facts: dict[str, Any] = scope["state"].setdefault("facts", {})
        scope["state"]["request_id"] = self.id.decode()

    async def run(self, receive: Receive) -> None:
        self.edge.under_way += 1
        try:
            if self.edge.under_way > self.edge.most_at_once:
                await self._answer("busy", "too many requests are under way; try again", {"retry-after": "1"})
            else:
                await self.edge.app(self.scope, receive, self.send)
        except Exception:
            log.exception("request failed", request=self.id.decode(), door=self.door())
            if self.status:
                raise  # the answer has begun: only breaking the connection can say that it is not whole
            detail = f"something unforeseen happened; ask for request {self.id.decode()} in the log"
            await self._answer("internal_error", detail, {})
        finally:
            self.edge.under_way -= 1
            self._tell()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = [*message.get("headers", ()), (REQUEST_ID, self.id)]
            present = {name for name, _ in headers}
            headers += [pair for pair in SECURITY_HEADERS if pair[0] not in present]
            message = {**message, "headers": headers}
        await self._send(message)

    async def _answer(self, code: str, detail: str, headers: dict[str, str]) -> None:
        self.facts["code"] = code
        answer = problems.response(problems.ProblemError(code, detail, headers=headers))
        await self.send({"type": "http.response.start", "status": answer.status_code, "headers": answer.raw_headers})
        await self.send({"type": "http.response.body", "body": answer.body})

    def door(self) -> str:
        """The route's pattern, so that names and ids stay out of the metrics."""
        route = self.scope.get("route")
        path = getattr(route, "path", None)
        return f"{self.scope['method']} {path}" if path else "none"

    def _tell(self) -> None:
        seconds = time.perf_counter() - self.began
        door = self.door()
        self.edge.metrics.requests.labels(door, str(self.status)).inc()
        self.edge.metrics.seconds.labels(door).observe(seconds)
        log.info(
            "request",
            request=self.id.decode(),
            method=self.scope["method"],
            path=self.scope["path"],
            door=door,
            status=self.status,
            ms=round(seconds * 1000, 2),
            **self.facts,
        )


def _request_id(scope: Scope) -> bytes:
    """The caller's own id where it is well-formed, else a new one."""
    for name, value in scope["headers"]:
        if name == REQUEST_ID and _GIVEN_ID.fullmatch(value):
            return bytes(value)
    return secrets.token_hex(8).encode()
