"""Prints of slips: said before paper is made, so that every copy but the first says that it is one."""

from typing import Any

from psycopg import Connection

from api.http.doors import Doors
from api.http.queries import Query
from api.problems import ProblemError
from domain.acts import prints
from domain.commands import PrintSlip
from projections.reads import prints as views

_HIT = "/v1/jackpots/{jackpot}/hits/{hit}/prints"
_SLIP = "/v1/slips/{slip}/prints"


def mount(doors: Doors) -> None:
    doors.write(_SLIP, PrintSlip, prints.print_slip, "A fill, credit or hand-pay slip is printed: which print it is")
    doors.write(_HIT, PrintSlip, prints.print_hit, "The slip of a hit is printed: which print it is")
    doors.read(_SLIP, Query, _prints, "The prints of a slip, who made them and when")


def _prints(conn: Connection[Any], _query: Query, slip: str) -> views.Prints:
    found = views.prints(conn, slip)
    if found is None:
        raise ProblemError("unknown_slip", f"there is no slip {slip!r}; slips are named like fill-2026-03-14-0001")
    return found
