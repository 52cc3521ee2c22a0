"""The floor and the jackpot display, and the feeds that keep them true."""

from typing import Any, Final

import anyio
import msgspec
import psycopg
from anyio import to_thread
from psycopg_pool import PoolTimeout
from starlette.responses import Response

from api.feed.picture import Picture
from api.http.read_jackpots import feed
from api.i18n import languages, numbers
from api.i18n.catalogue import gettext
from api.pages.floor import Floor, FloorFeed, columns, read_floor
from api.pages.frame import Pages
from api.pages.visit import Visit
from api.wiring import House
from domain.money import CURRENCIES

_DECIMALS: Final = msgspec.json.encode(CURRENCIES).decode()
_FEED_THREADS: Final = 2


def mount(pages: Pages) -> None:
    house = pages.house
    threads = anyio.CapacityLimiter(_FEED_THREADS)

    async def newest() -> Floor:
        return await to_thread.run_sync(house.read, read_floor, limiter=threads)

    floors = {language: FloorFeed(newest, lambda: house.hub.views_at) for language in languages.LANGUAGES}

    async def live_jackpots(visit: Visit) -> Response:
        return feed(house, visit.request, lambda: pages.may_stay(visit), pulse=True)

    async def live_floor(visit: Visit) -> Response:
        language = languages.spoken()

        async def more() -> bytes:
            try:
                with languages.speaking(language):
                    return await floors[language].text()
            except (psycopg.Error, PoolTimeout):
                return b""  # the page says itself that its figures are old

        return feed(house, visit.request, lambda: pages.may_stay(visit), pulse=True, more=more)

    pages.show("/", _floor)
    pages.show("/display", _display)
    pages.stream("/live/jackpots", "/display", live_jackpots)
    pages.stream("/live/floor", "/", live_floor)


def _floor(visit: Visit) -> Response:
    given = visit.read(read_floor)
    return visit.page("floor.html", floor=given, columns=columns(), **meters(visit.doors.house))


def _display(visit: Visit) -> Response:
    return visit.page("display.html", **meters(visit.doors.house))


def meters(house: House) -> dict[str, Any]:
    """What a page with live meters is made with: the meters as the feed has them, and how numbers are written."""
    picture: Picture = house.hub.picture
    return {
        "meters": [data for _, data in sorted(picture.levels.items())],
        "as_of": picture.as_of[11:19],
        "stale": house.hub.is_stale,
        "decimals": _DECIMALS,
        "marks": numbers.marks(),
        "words": msgspec.json.encode(live_words()).decode(),
    }


def live_words() -> dict[str, str]:
    """What the feed's script says, by name; `%(amount)s` and `%(table)s` are filled in there."""
    return {
        "won": gettext("%(amount)s won"),
        "won_at": gettext("%(amount)s won at %(table)s"),
        "won_verified": gettext("%(amount)s won, being verified"),
        "won_at_verified": gettext("%(amount)s won at %(table)s, being verified"),
        "stopped": gettext("stopped"),
        "table": gettext("table %(table)s"),
        "live": gettext("live"),
        "lost": gettext("connection lost – figures may be old"),
        "behind": gettext("figures are behind – the ledger cannot be read"),
        "silent": gettext("nothing heard – figures may be old"),
    }
