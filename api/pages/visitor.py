"""Who looks at a page: somebody signed in, or a guest of a demonstration.

Pages are open without sign-in only where the settings say so, and then only to the machine itself: the caller's address
must be loopback and the host it asked for must name this machine, so that no foreign page can look through a browser.
"""

import ipaddress
from typing import Final
from urllib.parse import urlsplit

from anyio import to_thread
from starlette.requests import Request

from api.auth import sessions
from api.auth.sessions import Session
from api.http.health import require_loopback
from api.problems import ProblemError
from api.wiring import House

_MOST_COOKIE: Final = 200


async def session_of(request: Request, house: House) -> Session | None:
    """The session that the request's cookie names, if it has not ended."""
    secret = request.cookies.get(sessions.COOKIE, "")
    if not secret or len(secret) > _MOST_COOKIE:
        return None
    return await to_thread.run_sync(house.read, lambda conn: sessions.find(conn, secret))


def require_own_form(request: Request, session: Session | None, proof: str) -> None:
    """Refuses `foreign_form` for a form that another site's page sends, or that was made for another session."""
    if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise ProblemError("foreign_form", "the form comes from a page of another site")
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise ProblemError("foreign_form", "the form comes from a page of another site")
    if session is not None and not sessions.is_proof(session, proof):
        raise ProblemError("foreign_form", "the form was made for another session; open the page again")


def may_be_guest(request: Request, house: House) -> None:
    """Refuses `pages_closed` and `loopback_only` where pages are not open without sign-in, or not to this caller."""
    if not house.settings.pages_open:
        raise ProblemError("pages_closed", "pages are shown without sign-in only in a demonstration")
    require_loopback(request)
    if not _names_this_machine(request.headers.get("host", "")):
        raise ProblemError("loopback_only", "pages are shown under localhost or a loopback address only")
    if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise ProblemError("loopback_only", "pages are not shown inside, or fetched by, the pages of others")


def _names_this_machine(host: str) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
