"""How a page is mounted: who may see it, in which language, its thread, and what a refusal looks like.

A page is a function of a `Visit` that runs in a worker's thread. A form is another such function at the same or
another path; where it refuses, the page that holds the form is shown again with what was wrong and with the fields as
they were.
"""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Final

import anyio
import psycopg
from anyio import to_thread
from psycopg_pool import PoolTimeout
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from api.auth import roles
from api.auth.sessions import Session
from api.http import bodies
from api.http.doors import Doors
from api.http.translate import FORESEEN, problem_of
from api.i18n import languages
from api.pages import site, visitor
from api.pages.form import MEDIA_TYPE, Form
from api.pages.visit import Visit, sign_in_path
from api.problems import ProblemError
from api.viewed import report_viewed
from api.wiring import House

LANGUAGE: Final = "pitclerk_language"
PAGE_THREADS: Final = 4
OWN: Final = "r"
"""A parameter that holds a round of the reader's own, cards and all: nothing that was read, so it is not noted."""

Page = Callable[[Visit], Response]
Stream = Callable[[Visit], Awaitable[Response]]


class Pages:
    """Mounts pages, their forms and their live feeds."""

    def __init__(self, doors: Doors) -> None:
        self.doors = doors
        self.house: House = doors.house
        self._threads = anyio.CapacityLimiter(PAGE_THREADS)

    def show(self, path: str, page: Page) -> None:
        """A page to look at."""

        async def endpoint(request: Request) -> Response:
            return await self._spoken(request, path, page, None)

        self.doors.mount("GET", path, endpoint)

    def public(self, path: str, page: Page) -> None:
        """A page that says nothing about the house: for everybody, signed in or not."""

        async def endpoint(request: Request) -> Response:
            with languages.speaking(language_of(request)):
                visit = Visit(self.doors, request, None)
                return await self.threaded(lambda: _answer(visit, page, None))

        self.doors.mount("GET", path, endpoint)

    def form(self, path: str, act: Page, again: Page, *, page: str | None = None) -> None:
        """What a form posted to `path` does; refused, `again` shows the page. page: its path in the table of roles."""

        async def endpoint(request: Request) -> Response:
            return await self._spoken(request, page or path, act, again)

        self.doors.mount("POST", path, endpoint)

    def stream(self, path: str, page: str, stream: Stream) -> None:
        """A live feed for a page; `page` is whose it is."""

        async def endpoint(request: Request) -> Response:
            with languages.speaking(language_of(request)):
                try:
                    visit = Visit(self.doors, request, await visitor.session_of(request, self.house))
                    self._admit(visit, page)
                except _ToSignIn as error:
                    raise ProblemError("unauthenticated", "sign in to follow this") from error
                return await stream(visit)

        self.doors.mount("GET", path, endpoint)

    async def may_stay(self, visit: Visit) -> bool:
        """Whether somebody who follows a live feed is still signed in; while the database cannot be asked, yes."""
        if visit.session is None:
            return True
        try:
            return await visitor.session_of(visit.request, self.house) is not None
        except (psycopg.Error, PoolTimeout):
            return True

    async def threaded(self, work: Callable[[], Response]) -> Response:
        """Run in one of the pages' threads."""
        return await to_thread.run_sync(work, limiter=self._threads)

    async def _spoken(self, request: Request, path: str, page: Page, again: Page | None) -> Response:
        with languages.speaking(language_of(request)):
            visit = Visit(self.doors, request, None)
            try:
                session = await visitor.session_of(request, self.house)
                visit = Visit(self.doors, request, session)  # whom a refusal is told to, in a frame of their own
                self._admit(visit, path)
                if again is not None:
                    visit.form = await self._own_form(request, session)
                answer = await self.threaded(lambda: _answer(visit, page, again))
                _note(visit, path, answer)
                return answer
            except _ToSignIn as to_sign_in:
                return RedirectResponse(to_sign_in.path, 303, headers=site.HEADERS)
            except FORESEEN as error:
                return refused(visit, problem_of(error))

    def _admit(self, visit: Visit, path: str) -> None:
        request, session = visit.request, visit.session
        if session is None:
            if path not in roles.OPEN_PAGES or not self.house.settings.pages_open:
                if request.method == "GET":
                    raise _ToSignIn(sign_in_path(request))
                raise ProblemError("sign_in_failed", "the session has ended; sign in again")
            visitor.may_be_guest(request, self.house)
            return
        facts = request.scope["state"]["facts"]
        facts["actor"], facts["role"] = session.person.id, session.person.role
        if session.person.role not in roles.PAGES[path]:
            needed = " or ".join(sorted(roles.PAGES[path]))
            raise ProblemError("role_required", f"this page is for the role {needed}; yours is {session.person.role}")

    async def _own_form(self, request: Request, session: Session | None) -> Form:
        if bodies.media_type(request) != MEDIA_TYPE:
            raise ProblemError("unsupported_media_type", f"the form is sent as {MEDIA_TYPE}")
        form = Form.read(await bodies.whole(request))
        visitor.require_own_form(request, session, form.text("proof"))
        return form


class _ToSignIn(Exception):  # noqa: N818  (a way, not a fault)
    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


def language_of(request: Request) -> str:
    """The language of the request's reader."""
    return languages.wanted(request.cookies.get(LANGUAGE), request.headers.get("accept-language", ""))


def _note(visit: Visit, path: str, answer: Response) -> None:
    """The line of a report that was shown, where not everybody may see it: who read what, with which parameters."""
    request = visit.request
    if visit.person is None or request.method != "GET" or answer.status_code != HTTPStatus.OK:
        return
    if path in roles.PAGES and roles.PAGES[path] != roles.ANY:
        report_viewed(
            f"GET {path}",
            actor=visit.person.id,
            role=visit.person.role,
            asked={**request.path_params, **{name: of for name, of in request.query_params.items() if name != OWN}},
            position=visit.doors.house.hub.views_at if visit.position is None else visit.position,
            request=request.scope["state"]["request_id"],
        )


def _answer(visit: Visit, page: Page, again: Page | None) -> Response:
    try:
        return page(visit)
    except FORESEEN as error:
        problem = problem_of(error)
        if again is None:
            return refused(visit, problem)
        visit.request.scope["state"]["facts"]["code"] = problem.code
        visit.problem = problem
    try:
        return again(visit)
    except FORESEEN as error:
        return refused(visit, problem_of(error))


def refused(visit: Visit, problem: ProblemError) -> Response:
    """A page that says what stands in the way."""
    visit.request.scope["state"]["facts"]["code"] = problem.code
    visit.problem = problem
    answer = visit.page("refused.html", sign_in=sign_in_path(visit.request))
    answer.headers.update(problem.headers)
    return answer
