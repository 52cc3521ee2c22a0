"""The slip of a jackpot hit, to print on one page: a door for whoever has a token, a page where pages are open."""

from typing import Any, Final

import anyio
from anyio import to_thread
from fastapi import FastAPI
from psycopg import Connection
from starlette.requests import Request
from starlette.responses import Response

from api.http.doors import Doors, Shown
from api.http.names import path_names
from api.http.queries import Query
from api.http.read_jackpots import hit_record
from api.pages import site
from api.wiring import House
from projections.reads.jackpot_hit_record import HitRecord

SLIP: Final = "/v1/jackpots/{jackpot}/hits/{hit}/slip"
PAGE_THREADS: Final = 1


def mount_door(doors: Doors) -> None:
    """The slip as a door: any staff, with a token."""

    async def slip(_asked: Query, jackpot: str, hit: str) -> Shown:
        record = await doors.reading(lambda conn: hit_record(conn, jackpot, hit))
        return Shown(_page(doors.house, record), record.position)

    doors.show(SLIP, Query, slip, "The slip of a hit, an HTML page to print", media="text/html")


def mount(app: FastAPI, house: House) -> None:
    """The slip as a page, where pages are open."""
    threads = anyio.CapacityLimiter(PAGE_THREADS)

    async def slip(request: Request) -> Response:
        site.may_look(request, house)
        jackpot, hit = path_names(request)

        def read(conn: Connection[Any]) -> HitRecord:
            return hit_record(conn, jackpot, hit)

        return _page(house, await to_thread.run_sync(house.read, read, limiter=threads))

    app.add_api_route("/jackpots/{jackpot}/hits/{hit}/slip", slip, methods=["GET"], include_in_schema=False)


def _page(house: House, record: HitRecord) -> Response:
    return site.page("slip.html", house=house.settings.site, record=record, hit=record.hit, cards=record.cards)
