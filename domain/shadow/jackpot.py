"""Who wins what of the jackpot: boxes take their shares of the meter in the order of their numbers (C.jackpot)."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.shadow.hands import best
from domain.shadow.scales import line
from domain.shadow.story import Story
from domain.shadow.unsure import ShadowUnsure


def jackpots(rules: Any, stories: Sequence[Story], progressive: Mapping[str, Any]) -> dict[int, int]:
    """By box, what the jackpot pays, on the first cards and whatever the player did next."""
    won: dict[int, int] = {}
    meter = progressive.get("meter")
    for story in sorted(stories, key=lambda one: one.box):
        prize = line(rules.jackpot.prizes, best(story.first).name) if "jackpot" in story.stakes else None
        if prize is None:
            continue
        if prize.percent is None:
            won[story.box] = prize.sum
            continue
        if meter is None or prize.level != 1:
            raise ShadowUnsure("a share of a meter that the record does not show")
        won[story.box] = meter * prize.percent // 100
        meter = meter - won[story.box] + (progressive.get("seed") or 0)
    return won
