"""The HTTP side of a house: doors, feed and pages on one application, with one answer for every refusal."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, Final

import psycopg
from fastapi import FastAPI
from psycopg_pool import PoolTimeout
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from api import problems
from api.http import (
    audit,
    health,
    openapi,
    read_books,
    read_evidence,
    read_hold,
    read_jackpots,
    read_money,
    read_rounds,
    read_rulesets,
    read_search,
    read_tables,
    settlements,
    write_cage,
    write_corrections,
    write_counts,
    write_days,
    write_inbox,
    write_progressive_life,
    write_progressives,
    write_rounds,
    write_rulesets,
    write_slips,
    write_tables,
)
from api.http.doors import Doors
from api.http.edge import Edge
from api.pages import every as pages
from api.pages import slip_page
from api.problems import ProblemError
from api.wiring import House
from domain.application import Busy, IdempotencyKeyReused
from domain.recorder import LockTimeout, StoreUnavailable
from domain.refusals import Refusal

REQUESTS_AT_ONCE: Final = 1000
RETRY: Final = {"retry-after": "1"}
_HTTP_CODES: Final = {404: "not_found", 405: "method_not_allowed"}


DOORS: Final = (
    write_tables,
    write_rounds,
    write_rulesets,
    write_slips,
    write_corrections,
    write_progressive_life,
    write_progressives,
    write_days,
    write_counts,
    write_cage,
    write_inbox,
    settlements,
    read_tables,
    read_rounds,
    read_evidence,
    read_search,
    read_jackpots,
    read_hold,
    read_money,
    read_books,
    read_rulesets,
    audit,
)


def create_app(house: House) -> FastAPI:
    """The application over a running house; it lends the house its event loop while it serves."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with house.serving():
            yield

    app = FastAPI(title="pitclerk", docs_url=None, redoc_url=None, lifespan=lifespan, redirect_slashes=False)
    doors = Doors(app, house)
    for module in DOORS:
        module.mount(doors)
    slip_page.mount_door(doors)
    health.mount(app, house)
    pages.mount(app, house)
    openapi.publish(app, doors.book, version("pitclerk"))
    for kind, translate in _TRANSLATIONS.items():
        app.add_exception_handler(kind, _handler(translate))
    app.add_middleware(Edge, metrics=house.metrics, most_at_once=house.settings.feed_clients + REQUESTS_AT_ONCE)
    return app


def _handler(translate: Callable[[Any], ProblemError]) -> Callable[[Request, Exception], Response]:
    def handle(request: Request, error: Exception) -> Response:
        problem = translate(error)
        request.scope["state"]["facts"]["code"] = problem.code
        return problems.response(problem)

    return handle


def _of_refusal(error: Refusal) -> ProblemError:
    extra = {} if error.box is None else {"box": error.box}
    return ProblemError(error.code, error.detail, extra=extra)


def _of_http(error: HTTPException) -> ProblemError:
    code = _HTTP_CODES.get(error.status_code, "bad_http")
    detail = "no door has this path; /openapi.json lists them all" if code == "not_found" else "see the header Allow"
    return ProblemError(code, detail, headers=error.headers)


def _of_store(_: Exception) -> ProblemError:
    return ProblemError("store_unavailable", "the database cannot be reached; nothing was recorded", headers=RETRY)


_TRANSLATIONS: Final[dict[type[Exception], Callable[[Any], ProblemError]]] = {
    ProblemError: lambda error: error,
    Refusal: _of_refusal,
    IdempotencyKeyReused: lambda error: ProblemError("idempotency_key_reused", str(error)),
    Busy: lambda error: ProblemError("busy", str(error), headers=RETRY),
    LockTimeout: lambda _: ProblemError("busy", "others are recording; nothing was recorded", headers=RETRY),
    StoreUnavailable: _of_store,
    PoolTimeout: _of_store,
    psycopg.OperationalError: _of_store,
    HTTPException: _of_http,
}
