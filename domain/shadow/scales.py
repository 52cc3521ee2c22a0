"""Odds, prices and prizes of a sheet as exact fractions, and which line of a table a hand is paid by."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import TypeVar

from domain.shadow.hands import HANDS, STRENGTH
from domain.shadow.unsure import ShadowUnsure

Line = TypeVar("Line")


@cache
def odds(printed: str) -> Fraction:
    """ "3:1" is three times the stake."""
    wins, _, of = printed.partition(":")
    return Fraction(int(wins), int(of))


@cache
def antes(printed: str) -> Fraction:
    """A price in antes, such as "1.5"."""
    return Fraction(printed)


def whole(amount: Fraction) -> int:
    """Money in whole minor units; no sheet ever rounds, so there is nothing to say where it would have to."""
    if amount.denominator != 1:
        raise ShadowUnsure(f"{amount} is no whole amount")
    return amount.numerator


def line(table: Mapping[str, Line], name: str) -> Line | None:
    """The line of a hand: its own, or the next lower one that is printed. None below the lowest."""
    lines = [table[lower] for lower in HANDS[: STRENGTH[name] + 1] if lower in table]
    return lines[-1] if lines else None


def line_or_lowest(table: Mapping[str, Line], name: str) -> Line:
    """As `line`, but a hand below the table's lowest line is paid as that one."""
    own = line(table, name)
    return own if own is not None else next(table[lower] for lower in HANDS if lower in table)
