"""What every page shares: templates in the reader's language, static files, strict headers."""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import jinja2
from fastapi import FastAPI
from starlette.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

from api.i18n import catalogue
from api.i18n.languages import LANGUAGES, spoken
from api.pages import charts, words

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

# Bokeh puts style elements of its own beside what it draws; only pages with charts let it, and scripts stay as strict.
_STYLED_BY_SCRIPT: Final = HEADERS["content-security-policy"].replace(
    "style-src 'self'", "style-src 'self' 'unsafe-inline'"
)


def _when_shown(filter_: Callable[..., str]) -> Callable[..., str]:
    """A filter that jinja does not work out for a constant while it compiles, in the language of whoever came first."""

    @jinja2.pass_context
    def shown(_context: object, *given: Any, **named: Any) -> str:
        return filter_(*given, **named)

    return shown


environment: Final = jinja2.Environment(
    loader=jinja2.FileSystemLoader(_HERE / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
    extensions=["jinja2.ext.i18n"],
)
"""Of every page and part of one; what it renders is in the language spoken then."""
environment.policies["ext.i18n.trimmed"] = True
environment.filters.update({name: _when_shown(filter_) for name, filter_ in words.FILTERS.items()})
environment.globals["bokeh"] = charts.SCRIPTS
environment.install_gettext_callables(catalogue.gettext, catalogue.ngettext, newstyle=True)  # type: ignore[attr-defined]


def mount_static(app: FastAPI) -> None:
    """Styles and scripts."""
    charts.mount_scripts(app)
    app.mount("/static", StaticFiles(directory=_HERE / "static"), name="static")


def page(name: str, status: int = 200, /, *, styled_by_script: bool = False, **given: Any) -> HTMLResponse:
    """A page rendered in the language spoken now, with the headers that every page has.

    styled_by_script: it has charts, which style what they draw.
    """
    headers = {**HEADERS, "content-language": spoken()}
    if styled_by_script:
        headers["content-security-policy"] = _STYLED_BY_SCRIPT
    return HTMLResponse(part(name, **given), status, headers=headers)


def part(name: str, /, **given: Any) -> str:
    """A template, whole page or part of one, rendered in the language spoken now."""
    return environment.get_template(name).render(static=static, language=spoken(), languages=LANGUAGES, **given)


@cache
def static(name: str) -> str:
    """The address of a static file; it changes with the content, so that no browser keeps an old one."""
    digest = hashlib.sha256((_HERE / "static" / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?v={digest}"
