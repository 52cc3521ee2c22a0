"""The pages that `type` of a problem leads to: what a code means, for whoever writes a program against the doors."""

from starlette.responses import Response

from api.pages.frame import Pages
from api.pages.visit import Visit
from api.problems import KINDS, ProblemError


def mount(pages: Pages) -> None:
    pages.public("/problems", _every)
    pages.public("/problems/{code}", _one)


def _every(visit: Visit) -> Response:
    return visit.page("problems.html", kinds=KINDS, only=None)


def _one(visit: Visit) -> Response:
    (code,) = visit.names
    if code not in KINDS:
        raise ProblemError("not_found", "there is no such code; /problems lists them all")
    return visit.page("problems.html", kinds={code: KINDS[code]}, only=code)
