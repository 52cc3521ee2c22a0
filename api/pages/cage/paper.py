"""A fill or credit slip on paper: one page. A print is recorded before paper is made; all but the first say REPRINT."""

from starlette.responses import Response

from api.pages.cage.slip import record_of
from api.pages.cage.steps import ORDER
from api.pages.frame import Pages
from api.pages.visit import Visit

PATH = "/cage/slips/{slip}/paper"
PRINTS = "/v1/slips/{slip}/prints"


def mount(pages: Pages) -> None:
    pages.show(PATH, _paper)
    pages.form(PATH, _print, _paper)


def _paper(visit: Visit) -> Response:
    (slip_id,) = visit.names
    record = record_of(visit, slip_id)
    return visit.page(
        "cage/paper.html",
        house=visit.doors.house.settings.site,
        record=record,
        slip=record.slip,
        order=ORDER,
        by_step={one.step: one for one in record.slip.signatures},
        last=record.prints[-1] if record.prints else None,
        now=bool(visit.asked("now")),
    )


def _print(visit: Visit) -> Response:
    (slip_id,) = visit.names
    visit.act(PRINTS, slip_id, body={})
    return visit.go(f"/cage/slips/{slip_id}/paper?now=1")
