"""Two moments of knowledge: how each gaming day's hold was known at either, who made the difference, and why."""

import datetime as dt
from typing import Any, Final

from psycopg import Connection
from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages.audit.moments import position
from api.pages.audit.shown import audit_page
from api.pages.frame import Pages
from api.pages.visit import Visit
from api.problems import ProblemError
from projections.reads.compared import Comparison, TooMuchError, compare
from projections.reads.snapshot import snapshot
from projections.reads.tree import log_head

CAUSES_SHOWN: Final = 25
"""Of each figure: the newest ones, which is what somebody did late."""


def mount(pages: Pages) -> None:
    pages.show("/audit/compare", _compare)


def _compare(visit: Visit) -> Response:
    asked = {name: visit.asked(name).strip() for name in ("first", "second", "day")}
    found, wrong = None, None
    if asked["first"]:
        try:
            found = visit.read(lambda conn: _found(conn, asked))
            visit.position = found.position
        except ProblemError as error:
            wrong = error
    return audit_page(visit, "compare.html", asked=asked, found=found, wrong=wrong, shown=CAUSES_SHOWN)


def _found(conn: Connection[Any], asked: dict[str, str]) -> Comparison:
    first = position(conn, asked["first"], gettext("the earlier moment")) or 0
    second = position(conn, asked["second"], gettext("the later moment"))
    if second is None:
        with snapshot(conn) as look:
            second = log_head(look)
    if first > second:
        given = {"first": first, "second": second}
        detail = gettext("the earlier moment, position %(first)s, lies after the later one, position %(second)s")
        raise ProblemError("bad_parameter", detail % given)
    day = asked["day"] or None
    if day is not None:
        try:
            dt.date.fromisoformat(day)
        except ValueError as error:
            detail = gettext("a gaming day is a date such as 2026-03-14, not “%(given)s”") % {"given": day[:40]}
            raise ProblemError("bad_parameter", detail) from error
    try:
        return compare(conn, first, second, day=day)
    except TooMuchError as error:
        raise ProblemError("bad_parameter", str(error)) from error
