"""What every page shares: templates, static files, strict headers, and who may look.

Pages are open without sign-in only where the settings say so, and then only to the machine itself: the caller's address
must be loopback and the host it asked for must name this machine, so that no foreign page can look through a browser.
"""

import hashlib
import ipaddress
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import jinja2
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles

from api.http.health import require_loopback
from api.pages import words
from api.problems import ProblemError
from api.wiring import House

_HERE: Final = Path(__file__).parent

HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self';"
        " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "cache-control": "no-store",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cross-origin-opener-policy": "same-origin",
    "x-frame-options": "DENY",
}

_environment: Final = jinja2.Environment(
    loader=jinja2.FileSystemLoader(_HERE / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)
_environment.filters.update(words.FILTERS)


def mount_static(app: FastAPI) -> None:
    """Styles and scripts."""
    app.mount("/static", StaticFiles(directory=_HERE / "static"), name="static")


def page(name: str, status: int = 200, **given: Any) -> Response:
    """A rendered page with the headers that every page has."""
    text = _environment.get_template(name).render(static=static, **given)
    return HTMLResponse(text, status, headers=HEADERS)


@cache
def static(name: str) -> str:
    """The address of a static file; it changes with the content, so that no browser keeps an old one."""
    digest = hashlib.sha256((_HERE / "static" / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?v={digest}"


def may_look(request: Request, house: House) -> None:
    """Refuses `loopback_only` where pages are not open, or not to this caller."""
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
