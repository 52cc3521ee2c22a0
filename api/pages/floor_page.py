"""The floor, and the feeds that keep it and the meters true."""

from functools import partial
from typing import Any, Final

import anyio
import msgspec
import psycopg
from anyio import to_thread
from psycopg_pool import PoolTimeout
from starlette.responses import Response

from api.auth import roles
from api.feed.picture import Picture
from api.http.read_jackpots import feed
from api.i18n import languages, numbers
from api.i18n.catalogue import gettext
from api.pages import terms
from api.pages.floor import STATES, arranged, columns, read_floor
from api.pages.frame import Pages
from api.pages.paced import Paced
from api.pages.visit import Visit
from api.wiring import House
from domain.money import CURRENCIES

_DECIMALS: Final = msgspec.json.encode(CURRENCIES).decode()
_FEED_THREADS: Final = 2


def mount(pages: Pages) -> None:
    house = pages.house
    threads = anyio.CapacityLimiter(_FEED_THREADS)

    def newest(*, figures: bool) -> Paced:
        async def make() -> bytes:
            read = partial(read_floor, figures=figures)
            return msgspec.json.encode(await to_thread.run_sync(house.read, read, limiter=threads))

        return Paced("floor", make, lambda: house.hub.views_at)

    floors = {(language, sees): newest(figures=sees) for language in languages.LANGUAGES for sees in (False, True)}

    async def live_jackpots(visit: Visit) -> Response:
        return feed(house, visit.request, lambda: pages.may_stay(visit), pulse=True)

    async def live_floor(visit: Visit) -> Response:
        language = languages.spoken()
        floor = floors[language, sees_figures(visit)]

        async def more() -> bytes:
            try:
                with languages.speaking(language):
                    return await floor.text()
            except (psycopg.Error, PoolTimeout):
                return b""  # the page says itself that its figures are old

        return feed(house, visit.request, lambda: pages.may_stay(visit), pulse=True, more=more)

    pages.show("/", _floor)
    pages.stream("/live/jackpots", "/display", live_jackpots)
    pages.stream("/live/floor", "/", live_floor)


def sees_figures(visit: Visit) -> bool:
    """Whether the visitor may read what tables win; a guest of a demonstration may."""
    return visit.person is None or visit.person.role in roles.DOORS["GET /v1/hold"]


def _floor(visit: Visit) -> Response:
    figures = sees_figures(visit)
    floor = visit.read(partial(read_floor, figures=figures))
    shown = columns(figures=figures)
    asked = {name: visit.asked(name) for name in ("game", "state", "sort", "order")}
    rows = arranged(floor.tables, shown, asked["sort"], descending=asked["order"] == "desc")
    return visit.page(
        "floor.html",
        floor=floor,
        rows=rows,
        columns=shown,
        asked=asked,
        games=sorted({(row.game, row.cells[0]) for row in rows}, key=lambda game: game[1]),
        states=[(state, terms.term(state, "table_state")) for state in STATES],
        hidden=[row.table for row in rows if not _wanted(row.game, asked["game"], row.state, asked["state"])],
        **meters(visit.doors.house),
    )


def _wanted(game: str, asked_game: str, state: str, asked_state: str) -> bool:
    return asked_game in ("", game) and asked_state in ("", state)


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
        "next": gettext("now %(amount)s"),
        "stopped": gettext("stopped"),
        "table": gettext("table %(table)s"),
        "live": gettext("live"),
        "lost": gettext("connection lost – figures may be old"),
        "behind": gettext("figures are behind – the ledger cannot be read"),
        "signed_out": gettext("signed out – sign in again"),
        "silent": gettext("nothing heard – figures may be old"),
    }
