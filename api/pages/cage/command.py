"""The board's command line: a fill or a credit in a few key strokes, or the number of a slip to open.

f b1 100        a fill for B1: one stack of 100, which is 20 chips
f b1 100x35     35 chips of 100            f b1 100s3 25      three stacks of 100 and one of 25
c b1 500x4      a credit                   b1 100             a fill: f may be left out
f7  c2          fill 7, credit 2 of the day
f ak-1-2 100    a part of a long name, of three letters or more, that only one table has
w CENTRAL       a window                   d                  drop boxes
"""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from api.i18n.catalogue import gettext
from api.pages.form import FormError, minor_units
from domain.events.base import Chips, chips_total
from projections.reads.tables import TableRow

STACK: Final = 20
"""Chips in a stack, as they lie in a tray."""

LEAST_PART: Final = 3
"""Letters of a name that may stand for the whole of it."""

FIELD: Final = "line"
_KINDS: Final = {"f": "fill", "fill": "fill", "c": "credit", "credit": "credit"}
_PART: Final = re.compile(r"(?P<value>[0-9][0-9.,]*)(?:(?P<how>[x*×s])(?P<count>[0-9]{1,6}))?")
_SLIP: Final = re.compile(r"(f|c|fill|credit) ?0*([1-9][0-9]{0,8})")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A slip to ask for. kind: `fill` or `credit`."""

    kind: str
    table: TableRow
    chips: tuple[Chips, ...]

    @property
    def amount(self) -> int:
        """Minor units of the table's currency."""
        return chips_total(self.chips)


@dataclass(frozen=True, slots=True)
class Opened:
    """A page to go to."""

    path: str


def understood(line: str, tables: Sequence[TableRow], day: str | None) -> Wanted | Opened:
    """What a line asks for. Refuses a line that says nothing clear, naming what would.

    tables: those of the floor; day: the gaming day whose slips are numbered.
    """
    words = line.casefold().split()
    if not words:
        raise FormError(FIELD, gettext("type what is wanted, such as “f b1 100”"))
    if words[0] == "d" and len(words) == 1:
        return Opened("/cage/drops")
    if words[0] == "w" and len(words) <= 2:
        return Opened("/cage/windows" + (f"/{line.split()[1]}" if len(words) == 2 else ""))
    is_open = {row.table.casefold(): row for row in tables if row.state == "open"}
    kind, given, chips = _parts(words, is_open)
    name = _whole(given, is_open, {row.table.casefold() for row in tables})
    numbered = _SLIP.fullmatch(" ".join(words))
    if name not in is_open and numbered and day is not None:
        return Opened(f"/cage/slips/{_KINDS[numbered[1]]}-{day}-{int(numbered[2]):04d}")
    if name not in is_open:
        known = ", ".join(row.table for row in is_open.values()) or gettext("none")
        raise FormError(
            FIELD, gettext("no table “%(name)s” is open; open are %(tables)s") % {"name": name, "tables": known}
        )
    table = is_open[name]
    if not chips:
        raise FormError(FIELD, gettext("say which chips, such as 100x20 or 100 for a stack of 20"))
    return Wanted(kind, table, _chips(chips, table.currency))


def _whole(given: str, is_open: Mapping[str, TableRow], known: Set[str]) -> str:
    """The name of the one open table that a part of a name can mean; else what was given.

    The name of a table that is closed means no other, however its letters lie.
    """
    if given in known or len(given) < LEAST_PART:
        return given
    fitting = [name for name in is_open if given in name]
    if len(fitting) > 1:
        named = {"given": given, "tables": ", ".join(is_open[name].table for name in fitting[:8])}
        raise FormError(FIELD, gettext("“%(given)s” can be %(tables)s; say more of the name") % named)
    return fitting[0] if fitting else given


def _parts(words: list[str], is_open: Mapping[str, TableRow]) -> tuple[str, str, list[str]]:
    """Kind, table and chips: `f b1 100`, `fb1 100` or `b1 100`, whichever names a table that is open."""
    first, rest = words[0], words[1:]
    if first in _KINDS and rest and not (first in is_open and _PART.fullmatch(rest[0]) and rest[0] not in is_open):
        return _KINDS[first], rest[0], rest[1:]
    if first not in is_open and first[:1] in _KINDS and first[1:] in is_open:
        return _KINDS[first[:1]], first[1:], rest
    return "fill", first, rest


def _chips(parts: list[str], currency: str) -> tuple[Chips, ...]:
    counts: dict[int, int] = {}
    for part in parts:
        found = _PART.fullmatch(part)
        denomination = None if found is None else minor_units(found["value"], currency)
        if found is None or not denomination:
            given = {"given": part[:40]}
            raise FormError(FIELD, gettext("“%(given)s” is no chips; 100x35 is 35 of 100, 100 a stack of 20") % given)
        count = STACK if found["how"] is None else int(found["count"]) * (STACK if found["how"] == "s" else 1)
        if not count:
            raise FormError(FIELD, gettext("“%(given)s” is no chip at all") % {"given": part[:40]})
        counts[denomination] = counts.get(denomination, 0) + count
    return tuple(Chips(denomination, count) for denomination, count in sorted(counts.items(), reverse=True))
