"""The table's page: the felt, the last rounds, the money of the session, and what may be done; live."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

import anyio
import msgspec
import psycopg
from anyio import to_thread
from psycopg_pool import PoolTimeout
from starlette.responses import Response

from api.http.read_jackpots import feed
from api.i18n import languages
from api.i18n.catalogue import gettext
from api.pages import site
from api.pages.floor_page import meters
from api.pages.frame import Pages
from api.pages.paced import Paced
from api.pages.table import felt, hours
from api.pages.table.offers import offers
from api.pages.table.seen import Seen, Sees, sees, whole
from api.pages.visit import Visit
from api.problems import ProblemError
from api.wiring import House

PARTS: Final = ("head", "felt", "rounds", "money", "slips", "exceptions", "hours")
"""What the page is made of: each is a template, and is replaced as a whole when it has changed."""

_FEED_THREADS: Final = 2
_MOST_FEEDS: Final = 256

Key = tuple[str, str, Sees]


def mount(pages: Pages) -> None:
    feeds = _Feeds(pages.house)

    async def live(visit: Visit) -> Response:
        (name,) = visit.names
        more = feeds.of(name, languages.spoken(), sees(visit))
        return feed(pages.house, visit.request, lambda: pages.may_stay(visit), pulse=True, more=more)

    pages.show("/tables", _find)
    pages.show("/tables/{table}", show)
    pages.stream("/live/tables/{table}", "/tables/{table}", live)


def _find(visit: Visit) -> Response:
    """From the floor to a table by its name, also to one that is to be opened for the first time."""
    name = visit.asked("table").strip()
    return visit.go(f"/tables/{name}" if name else "/")


def show(visit: Visit) -> Response:
    """The page. A table that was never opened is shown to who may open it."""
    (name,) = visit.names
    may = sees(visit)
    seen = visit.read(lambda conn: whole(conn, name, may))
    if seen.table is None and not visit.may("POST /v1/tables/{table}/open"):
        raise ProblemError("unknown_table", f"no table {name!r} was ever opened")
    visit.position = seen.position
    given = {**parts_of(seen, may), **meters(visit.doors.house)}
    return visit.page("table/page.html", styled_by_script=True, parts=PARTS, offers=offers(visit, seen), **given)


def parts_of(seen: Seen, may: Sees) -> dict[str, Any]:
    """What the parts of the page are made with."""
    told = hours.hours(seen.hours)
    currency = "" if seen.table is None else seen.table.currency
    return {
        "seen": seen,
        "may": may,
        "boxes": [] if seen.felt is None else felt.boxes(seen.felt, seen.limits),
        "hours": told,
        "charts": [hours.result_chart(told, currency), hours.hold_chart(told)] if told else [],
        "knows_theory": hours.knows_theory(told),
    }


class _Feeds:
    """A live text for each table, language and kind of reader that somebody looks with; the oldest are let go."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._threads = anyio.CapacityLimiter(_FEED_THREADS)
        self._kept: OrderedDict[Key, Paced] = OrderedDict()

    def of(self, name: str, language: str, may: Sees) -> Callable[[], Awaitable[bytes]]:
        key = (name, language, may)
        kept = self._kept.get(key)
        if kept is None:
            kept = self._kept[key] = Paced("table", partial(self._make, key), lambda: self._house.hub.views_at)
        self._kept.move_to_end(key)
        while len(self._kept) > _MOST_FEEDS:
            self._kept.popitem(last=False)

        async def text() -> bytes:
            try:
                return await kept.text()
            except (psycopg.Error, PoolTimeout):
                return b""  # the page says itself that its figures are old

        return text

    async def _make(self, key: Key) -> bytes:
        _, language, _ = key
        with languages.speaking(language):
            return await to_thread.run_sync(self._news, key, limiter=self._threads)

    def _news(self, key: Key) -> bytes:
        name, _, may = key
        seen = self._house.read(lambda conn: whole(conn, name, may))
        given = parts_of(seen, may)
        return msgspec.json.encode(
            {
                "state": seen.state,
                "parts": {part: site.part(f"table/part_{part}.html", **given) for part in PARTS},
                "charts": {one.name: one.drawing for one in given["charts"]},
                "reload": gettext("What may be done here has changed: show it"),
            }
        )
