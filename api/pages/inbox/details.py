"""What the log says of an exception, as people read it: amounts written out, sentences in their language."""

import re
from typing import Final

from api.i18n.catalogue import gettext, later
from api.pages import words
from api.pages.terms import term
from projections.reads.exceptions import ExceptionRow

_SENTENCES: Final = (
    (
        re.compile(r"opener (?P<opener>-?\d+), carried closer (?P<closer>-?\d+)"),
        later("opener %(opener)s, carried closer %(closer)s"),
    ),
    (
        re.compile(r"counted (?P<counted>-?\d+), expected (?P<expected>-?\d+)"),
        later("counted %(counted)s, expected %(expected)s"),
    ),
    (
        re.compile(r"(?P<kind>[a-z_]+): due (?P<due>\d+), paid (?P<paid>\d+)"),
        later("%(kind)s: due %(due)s, paid %(paid)s"),
    ),
    (
        re.compile(r"box (?P<box>\w+): a stake of (?P<stake>\d+) outside the posted limits was accepted"),
        later("box %(box)s: a stake of %(stake)s outside the posted limits was accepted"),
    ),
)
_NO_AMOUNTS: Final = frozenset({"box", "kind"})


def detail(row: ExceptionRow) -> str:
    """The sentence; where there is none of ours, what the log says or what somebody gave as their reason."""
    for pattern, sentence in _SENTENCES:
        found = pattern.fullmatch(row.detail)
        if found is not None:
            return gettext(sentence) % {name: _written(name, text, row) for name, text in found.groupdict().items()}
    return row.detail


def _written(name: str, text: str, row: ExceptionRow) -> str:
    if name == "kind":
        return term(text, "stake")
    return text if name in _NO_AMOUNTS else words.amount(int(text), row.currency or "EUR")
