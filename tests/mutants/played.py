"""Rounds as a log has them, played by a program that may be a mutant: stopped ones, and jackpots of several levels.

Events come out as topics and plain values, so that nothing of the program that made them reaches the one that judges.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import msgspec

from domain.engine.limits import Limits
from domain.events.base import Event
from domain.events.registry import EVENTS
from domain.ruleset import Ruleset, shipped
from domain.ruleset.loader import load_text
from projections.shadow import Objection, Progressive, objections

Plain = list[tuple[str, Any]]
Step = tuple[str, dict[str, Any]]

TWO_LEVELS = (
    shipped("caribbean-ee")
    .text.replace('"C.jackpot", sum = 125_000 }', '"C.jackpot", percent = 100, level = 2 }')
    .replace('"C.jackpot", sum = 25_000 }', '"C.jackpot", percent = 10 }')
    .replace('"C.jackpot", sum = 2_500 }', '"C.jackpot", percent = 33, level = 2 }')
)
"""A royal flush wins level 1, a straight flush level 2, four of a kind and a full house a part of one of them."""

SIGN = {"currency": "EUR", "chip": 50, "min": 50, "max": 10_000, "max_payout_per_box": 100_000}
LEVELS = ({"level": 1, "seed": 100_001, "increment_ppm": 145_000}, {"level": 2, "seed": 5_003, "increment_ppm": 33_333})
DEALER = "2h 4c 8c Jh 3h"


class Scene(NamedTuple):
    """A round: its sheet, the commands one after the other; same_deal and fixed_from: how its progressive is kept."""

    sheet: str
    steps: tuple[Step, ...]
    same_deal: str = "box_order"
    fixed_from: str = "house"


def _stud(hands: tuple[str, ...], *rest: Step, jackpot: int = 50, **more: int) -> tuple[Step, ...]:
    boxes = tuple({"box": n, "ante": 500, "jackpot": jackpot, **more} for n in range(1, len(hands) + 1))
    deals = [("DealCards", {"box": n, "cards": cards}) for n, cards in enumerate(hands, 1)]
    return (("OpenRound", {"boxes": boxes}), *deals, ("DealUpcard", {"card": "3h"}), *rest)


def _won(*hands: str, **terms: str) -> Scene:
    bets = [("Act", {"box": n, "do": "bet"}) for n in range(1, len(hands) + 1)]
    return Scene("two levels", _stud(hands, *bets, ("RevealDealer", {"cards": DEALER})), **terms)


STOP: Step = ("StopRound", {"reason": "a card fell"})
ROYALS = ("As Ks Qs Js Ts", "Ad Kd Qd Jd Td", "Ac Kc Qc Jc Tc")
SCENES: dict[str, Scene] = {
    "stopped after two bets": Scene(
        "caribbean-ee",
        _stud(("9s 9d 9c Jd 4c", "As Ad Qh 7c 2d"), ("Act", {"box": 1, "do": "bet"}), ("TimeOut", {"box": 2}), STOP),
    ),
    "stopped after a swap": Scene(
        "oasis-ua",
        _stud(
            ("9s 9d 9c Jd 4c",),
            ("Act", {"box": 1, "do": "swap", "out": "4c", "cards_in": "5c"}),
            STOP,
            jackpot=0,
            bonus=1000,
        ),
    ),
    "stopped before the number": Scene(
        "roulette-ua",
        (
            ("OpenRound", {"boxes": ()}),
            ("PlaceWagers", {"wagers": ({"on": "straight 7", "amount": 100}, {"on": "low", "amount": 500})}),
            ("PlaceWagers", {"wagers": ({"on": "straight 0", "amount": 50},)}),
            STOP,
        ),
    ),
    "three share": _won(*ROYALS, same_deal="shared"),
    "two share beside a tenth": _won(*ROYALS[:2], "9s 9h 9d 9c 5s", same_deal="shared"),
    "one after the other": _won(*ROYALS),
    "every level": _won("9s 9h 9d 9c 5s", "8s 8h 8d 4s 4h", "7d 6d 5d 4d 3d"),
    "a tenth and then the whole": _won("9s 9h 9d 9c 5s", ROYALS[0]),
    "sums off the meter": _won("As Js 9s 6s 2s", "9h 8d 7s 6h 5s", "4s 4h 4d Kc 5h", fixed_from="meter"),
}


@cache
def text_of(sheet: str) -> str:
    """The text of a scene's sheet."""
    return TWO_LEVELS if sheet == "two levels" else shipped(sheet).text


def play(scene: Scene) -> Plain:
    """The round by whatever program is imported now."""
    engine, commands = import_module("domain.engine"), import_module("domain.engine.commands")
    ruleset = import_module("domain.ruleset.loader").load_text(text_of(scene.sheet), "sheet")
    limits = import_module("domain.engine.limits").Limits(**SIGN)
    state = engine.begin(ruleset, limits, "r", 1)
    port = _port(scene)
    told: Plain = []
    for name, fields in scene.steps:
        command = msgspec.convert(fields, getattr(commands, name))
        for event in engine.decide(state, command, port):
            state = engine.evolve(state, event)
            told.append((event.TOPIC, msgspec.to_builtins(event)))
    return told


def _port(scene: Scene) -> Any:
    events = import_module("domain.events.progressive")
    terms = tuple(events.LevelTerms(**level) for level in LEVELS)
    opened = events.ProgressiveOpened(
        progressive="p",
        currency="EUR",
        levels=terms,
        fixed_prizes_from=scene.fixed_from,
        approval="a",
        same_deal=scene.same_deal,
    )
    meters = import_module("domain.progressive.meters").opened(opened)
    for level in meters.levels.values():
        level.display_u += 7_654_321
    return import_module("domain.progressive.port").ProgressivePort("p", terms, 1, meters)


def judge(scene: Scene, told: Plain) -> list[Objection]:
    """What the shadow payer has against it, knowing what was agreed of the progressive."""
    events: list[Event] = [msgspec.convert(data, EVENTS[topic]) for topic, data in told]
    seeds = {level["level"]: level["seed"] for level in LEVELS}
    known = Progressive(seeds, scene.same_deal == "shared", scene.fixed_from == "meter")
    return objections(_sheet(scene.sheet), Limits(**SIGN), events, known)  # type: ignore[arg-type]


@cache
def _sheet(name: str) -> Ruleset:
    return load_text(text_of(name), "sheet")


Playing = Callable[[Scene], Plain]
