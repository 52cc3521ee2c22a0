"""The kiosk: nothing but meters, as large as they fit; `?jackpot=` shows one. A hit stays until it is paid or rejected.

A display that is signed in says by itself that it shows a hit's winning value; its name is the person's, or `?as=`.
"""

from datetime import UTC, datetime
from functools import partial
from typing import Final

from starlette.responses import JSONResponse, Response

from api.pages import site
from api.pages.floor_page import meters
from api.pages.frame import Pages
from api.pages.visit import Visit
from domain.acts.hits import AlreadyShownError, show
from domain.commands import ShowHit
from domain.request import Reply
from domain.work import Work
from projections.reads.jackpot_hits import hits

SHOWN: Final = "/v1/jackpots/{jackpot}/hits/{hit}/displays"
_MOST_WAITING: Final = 100


def mount(pages: Pages) -> None:
    pages.show("/display", _display)
    pages.form("/display/shown", _shown, _display, page="/display")


def _display(visit: Visit) -> Response:
    only, live = visit.asked("jackpot"), meters(visit.doors.house)
    if only:
        live["meters"] = [meter for meter in live["meters"] if meter.jackpot == only]
    return visit.page(
        "display.html",
        only=only,
        says=visit.may(f"POST {SHOWN}"),
        name=visit.asked("as") or (visit.person.id if visit.person else ""),
        **live,
    )


def _shown(visit: Visit) -> Response:
    """The newest hit of a level that waits with this award is on the display."""
    jackpot, display = (visit.form.required(name, name) for name in ("jackpot", "display"))
    level, award = (visit.form.count(name, name) for name in ("level", "award"))
    found = visit.read(lambda conn: hits(conn, progressive=jackpot, state="pending", limit=_MOST_WAITING)).hits
    fitting = [hit.hit for hit in found if (hit.level, hit.award) == (level, award)]
    for hit in fitting[-1:]:
        try:
            visit.record(SHOWN, ShowHit, partial(_now, jackpot, hit), (jackpot, hit), body={"display": display})
        except AlreadyShownError:
            break  # its first word stands
    return JSONResponse({"shown": fitting[-1:]}, headers=site.HEADERS)


def _now(jackpot: str, hit: str, work: Work, command: ShowHit) -> Reply:
    return show(work, jackpot, hit, {command.display: datetime.now(UTC)})
