"""The pages to look at: floor and jackpot display, and the feed that keeps them true."""

from typing import Any, Final

import anyio
import msgspec
import psycopg
from anyio import to_thread
from fastapi import FastAPI
from psycopg_pool import PoolTimeout
from starlette.requests import Request
from starlette.responses import Response

from api.feed.picture import Picture
from api.http.read_jackpots import feed
from api.pages import site
from api.pages.floor import COLUMNS, Floor, FloorFeed, read_floor
from api.wiring import House
from domain.money import CURRENCIES

_DECIMALS: Final = msgspec.json.encode(CURRENCIES).decode()
PAGE_THREADS: Final = 2


def mount(app: FastAPI, house: House) -> None:
    threads = anyio.CapacityLimiter(PAGE_THREADS)

    async def newest() -> Floor:
        return await to_thread.run_sync(house.read, read_floor, limiter=threads)

    floors = FloorFeed(newest, lambda: house.hub.views_at)

    async def floor(request: Request) -> Response:
        site.may_look(request, house)
        given = await newest()
        return site.page("floor.html", here="/", floor=given, columns=COLUMNS, **_meters(house))

    async def display(request: Request) -> Response:
        site.may_look(request, house)
        return site.page("display.html", here="/display", **_meters(house))

    async def live_jackpots(request: Request) -> Response:
        site.may_look(request, house)
        return feed(house, request, _always, pulse=True)

    async def live_floor(request: Request) -> Response:
        site.may_look(request, house)

        async def more() -> bytes:
            try:
                return await floors.text()
            except (psycopg.Error, PoolTimeout):
                return b""  # the page says itself that its figures are old

        return feed(house, request, _always, pulse=True, more=more)

    for path, endpoint in (
        ("/", floor),
        ("/display", display),
        ("/live/jackpots", live_jackpots),
        ("/live/floor", live_floor),
    ):
        app.add_api_route(path, endpoint, methods=["GET"], include_in_schema=False)


async def _always() -> bool:
    return True


def _meters(house: House) -> dict[str, Any]:
    picture: Picture = house.hub.picture
    return {
        "meters": [data for _, data in sorted(picture.levels.items())],
        "as_of": picture.as_of[11:19],
        "stale": house.hub.is_stale,
        "decimals": _DECIMALS,
    }
