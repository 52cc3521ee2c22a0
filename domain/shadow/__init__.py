"""The shadow payer: every round settled a second time, by other means, so that no single slip pays anybody.

It reads the same sheets as the engine and nothing else of it: hands are ranked by counting and by trying all choices
of cards, a stake's fate is looked up in a list of everything that can happen to it. It settles legal records only and
keeps no account of what is legal; where a sheet or a record is beyond it, it says so with ShadowUnsure.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from domain.ruleset.base import Ruleset
from domain.ruleset.holdem import HoldemRules
from domain.ruleset.roulette import RouletteRules
from domain.ruleset.stud import StudRules
from domain.shadow.boxes import Sign, hits_of_boxes, settle_boxes
from domain.shadow.compare import Disagreement, differences
from domain.shadow.jackpot import Won
from domain.shadow.unsure import ShadowUnsure
from domain.shadow.wheel import settle_spin

__all__ = ["Disagreement", "ShadowUnsure", "Sign", "Won", "disagreements", "hits", "payments", "settle"]

Document = Mapping[str, Any] | msgspec.Struct


def settle(ruleset: Ruleset, limits: Sign, record: Document) -> dict[str, Any]:
    """The settlement of a legal record, in the shape that the engine gives. Raises ShadowUnsure, and nothing else."""
    plain = _plain(record)
    rules = ruleset.rules
    try:
        if isinstance(rules, StudRules | HoldemRules):
            return settle_boxes(rules, limits, plain)
        if isinstance(rules, RouletteRules):
            return settle_spin(rules, limits, plain)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ShadowUnsure(f"{type(error).__name__}: {error}") from error
    raise ShadowUnsure(f"no rules for the {ruleset.engine} engine")


def hits(ruleset: Ruleset, record: Document) -> list[Won]:
    """The jackpot hits of a legal record, each with the meter around it. Raises ShadowUnsure, and nothing else."""
    plain, rules = _plain(record), ruleset.rules
    if not isinstance(rules, StudRules | HoldemRules):
        return []
    try:
        return hits_of_boxes(rules, plain)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ShadowUnsure(f"{type(error).__name__}: {error}") from error


def payments(ruleset: Ruleset, limits: Sign, record: Document) -> dict[tuple[int, str], int]:
    """What each stake is paid, by box and kind; in roulette by the bet's place (from 1) and its spot. No zeros."""
    settlement = settle(ruleset, limits, record)
    if "bets" in settlement:
        return {(n, bet["on"]): bet["paid"] for n, bet in enumerate(settlement["bets"], start=1) if bet["paid"]}
    return {(box["box"], kind): paid for box in settlement["boxes"] for kind, paid in box["paid"].items()}


def disagreements(ruleset: Ruleset, limits: Sign, record: Document, settlement: Document) -> list[Disagreement]:
    """Where a settlement is not what the shadow payer makes of the record; empty where they agree to the last figure.

    Raises ShadowUnsure where the shadow has no opinion: that is not agreement, and the caller decides what it is worth.
    """
    return list(differences(_plain(settlement), settle(ruleset, limits, record)))


def _plain(document: Document) -> Mapping[str, Any]:
    """A document as the plain values that its JSON would hold."""
    plain = msgspec.to_builtins(document) if isinstance(document, msgspec.Struct) else document
    if not isinstance(plain, Mapping):
        raise ShadowUnsure("not an object")
    return plain
