"""Who wins what of the jackpot, hit by hit: boxes come in the order of their numbers (C.jackpot).

A round record tells one meter, of level 1, and what it is set to after a share was taken. Who knows the progressive
tells more: `levels` (by number: `meter`, exact, and `seed`), whether winners of one deal share a whole meter alike
(`shared`), and whether fixed prizes come off the meter where it can bear them (`off_meter`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import Any, NamedTuple

from domain.shadow.hands import best
from domain.shadow.scales import line
from domain.shadow.story import Story
from domain.shadow.unsure import ShadowUnsure

WHOLE = 100


class Won(NamedTuple):
    """A hit. amount: minor units; before and after: the level's meter around it, exact, a new seed included.

    winner of winners: the place among those who share a meter.
    """

    box: int
    level: int
    amount: int
    before: Fraction
    after: Fraction
    winner: int = 1
    winners: int = 1


class _Level:
    """A meter while the winners of one deal come to it. part: what each of those who share it gets."""

    def __init__(self, meter: Fraction | int, seed: int) -> None:
        self.meter = Fraction(meter)
        self.seed = seed
        self.part: int | None = None
        self.came = 0


def jackpots(rules: Any, stories: Sequence[Story], progressive: Mapping[str, Any]) -> dict[int, int]:
    """By box, what the jackpot pays, on the first cards and whatever the player did next."""
    return {won.box: won.amount for won in hits(rules, stories, progressive)}


def hits(rules: Any, stories: Sequence[Story], progressive: Mapping[str, Any]) -> list[Won]:
    """Every hit in the order in which the winners come. Raises ShadowUnsure for a meter that is not told."""
    winning = list(_winning(rules, stories))
    levels = _levels(progressive)
    together = Counter(prize.level for _, prize in winning if prize.percent == WHOLE)
    found = []
    for box, prize in winning:
        level = levels.get(prize.level)
        if prize.percent is None:
            found.append(_fixed(box, prize, level, off_meter=bool(progressive.get("off_meter"))))
        elif level is None:
            raise ShadowUnsure("a share of a meter that the record does not show")
        elif progressive.get("shared") and prize.percent == WHOLE and together[prize.level] > 1:
            found.append(_part(box, prize.level, level, together[prize.level]))
        else:
            resets = prize.percent == WHOLE or "levels" not in progressive
            amount = floor(level.meter * prize.percent / WHOLE)
            found.append(_take(box, prize.level, level, amount, level.seed if resets else 0))
    return found


def _winning(rules: Any, stories: Sequence[Story]) -> Iterator[tuple[int, Any]]:
    for story in sorted(stories, key=lambda one: one.box):
        prize = line(rules.jackpot.prizes, best(story.first).name) if "jackpot" in story.stakes else None
        if prize is not None:
            yield story.box, prize


def _levels(progressive: Mapping[str, Any]) -> dict[int, _Level]:
    if "levels" in progressive:
        return {number: _Level(told["meter"], told["seed"]) for number, told in progressive["levels"].items()}
    meter = progressive.get("meter")
    return {} if meter is None else {1: _Level(meter, progressive.get("seed") or 0)}


def _fixed(box: int, prize: Any, level: _Level | None, *, off_meter: bool) -> Won:
    """A sum: the house's, unless the meter is to bear it and can."""
    if level is None:
        return Won(box, prize.level, prize.sum, Fraction(0), Fraction(0))
    if off_meter and prize.sum <= level.meter:
        return _take(box, prize.level, level, prize.sum, 0)
    return Won(box, prize.level, prize.sum, level.meter, level.meter)


def _part(box: int, number: int, level: _Level, of: int) -> Won:
    """One of several who share a whole meter: all alike, of what the first of them finds; the seed after the last."""
    if level.part is None:
        level.part = floor(level.meter / of)
    level.came += 1
    won = _take(box, number, level, level.part, level.seed if level.came == of else 0)
    return won._replace(winner=level.came, winners=of)


def _take(box: int, number: int, level: _Level, amount: int, seed: int) -> Won:
    before = level.meter
    level.meter = before - amount + seed
    return Won(box, number, amount, before, level.meter)
