"""Documents drawn for internal audit: the same seed draws the same from the same log."""

import datetime as dt
import secrets
from typing import Final

from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages.audit.shown import audit_page
from api.pages.frame import Pages
from api.pages.visit import Visit
from api.problems import ProblemError
from projections.reads.sample import Sample, sample

MOST_SEED: Final = 10**9


def mount(pages: Pages) -> None:
    pages.show("/audit/sample", _sample)


def _sample(visit: Visit) -> Response:
    drawn, wrong = None, None
    try:
        drawn = _drawn(visit)
    except ProblemError as error:
        wrong = error
    proposed = visit.asked("seed") or str(secrets.randbelow(MOST_SEED))
    asked = {name: visit.asked(name) for name in ("first", "last", "at")}
    return audit_page(visit, "sample.html", drawn=drawn, wrong=wrong, seed=proposed, asked=asked)


def _drawn(visit: Visit) -> Sample | None:
    if not visit.asked("seed"):
        return None
    seed, at = _number(visit, "seed", gettext("the random seed")), None
    if visit.asked("at"):
        at = _number(visit, "at", gettext("the position"))
    days = [_day(visit.asked(name)) for name in ("first", "last")]
    drawn = visit.read(lambda conn: sample(conn, seed, first_day=days[0], last_day=days[1], at=at))
    visit.position = drawn.position
    return drawn


def _number(visit: Visit, name: str, label: str) -> int:
    text = visit.asked(name).strip()
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        detail = gettext("%(field)s is a whole number, not “%(given)s”") % {"field": label, "given": text[:40]}
        raise ProblemError("bad_parameter", detail, extra={"field": name})
    return int(text)


def _day(text: str) -> str | None:
    if not text.strip():
        return None
    try:
        return dt.date.fromisoformat(text.strip()).isoformat()
    except ValueError as error:
        detail = gettext("a gaming day is a date such as 2026-03-14, not “%(given)s”") % {"given": text[:40]}
        raise ProblemError("bad_parameter", detail) from error
