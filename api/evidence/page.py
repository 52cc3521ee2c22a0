"""A bundle as one page: styles inline, no script, nothing fetched, and the JSON it was made of inside.

The page is a pure function of that JSON, so a page that shows anything else than its JSON says is found out by making
it again.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, Final

import jinja2
import msgspec

from api.i18n import languages
from api.pages import words
from domain.money import MICRO
from projections.evidence import EvidenceError, read

_TEMPLATES: Final = Path(__file__).parents[1] / "pages" / "templates"
_OPEN: Final = '<script type="application/json" id="evidence">'
_INSIDE: Final = re.compile(re.escape(_OPEN) + r"(.*?)</script>", re.DOTALL)


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(words.FILTERS | {"micro": _whole, "moment": _moment, "said": _said})
    return environment.get_template("evidence.html")


def page_of(document: dict[str, Any]) -> str:
    """The page of a bundle; the same bundle always gives the same page."""
    # A page ends its script at the first `</`, wherever it stands; JSON may write `<` otherwise.
    inside = msgspec.json.encode(document).decode().replace("<", "\\u003c")
    with languages.speaking(languages.SOURCE):  # whoever makes it, wherever it is made again
        return _template().render(bundle=document, told=document["told"], embedded=_OPEN + inside + "</script>")


def document_of(data: bytes) -> dict[str, Any]:
    """The bundle in a file, be it the JSON or the page. Raises EvidenceError, also for a page that shows another."""
    if not data.lstrip().startswith(b"<"):
        return read(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise EvidenceError("the page is not UTF-8") from error
    found = _INSIDE.findall(text)
    if len(found) != 1:
        raise EvidenceError(f"the page holds {len(found)} bundles; evidence holds one")
    document = read(found[0].encode())
    try:
        again = page_of(document)
    except (jinja2.UndefinedError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise EvidenceError(f"the page's bundle cannot be shown: {error}") from error
    if again != text:
        raise EvidenceError("the page shows something else than this program makes of the bundle inside it")
    return document


def _whole(micro: str, currency: str) -> str:
    """Millionths of a minor unit, as an amount with six more decimals where there are any."""
    whole, part = divmod(int(micro), MICRO)
    return words.amount(whole, currency) + (f" + {part}/1000000" if part else "")


def _moment(text: str) -> str:
    """A time of the log to the millisecond; the whole of it stands in the JSON."""
    return text.partition("+")[0][:23].replace("T", " ")


def _said(data: dict[str, Any]) -> str:
    """An event's fields in words; its round stands in the title."""
    return ", ".join(f"{name} {value}" for name, value in data.items() if name != "round")
