"""What the log says of an exception, as people read it: amounts written out, sentences in their language."""

import re
from datetime import datetime
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
    (
        re.compile(r"cash in of the gaming day is (?P<operator>\S+) (?P<threshold>\d+)(?P<rule>.*)"),
        later("cash in of the gaming day is %(operator)s %(threshold)s%(rule)s"),
    ),
    (
        re.compile(r"cash out of the gaming day is (?P<operator>\S+) (?P<threshold>\d+)(?P<rule>.*)"),
        later("cash out of the gaming day is %(operator)s %(threshold)s%(rule)s"),
    ),
    (
        re.compile(r"chips of (?P<chips>\d+) moved on a slip that nobody requested"),
        later("chips of %(chips)s moved on a slip that nobody requested"),
    ),
    (
        re.compile(r"(?P<slip>\S+) was (?P<state>[a-z]+) when its session closed"),
        later("%(slip)s when its session closed: %(state)s"),
    ),
    (
        re.compile(r"numbers (?P<first>\d+) to (?P<last>\d+) of (?P<book>\S+) are missing"),
        later("numbers %(first)s to %(last)s of %(book)s are missing"),
    ),
    (
        re.compile(r"the first two counts of (?P<drop>\S+) were not the same; a third bore one out"),
        later("the first two counts of %(drop)s were not the same; a third bore one out"),
    ),
    (
        re.compile(r"counted drop less recorded buy-ins, with (?P<drop>\S+)"),
        later("counted drop less recorded buy-ins, with %(drop)s"),
    ),
    (
        re.compile(r"the opener is worth the carried closer, in other denominations"),
        later("the opener is worth the carried closer, in other denominations"),
    ),
    (
        re.compile(r"open and idle for (?P<minutes>\d+) minutes"),
        later("open and idle for so many minutes: %(minutes)s"),
    ),
    (
        re.compile(r"recorded late: it happened at (?P<moment>\d{4}-\S+ \S+)"),
        later("recorded late: it happened at %(moment)s"),
    ),
)
_TERMS: Final = {"kind": "stake", "state": "slip_state"}
_AMOUNTS: Final = frozenset({"opener", "closer", "counted", "expected", "due", "paid", "stake", "threshold", "chips"})


def detail(row: ExceptionRow) -> str:
    """The sentence; where there is none of ours, what the log says or what somebody gave as their reason."""
    for pattern, sentence in _SENTENCES:
        found = pattern.fullmatch(row.detail)
        if found is not None:
            return gettext(sentence) % {name: _written(name, text, row) for name, text in found.groupdict().items()}
    return row.detail


def _written(name: str, text: str, row: ExceptionRow) -> str:
    if name in _TERMS:
        return term(text, _TERMS[name])
    if name == "moment":
        return words.moment(datetime.fromisoformat(text))
    return words.amount(int(text), row.currency or "EUR") if name in _AMOUNTS else text
