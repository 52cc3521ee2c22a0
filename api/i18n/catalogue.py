"""The words of a language: read from its .po file once, asked for by the English text."""

import gettext as _gettext
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from api.i18n.languages import SOURCE, spoken

LOCALES: Final = Path(__file__).parent / "locales"


def gettext(message: str) -> str:
    """The message in the language spoken now; in English where the catalogue has nothing."""
    return translations(spoken()).gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    """The message in the form that the number takes; Romanian and the Slavic languages have three."""
    return translations(spoken()).ngettext(one, many, count)


def later(message: str) -> str:
    """Marks a message for the catalogue; it is translated where it is shown."""
    return message


@cache
def translations(language: str) -> _gettext.NullTranslations:
    """A language's words. Raises FileNotFoundError for one without a catalogue."""
    if language == SOURCE:
        return _gettext.NullTranslations()
    with (LOCALES / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language, abort_invalid=True)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return _gettext.GNUTranslations(compiled)
