"""The dealer's payout guide for a payout: which chips, and how they are built into stacks."""

from typing import Any, Final, NamedTuple

from api.i18n.catalogue import gettext, ngettext
from domain.payout_guide import Stacks, guide
from domain.ruleset import shipped

_VALUES: Final = (1, 2, 5, 10, 25, 50, 100, 500, 1000, 2500, 5000, 10_000, 50_000, 100_000, 500_000)
"""Chips that houses have, in minor units; a table has those from its smallest chip on."""


class Stack(NamedTuple):
    """So many chips of one value, in stacks: full ones, then one of its own. height: chips of each, for drawing."""

    denomination: int
    chips: int
    heights: tuple[int, ...]
    told: str


def stacks_of(amount: int, chip: int) -> list[Stack]:
    """The stacks of a payout from a table whose smallest chip is `chip`; none where its chips cannot make it."""
    rules: Any = shipped("roulette-ua").rules
    values = {value for value in _VALUES if value >= chip and value % chip == 0} | {chip}
    try:
        lines = guide(amount, values, rules.cutting)
    except ValueError:
        return []
    return [
        Stack(line.denomination, line.chips, _heights(line.stacks, rules.cutting.stack), told(line.stacks))
        for line in lines
    ]


def _heights(stacks: Stacks, full: int) -> tuple[int, ...]:
    heights = [full] * min(stacks.full, 6)
    if heights and stacks.rides:
        heights[-1] += stacks.rides
    rest = stacks.own or (0 if heights else stacks.rides)
    return (*heights, rest) if rest else tuple(heights)


def told(stacks: Stacks) -> str:
    """As one dealer would tell another."""
    parts = []
    if stacks.full:
        parts.append(ngettext("%(count)s full stack", "%(count)s full stacks", stacks.full) % {"count": stacks.full})
    if stacks.rides:
        parts.append(gettext("%(count)s on top") % {"count": stacks.rides})
    if stacks.own and stacks.cut:
        given = {"count": stacks.own, "cut": stacks.cut}
        parts.append(gettext("%(count)s in a stack of their own: cut %(cut)s off a full one") % given)
    elif stacks.own:
        parts.append(gettext("%(count)s counted out") % {"count": stacks.own})
    return ", ".join(parts)
