"""A round's story, step by step: the felt after each event, what every payment rests on, what was said since.

The page is whole at every step and works by its links; the script only turns the steps by keyboard without leaving it.
"""

from typing import Any, Final, NamedTuple

import msgspec
from psycopg import Connection
from starlette.responses import HTMLResponse, Response

from api.evidence import page_of
from api.http.read_evidence import evidence_of
from api.i18n.catalogue import gettext
from api.pages import site
from api.pages.audit.felt import felt_after
from api.pages.audit.shown import audit_page
from api.pages.audit.story import AFTERWARDS, payments_of, steps_of
from api.pages.frame import Pages
from api.pages.visit import Visit
from api.problems import ProblemError
from projections.reads import rounds
from projections.reads.rounds import RoundStory
from projections.reads.snapshot import snapshot
from projections.reads.timeline import rounds_beside, session_of

_PAGE: Final = "/audit/rounds/{round}"


class Told(NamedTuple):
    """A round as it was read: its story, its currency, the rounds beside it."""

    story: RoundStory
    currency: str
    before: str | None
    after: str | None


def mount(pages: Pages) -> None:
    pages.show(_PAGE, _round)
    pages.show(f"{_PAGE}/evidence", _evidence)


def _round(visit: Visit) -> Response:
    (name,) = visit.names
    told = visit.read(lambda conn: _read(conn, name))
    visit.position = told.story.position
    steps = steps_of(told.story.events)
    at = _wanted(visit, [step.event.position for step in steps])
    return audit_page(
        visit,
        "round.html",
        told=told,
        round=told.story.round,
        steps=steps,
        at=at,
        step=steps[at - 1],
        felt=felt_after((step.event, step.data) for step in steps[:at]),
        payments=payments_of(steps),
        afterwards=[step for step in steps if step.event.type in AFTERWARDS],
    )


def _read(conn: Connection[Any], name: str) -> Told:
    story = rounds.round_story(conn, name)
    if story is None or not story.events:
        detail = gettext("there is no round %(round)s; rounds are named like CS07-2026-03-14-1-7") % {"round": name}
        raise ProblemError("unknown_round", detail)
    with snapshot(conn) as look:
        session = session_of(look, story.events[0].stream)
        before, after = rounds_beside(look, story.round.table, story.round.first_position)
    return Told(story, "EUR" if session is None else session.currency, before, after)


def _wanted(visit: Visit, positions: list[int]) -> int:
    """The step that is asked for, by its number or by the position of its event; else the last one."""
    last = len(positions)
    step, position = visit.asked("step"), visit.asked("at")
    if position.isascii() and position.isdigit() and len(position) < 19:
        return max(1, sum(one <= int(position) for one in positions))
    if step.isascii() and step.isdigit() and len(step) < 9:
        return min(max(1, int(step)), last)
    return last


def _evidence(visit: Visit) -> Response:
    (name,) = visit.names
    document = visit.read(lambda conn: evidence_of(conn, visit.doors.house, name))
    visit.position = document["position"]
    if visit.asked("format") == "json":
        body, media, kind = msgspec.json.encode(document), "application/json", "json"
        answer: Response = Response(body, media_type=media, headers=site.HEADERS)
    else:
        answer, kind = HTMLResponse(page_of(document), headers=site.HEADERS), "html"
    answer.headers["content-disposition"] = f'attachment; filename="{name}.{kind}"'
    return answer
