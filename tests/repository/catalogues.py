"""Brings the catalogues up to the source: new messages come in empty, gone ones go. Run as a program after a change.

`python -m tests.repository.catalogues` rewrites api/i18n/locales/*.po; the tests say which messages still lack words.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from api.i18n.catalogue import LOCALES
from api.i18n.languages import LANGUAGES, SOURCE
from api.problems import KINDS

PAGES = Path(__file__).parents[2] / "api"
METHODS = [("**.py", "python"), ("**.html", "jinja2")]
OPTIONS = {"**.html": {"trimmed": "true", "encoding": "utf-8"}}
KEYWORDS = {"_": None, "gettext": None, "later": None, "ngettext": (1, 2)}


def messages() -> Catalog:
    """Every message of the source, with where it stands."""
    found = Catalog(charset="utf-8")
    for file, _, message, comments, context in extract_from_dir(
        PAGES, method_map=METHODS, options_map=OPTIONS, keywords=KEYWORDS
    ):
        found.add(message, None, [(file, None)], auto_comments=comments, context=context)  # type: ignore[list-item]
    for kind in KINDS.values():
        found.add(kind.title, None, [("problems.py", None)])  # type: ignore[list-item]
    return found


def of(language: str) -> Catalog:
    """A language's catalogue as it lies in the tree; empty if it has none yet."""
    file = LOCALES / f"{language}.po"
    if not file.exists():
        return Catalog(locale=language, charset="utf-8")
    with file.open("rb") as opened:
        return read_po(opened, locale=language)


def as_text(catalogue: Catalog) -> bytes:
    """The catalogue as a .po file: sorted, without line numbers that every change would move."""
    text = BytesIO()
    write_po(text, catalogue, width=110, sort_output=True, ignore_obsolete=True, include_lineno=False)
    return text.getvalue()


def brought_up(language: str, source: Catalog) -> Catalog:
    """The catalogue with exactly the source's messages."""
    catalogue = of(language)
    catalogue.update(source, no_fuzzy_matching=True, update_creation_date=False)
    catalogue.fuzzy = False
    catalogue.project, catalogue.version = "pitclerk", ""
    catalogue.header_comment = f"# The words of the pages in {LANGUAGES[language]}; see tests/repository/catalogues.py"
    catalogue.last_translator = catalogue.msgid_bugs_address = catalogue.language_team = "pitclerk"
    return catalogue


if __name__ == "__main__":
    everything = messages()
    for name in LANGUAGES:
        if name != SOURCE:
            (LOCALES / f"{name}.po").write_bytes(as_text(brought_up(name, everything)))
