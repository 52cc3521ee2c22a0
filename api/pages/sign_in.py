"""Signing in and out, and choosing a language."""

from typing import Final
from urllib.parse import urlsplit

import anyio
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from api.auth import sessions
from api.http import bodies
from api.http.translate import FORESEEN, problem_of
from api.i18n import languages
from api.i18n.catalogue import gettext
from api.pages import site, visitor
from api.pages.form import MEDIA_TYPE, Form
from api.pages.frame import LANGUAGE, Pages, language_of
from api.pages.visit import Visit, known_person
from api.problems import ProblemError

_HASHES_AT_ONCE: Final = 2
_YEAR_S: Final = 365 * 86_400


def mount(pages: Pages) -> None:
    house = pages.house
    # A hash takes some 50 ms and 64 MiB on purpose: who tries many passwords keeps nobody's page waiting.
    hashing = anyio.CapacityLimiter(_HASHES_AT_ONCE)

    async def ask(request: Request) -> Response:
        with languages.speaking(language_of(request)):
            visit = Visit(pages.doors, request, await visitor.session_of(request, house))
            return visit.page("sign_in.html", next=inside(request.query_params.get("next", "/")))

    async def enter(request: Request) -> Response:
        with languages.speaking(language_of(request)):
            visit = Visit(pages.doors, request, None)
            try:
                visit.form = await _form(request)
                return await to_thread.run_sync(_entered, visit, limiter=hashing)
            except FORESEEN as error:
                problem = problem_of(error)
                request.scope["state"]["facts"]["code"] = problem.code
                visit.problem = problem
                return visit.page("sign_in.html", next=inside(visit.form.text("next")))

    async def leave(request: Request) -> Response:
        session = await visitor.session_of(request, house)
        form = await _form(request)
        visitor.require_own_form(request, session, form.text("proof"))
        secret = request.cookies.get(sessions.COOKIE, "")
        await to_thread.run_sync(house.read, lambda conn: sessions.end(conn, secret))
        answer = RedirectResponse("/sign-in", 303, headers=site.HEADERS)
        answer.delete_cookie(sessions.COOKIE)
        return answer

    async def speak(request: Request) -> Response:
        answer = RedirectResponse(inside(request.query_params.get("back", "/")), 303, headers=site.HEADERS)
        chosen = request.query_params.get("to", "")
        if chosen in languages.LANGUAGES:
            answer.set_cookie(LANGUAGE, chosen, max_age=_YEAR_S, httponly=True, samesite="lax")
        return answer

    pages.doors.mount("GET", "/sign-in", ask)
    pages.doors.mount("POST", "/sign-in", enter)
    pages.doors.mount("POST", "/sign-out", leave)
    pages.doors.mount("GET", "/language", speak)


def inside(path: str) -> str:
    """The path if it leads to a page of ours, else the first page."""
    parts = urlsplit(path)
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\")) and not parts.netloc and not parts.scheme
    return path if is_ours and path.isascii() and path.isprintable() and len(path) <= 500 else "/"


async def _form(request: Request) -> Form:
    if bodies.media_type(request) != MEDIA_TYPE:
        raise ProblemError("unsupported_media_type", f"the form is sent as {MEDIA_TYPE}")
    form = Form.read(await bodies.whole(request))
    visitor.require_own_form(request, None, "")
    return form


def _entered(visit: Visit) -> Response:
    person_id = visit.form.required("person", gettext("Name"))
    person = known_person(visit.doors, person_id, visit.form.fields.get("password", ""))
    secret = visit.read(lambda conn: sessions.begin(conn, person))
    facts = visit.request.scope["state"]["facts"]
    facts["actor"], facts["role"] = person.id, person.role
    wanted = inside(visit.form.text("next") or "/")
    if wanted == "/" and person.role == "display":
        wanted = "/display"  # the only page that a display sees
    answer = visit.go(wanted)
    longest = sessions.SIGN_S if person.role == "display" else sessions.LONGEST_S
    # Strict: no link from elsewhere acts, or even looks, in the name of who is signed in here.
    is_tls = visit.request.url.scheme == "https"
    answer.set_cookie(sessions.COOKIE, secret, max_age=longest, httponly=True, samesite="strict", secure=is_tls)
    return answer
