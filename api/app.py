"""The HTTP side of a house: doors, feed and pages on one application, with one answer for every refusal."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Final

from fastapi import FastAPI
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
    write_displays,
    write_inbox,
    write_prints,
    write_progressive_life,
    write_progressives,
    write_rounds,
    write_rulesets,
    write_slips,
    write_tables,
)
from api.http.doors import Doors
from api.http.edge import Edge
from api.http.translate import FORESEEN, problem_of
from api.pages import every as pages
from api.pages import slip_page
from api.wiring import House

REQUESTS_AT_ONCE: Final = 1000

DOORS: Final = (
    write_tables,
    write_rounds,
    write_rulesets,
    write_slips,
    write_prints,
    write_displays,
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
    pages.mount(doors)
    openapi.publish(app, doors.book, version("pitclerk"))
    for kind in FORESEEN:
        app.add_exception_handler(kind, _answer)
    app.add_middleware(Edge, metrics=house.metrics, most_at_once=house.settings.feed_clients + REQUESTS_AT_ONCE)
    return app


def _answer(request: Request, error: Exception) -> Response:
    problem = problem_of(error)
    request.scope["state"]["facts"]["code"] = problem.code
    return problems.response(problem)
