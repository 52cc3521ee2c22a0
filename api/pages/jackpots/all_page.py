"""All jackpots: meters as they move, what waits for somebody, what the house owes, the last hits."""

from typing import Final

from starlette.responses import Response

from api.pages.floor_page import meters
from api.pages.frame import Pages
from api.pages.jackpots.seen import sees_books
from api.pages.visit import Visit
from projections.reads.jackpot_hits import hits, newest_hits
from projections.reads.jackpots import jackpots, owed

LAST_HITS: Final = 25
_MOST_WAITING: Final = 100


def mount(pages: Pages) -> None:
    pages.show("/jackpots", _all)


def _all(visit: Visit) -> Response:
    found = visit.read(jackpots)
    visit.position = found.position
    return visit.page(
        "jackpots/all.html",
        jackpots=found.jackpots,
        position=found.position,
        books=sees_books(visit),
        owed=owed(found.jackpots),
        waiting=visit.read(lambda conn: hits(conn, state="pending", limit=_MOST_WAITING)).hits,
        last=visit.read(lambda conn: newest_hits(conn, limit=LAST_HITS)).hits,
        proposes=visit.may("POST /v1/progressives"),
        **meters(visit.doors.house),
    )
