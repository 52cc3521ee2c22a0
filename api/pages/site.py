"""What every page shares: templates in the reader's language, static files, strict headers."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any, Final

import jinja2
from fastapi import FastAPI
from starlette.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

from api.i18n import catalogue
from api.i18n.languages import LANGUAGES, spoken
from api.pages import words

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
    # With no referrer at all browsers call our own forms' origin `null`.
    "referrer-policy": "same-origin",
}

_environment: Final = jinja2.Environment(
    loader=jinja2.FileSystemLoader(_HERE / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
    extensions=["jinja2.ext.i18n"],
)
_environment.policies["ext.i18n.trimmed"] = True
_environment.filters.update(words.FILTERS)
_environment.install_gettext_callables(catalogue.gettext, catalogue.ngettext, newstyle=True)  # type: ignore[attr-defined]


def mount_static(app: FastAPI) -> None:
    """Styles and scripts."""
    app.mount("/static", StaticFiles(directory=_HERE / "static"), name="static")


def page(name: str, status: int = 200, **given: Any) -> HTMLResponse:
    """A page rendered in the language spoken now, with the headers that every page has."""
    text = _environment.get_template(name).render(static=static, language=spoken(), languages=LANGUAGES, **given)
    return HTMLResponse(text, status, headers={**HEADERS, "content-language": spoken()})


@cache
def static(name: str) -> str:
    """The address of a static file; it changes with the content, so that no browser keeps an old one."""
    digest = hashlib.sha256((_HERE / "static" / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?v={digest}"
