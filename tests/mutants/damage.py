"""Records damaged at random: anything may come through the public door, and nothing may fall over."""

import copy
import json
from random import Random
from typing import Any

Place = tuple[Any, Any]
STRANGE: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, -(2**64), 10**30, 0.5, 1e308, "", " ", "x" * 300, "As", "As As", "\x00",
    "٣", "é", "\ud800", [], {}, [[]], [None], {"do": "bet"}, {"box": 1}, "bet", "fold", "vesuvius-ro", "roulette-ua",
)  # fmt: skip
KEYS = (
    "box", "ante", "cards", "play", "do", "in", "out", "amount", "bonus", "jackpot", "blind", "player", "board",
    "dealer", "drawn", "misdeal", "kind", "progressive", "meter", "seed", "table", "chip", "min", "max",
    "max_payout_per_box", "currency", "bets", "on", "unit", "late", "result", "ruleset", "boxes", "nothing",
)  # fmt: skip


def damaged(record: dict[str, Any], rng: Random) -> bytes:
    """The record's JSON after one to three accidents."""
    tree: dict[str, Any] = copy.deepcopy(record)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        _accident(tree, rng)
    line = json.dumps(tree).encode()
    if rng.random() < 0.1:
        return _torn(line, rng)
    return line


def _places(tree: dict[str, Any]) -> list[Place]:
    """Every (holder, key) of the tree."""
    found: list[Place] = []
    waiting: list[Any] = [tree]
    while waiting:
        holder = waiting.pop()
        keys = holder.keys() if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            found.append((holder, key))
            if isinstance(holder[key], dict | list):
                waiting.append(holder[key])
    return found


def _accident(tree: dict[str, Any], rng: Random) -> None:
    places = _places(tree)
    if not places:
        return
    holder, key = rng.choice(places)
    value = holder[key]
    match rng.choice(("drop", "strange", "strange", "twist", "twist", "twist", "twin", "swap", "add", "move")):
        case "drop":
            holder.pop(key)
        case "strange":
            holder[key] = copy.deepcopy(rng.choice(STRANGE))
        case "twist":
            holder[key] = _twisted(value, rng)
        case "twin" if isinstance(holder, list):
            holder.insert(key, copy.deepcopy(value))
        case "swap":
            other, at = rng.choice(places)
            if not isinstance(value, dict | list) and not isinstance(other[at], dict | list):
                holder[key], other[at] = other[at], value
        case "add" if isinstance(holder, dict):
            holder[rng.choice(KEYS)] = copy.deepcopy(rng.choice((*STRANGE, value)))
        case "move" if isinstance(holder, dict):
            holder[rng.choice(KEYS)] = holder.pop(key)
        case _:
            holder[key] = rng.choice((0, "", None))


def _twisted(value: Any, rng: Random) -> Any:
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return rng.choice(
            (-value, value + 1, value - 1, 2 * value, value * 10**12, value / 2, str(value), float(value))
        )
    if isinstance(value, str):
        cards = value.split(" ")
        rng.shuffle(cards)
        return rng.choice(
            (value[:-1], value + value, value.upper(), value.lower(), " ".join(cards), value + " 2c", " ")
        )
    return [value] if rng.random() < 0.5 else None


def _torn(line: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(line))
    return rng.choice((line[:at], line[at:], line[:at] + b"\xff" + line[at:], line * 2, line.replace(b",", b",,", 1)))
