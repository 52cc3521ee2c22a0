"""The slip of a jackpot hit, to print on one page: a door for whoever has a token, a page where pages are open."""

from typing import Final

from starlette.responses import Response

from api.http.doors import Doors, Shown
from api.http.queries import Query
from api.http.read_jackpots import hit_record
from api.pages import site
from api.pages.frame import Pages
from api.pages.qr import svg
from api.pages.visit import Visit
from api.wiring import House
from projections.reads.jackpot_hit_record import HitRecord

SLIP: Final = "/v1/jackpots/{jackpot}/hits/{hit}/slip"


def mount_door(doors: Doors) -> None:
    """The slip as a door: any staff, with a token."""

    async def slip(_asked: Query, jackpot: str, hit: str) -> Shown:
        record = await doors.reading(lambda conn: hit_record(conn, jackpot, hit))
        return Shown(_page(doors.house, record), record.position)

    doors.show(SLIP, Query, slip, "The slip of a hit, an HTML page to print", media="text/html")


def mount(pages: Pages) -> None:
    """The slip as a page."""
    pages.show("/jackpots/{jackpot}/hits/{hit}/slip", _slip)


def _slip(visit: Visit) -> Response:
    jackpot, hit = visit.names
    return _page(visit.doors.house, visit.read(lambda conn: hit_record(conn, jackpot, hit)))


def _page(house: House, record: HitRecord) -> Response:
    qr = None if record.proof is None else svg(record.proof, "Proof that this hit stands in the log")
    return site.page("slip.html", house=house.settings.site, record=record, hit=record.hit, cards=record.cards, qr=qr)
