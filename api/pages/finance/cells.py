"""Rows of figures as a page shows them: each figure written out, and a link to the events that make it.

A figure that cannot be known yet is no zero: its cell says so, and what it waits for stands in the row's `missing`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import quote

from api.i18n.catalogue import gettext, later
from api.pages import words
from api.pages.terms import term
from projections.reads.hold import HoldRow
from projections.reads.known import DayFigure

EXPLAIN: Final = "/finance/explain"

RATIOS: Final = {"hold": ("win", "drop"), "win_per_handle": ("win", "handle")}
"""A ratio opens into the two figures that it is of."""

_OPENS_AS: Final = {"counted_drop": "drop"}
_SIGNED: Final = frozenset({"win", "over_short", "result", "adjusted"})
_NOT_COMPUTED: Final = frozenset({"theoretical_win", "sd", "z"})
_MOST_ROUNDS: Final = 3_000
"""A figure of more rounds opens into the tables that it is of; each of them then opens into its events."""

_CAUSES: Final = frozenset({"closer", "counted_drop"})
"""What is not counted yet; every other figure is missing because one of these is."""

_OF_HOURS: Final = ("rounds", "handle", "result", "buy_ins", "fills", "credits", "tips")

REPORT: Final = (
    "opener", "fills", "credits", "closer", "buy_ins", "counted_drop", "over_short", "win", "hold", "handle", "rounds",
)  # fmt: skip
"""The columns of the master game report, in the order in which win is worked out; what was dealt comes after it."""

HEADINGS: Final = {
    "rounds": later("Rounds"),
    "opener": later("Opener"),
    "fills": later("Fills"),
    "credits": later("Credits"),
    "closer": later("Closer"),
    "buy_ins": later("Drop observed"),
    "counted_drop": later("Drop counted"),
    "drop": later("Drop"),
    "handle": later("Handle"),
    "taken": later("Taken"),
    "paid": later("Paid"),
    "tips": later("Tips"),
    "over_short": later("Over/short"),
    "adjusted": later("Adjusted"),
    "result": later("Result of play"),
    "win": later("Win"),
    "hold": later("Hold"),
    "win_per_handle": later("Win/handle"),
}


def report(totals: Sequence[HoldRow] | Sequence[DayFigure]) -> tuple[str, ...]:
    """The columns of a report of days; what the audit adjusted is among them where it adjusted anything."""
    if not any(total.adjusted for total in totals):
        return REPORT
    at = REPORT.index("win")
    return (*REPORT[:at], "adjusted", *REPORT[at:])


class Figures(Protocol):
    """What rows of figures have in common."""

    currency: str
    rounds: int
    missing: list[str]


class Cell(NamedTuple):
    """name: the column's. text: as people read it. href: the events that make it, "" where there are none to show.

    known: False where nobody can know the figure yet.
    """

    name: str
    text: str
    href: str
    tone: str
    known: bool


@dataclass(frozen=True)
class Row:
    """A line of a report. key: what it is of. about: more of it, in words. missing: what it waits for, in words."""

    key: str
    name: str
    about: str
    currency: str
    grade: str
    cells: list[Cell]
    missing: list[str]


def columns(names: Sequence[str]) -> list[tuple[str, str]]:
    """The columns' names and headings."""
    return [(name, gettext(HEADINGS[name])) for name in names]


def of_hours() -> tuple[str, ...]:
    """The columns of what happened in an hour; openers, closers and counts belong to whole sessions."""
    return _OF_HOURS


def cells(row: Figures, names: Sequence[str], scope: str, parts: str = "") -> list[Cell]:
    """The cells of a row. scope: what the row is of, as the query of an explanation; "" where none can be given.

    parts: where the tables stand that it is of, if it is of several.
    """
    opens_into = parts if row.rounds > _MOST_ROUNDS else ""
    return [_cell(row, name, scope, opens_into) for name in names]


def of_days(row: Figures, names: Sequence[str], last: str) -> list[Cell]:
    """The cells of a row of many days: each figure opens into the days up to the last."""
    return [_cell(row, name, "", f"/finance?to={last}") for name in names]


def scope(**of: str | None) -> str:
    """What a row is of, for the address of an explanation: `scope(gaming_day="2026-03-14", table="T1")`."""
    return "&".join(f"{name}={quote(value, safe='')}" for name, value in of.items() if value is not None)


def missing(row: Figures, *, whole: bool = False) -> list[str]:
    """What a row waits for, in words; what is worked out for nobody yet is said once for the whole page.

    whole: every figure that is missing; else those alone that the others wait for, where there are any.
    """
    names = [name for name in row.missing if name not in _NOT_COMPUTED]
    causes = [name for name in names if name in _CAUSES]
    return [term(name, "figure") for name in (names if whole else causes or names)]


def _cell(row: Figures, name: str, of: str, parts: str) -> Cell:
    value: Any = getattr(row, name)
    href = parts or (f"{EXPLAIN}?figure={_OPENS_AS.get(name, name)}&{of}" if of else "")
    if value is None:
        return Cell(name, words.NOTHING, href, "", known=False)
    if name in RATIOS:
        return Cell(name, words.percent(value), href, "", known=True)
    if name == "rounds":
        return Cell(name, words.number(value), href, "", known=True)
    if name in _SIGNED:
        return Cell(name, words.signed(value, row.currency), href, "down" if value < 0 else "", known=True)
    return Cell(name, words.amount(value, row.currency), href, "", known=True)
