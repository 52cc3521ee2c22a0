"""Records with exactly one thing wrong: what the faults of all games are made of."""

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from domain.ruleset import Ruleset

Document = dict[str, Any]
ANY = -1
"""The box of a refusal that may name one box as well as another."""


class Broken(NamedTuple):
    """A record that must be refused with `code`; box: whose fault it is, None where it is no box's."""

    code: str
    box: int | None
    line: bytes


class ExhaustedError(Exception):
    """The deck has too few cards left for a fault."""


class Patient:
    """A legal record about to be broken. The record is a copy and may be changed at will."""

    def __init__(self, ruleset: Ruleset, rng: Random, record: Document) -> None:
        self.rules: Any = ruleset.rules
        self.engine = ruleset.engine
        self.step = ruleset.chip_step
        self.rng = rng
        self.record = copy.deepcopy(record)

    @property
    def boxes(self) -> list[Document]:
        return list(self.record["boxes"])

    def some(self, *, blind: bool | None = None, does: str | None = None, decided: bool = True) -> Document | None:
        """A box: open or blind, with an act of this word; its own decision made where asked for."""
        fit = [
            box
            for box in self.record["boxes"]
            if (blind is None or bool(box.get("blind")) == blind)
            and (does is None or any(act["do"] == does for act in box.get("play", ())))
            and (blind or not decided or any(act["do"] in ("bet", "fold") for act in box.get("play", ())))
        ]
        return self.rng.choice(fit) if fit else None

    def dealt(self) -> set[str]:
        """Every card that the record names."""
        record = self.record
        texts = [record["dealer"]["cards"], record["dealer"].get("drawn", ""), record.get("board", "")]
        for box in record["boxes"]:
            texts.append(box["cards"])
            texts += [act.get("in", "") for act in box.get("play", ())]
        return {card for text in texts for card in cards(text)}

    def fresh(self, count: int) -> str:
        """Cards that are still in the deck. Raises ExhaustedError where there are not so many."""
        left = sorted({rank + suit for rank in "23456789TJQKA" for suit in "cdhs"} - self.dealt())
        if len(left) < count:
            raise ExhaustedError
        return " ".join(self.rng.sample(left, count))

    def chip(self) -> int:
        return int(self.record.get("table", {}).get("chip", self.step))

    def broken(self, code: str, box: Document | int | None = None) -> Broken:
        number = box["box"] if isinstance(box, dict) else box
        return Broken(code, number, json.dumps(self.record).encode())


Fault = Callable[[Patient], Broken | None]
"""Breaks the patient's record in one way, or gives None where this record cannot be broken so."""


def cards(text: str) -> list[str]:
    """The cards that a text names, in order."""
    bare = text.replace(" ", "")
    return [bare[at : at + 2] for at in range(0, len(bare), 2)]


def at(acts: list[Document], word: str) -> int:
    """Where in its play a box does this."""
    return next(place for place, act in enumerate(acts) if act["do"] == word)


def broken_once(ruleset: Ruleset, rng: Random, record: Document, fault: Fault) -> Broken | None:
    """The record with one fault put in; None where it does not take it."""
    try:
        return fault(Patient(ruleset, rng, record))
    except ExhaustedError:
        return None
