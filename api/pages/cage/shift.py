"""A cashier's shift on one page to print: opening, movements in sums, closing count, over or short."""

from typing import Final

from starlette.responses import Response

from api.pages.frame import Pages
from api.pages.visit import Visit
from api.problems import ProblemError
from projections.reads.cage_window import shift_record

PATH: Final = "/cage/shifts/{shift}"


def mount(pages: Pages) -> None:
    pages.show(PATH, _shift)


def _shift(visit: Visit) -> Response:
    (name,) = visit.names
    found = visit.read(lambda conn: shift_record(conn, name))
    if found is None:
        raise ProblemError("unknown_window", f"no cashier's shift is named {name!r}")
    visit.position = found.position
    return visit.page("cage/shift.html", record=found, shift=found.shift)
