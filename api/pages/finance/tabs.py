"""What the pages of finance share: the way from one to the other, and the day that they are about."""

import re
from typing import Any, Final, NamedTuple

from psycopg import Connection
from starlette.responses import Response

from api.auth import roles
from api.http.names import PATTERNS
from api.i18n.catalogue import gettext, later
from api.pages.visit import Visit
from api.problems import ProblemError
from projections.reads.day_report import unbegun
from projections.reads.days import DayRow, gaming_days

DAY: Final = "/finance/days/{day}"

_TABS: Final = (
    ("/finance", later("Gaming days")),
    ("/finance/statistics", later("To date")),
    ("/finance/journal", later("Journal")),
    ("/finance/cash", later("Cash of players")),
    ("/finance/rules", later("Money rules")),
)


class Tab(NamedTuple):
    path: str
    name: str
    is_here: bool


def tabs(visit: Visit) -> list[Tab]:
    """The pages of finance that this person may see."""
    here = "/finance" if visit.path.startswith("/finance/days") else visit.path
    seen = [(path, name) for path, name in _TABS if visit.person and visit.person.role in roles.PAGES[path]]
    return [Tab(path, gettext(name), path == here) for path, name in seen]


def finance_page(visit: Visit, template: str, *, position: int, **given: Any) -> Response:
    """A page of finance, which says at which position of the log it is true."""
    visit.position = position
    return visit.page(f"finance/{template}", tabs=tabs(visit), position=position, **given)


def day_of(conn: Connection[Any], day: str) -> DayRow:
    """A gaming day, or one that tables named though nobody began it. Refuses `unknown_day`."""
    row = next(iter(gaming_days(conn, day=day).rows), None) or unbegun(conn, day)
    if row is None:
        raise ProblemError("unknown_day", f"gaming day {day} was never opened")
    return row


def asked_day(visit: Visit, name: str, default: str) -> str:
    """A gaming day from the query. Refuses `bad_parameter`."""
    given = visit.asked(name) or default
    if given and not _is_day(given):
        raise ProblemError("bad_parameter", f"{name} {given[:40]!r} is not a day such as 2026-03-14")
    return given


def _is_day(text: str) -> bool:
    return re.fullmatch(PATTERNS["day"], text) is not None
