"""Golden rounds as people write them: text to a round record and the settlement that must come of it.

One round is a `== CLAUSE: name` line, the lines that describe it, and `=>` lines that say what must come out. `=> error
CODE` line without a box leaves open which box is named. Lines beginning with `#` are for the reader.
"""

import re
from pathlib import Path
from typing import Any, NamedTuple

ROUNDS = Path(__file__).parent / "rounds"
MAPS = ("stakes", "returned", "taken", "paid")


class GoldenRound(NamedTuple):
    """expected has the shape of a settlement; of an error only code and, where the text names one, box."""

    clause: str
    name: str
    record: dict[str, Any]
    expected: dict[str, Any]


def read(path: Path) -> list[GoldenRound]:
    """All rounds of one file, in order. Raises ValueError naming the round whose text cannot be read."""
    blocks = re.split(r"^== ", path.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return [_round(path.stem, block) for block in blocks]


def _round(sheet: str, block: str) -> GoldenRound:
    lines = [line.strip() for line in block.splitlines() if line.strip() and not line.startswith("#")]
    clause, _, name = lines[0].partition(": ")
    ruleset = f"{sheet}-ak" if clause.startswith("CAK.") else sheet
    record: dict[str, Any] = {"ruleset": ruleset}
    expected: dict[str, Any] = {}
    try:
        for line in lines[1:]:
            if line.startswith("=> "):
                _expect(expected, line[3:])
            else:
                _describe(record, line)
    except (ValueError, KeyError, IndexError) as error:
        raise ValueError(f"{sheet}: {lines[0]}: {line!r}: {error!r}") from error
    if "bets" in expected:
        _complete_bets(record, expected)
    return GoldenRound(clause, name, record, expected)


def _describe(record: dict[str, Any], line: str) -> None:
    head, _, rest = line.partition(":")
    word, _, of = head.partition(" ")
    rest = rest.strip()
    if word == "table":
        record["table"] = {_TABLE.get(k, k): v if k == "currency" else int(v) for k, v in _pairs(rest, ",")}
    elif word == "box":
        record.setdefault("boxes", []).append(_box(of, rest))
    elif word == "dealer":
        cards, *more = [part.strip() for part in rest.split(";")]
        record["dealer"] = {"cards": cards, **({"drawn": more[0].removeprefix("drawn").strip()} if more else {})}
    elif word == "board":
        record["board"] = rest
    elif word == "progressive":
        record["progressive"] = {k: int(v) for k, v in _pairs(rest, ",")}
    elif word == "misdeal":
        kind, *box = [part.strip() for part in rest.split(",")]
        record["misdeal"] = {"kind": kind, **({"box": int(box[0].removeprefix("box "))} if box else {})}
    elif word == "bet":
        record.setdefault("bets", []).append(_bet(of, rest))
    elif word == "result":
        record["result"] = None if rest == "none" else int(rest)
    else:
        raise ValueError("not a line of a golden round")


_TABLE = {"cap": "max_payout_per_box"}


def _pairs(text: str, separator: str) -> list[tuple[str, str]]:
    return [(k, v) for part in text.split(separator) for k, _, v in [part.strip().partition(" ")]]


def _box(of: str, rest: str) -> dict[str, Any]:
    number, _, player = of.partition(" ")
    box: dict[str, Any] = {"box": int(number)}
    if player:
        box["player"] = player
    stakes, *steps = [part.strip() for part in rest.split(";")]
    for kind, amount in _pairs(stakes, ","):
        box[kind] = True if kind == "blind" else int(amount)
    if steps and steps[0].startswith("cards"):
        box["cards"] = steps.pop(0).removeprefix("cards").strip()
    if steps:
        box["play"] = [_step(step) for step in steps]
    return box


def _step(step: str) -> dict[str, Any]:
    do, _, rest = step.partition(" ")
    if do == "swap":
        out, _, cards_in = rest.partition(" for ")
        return {"do": "swap", "out": out, "in": cards_in}
    if do == "buy":
        return {"do": "buy", "in": rest}
    if do == "insure":
        return {"do": "insure", "amount": int(rest)}
    return {"do": do}


def _bet(player: str, rest: str) -> dict[str, Any]:
    on, *fields = [part.strip() for part in rest.split(",")]
    bet: dict[str, Any] = {"player": player, "on": on} if player else {"on": on}
    for field in fields:
        name, _, amount = field.partition(" ")
        bet[name] = True if name == "late" else int(amount)
    return bet


def _expect(expected: dict[str, Any], line: str) -> None:
    if line.startswith("error "):
        _, code, *box = line.split()
        expected["error"] = {"code": code, **({"box": int(box[1])} if box else {})}
    elif line.startswith("house "):
        expected["house_net"] = int(line.split()[1])
    elif line.startswith("dealer: "):
        first, final = line.removeprefix("dealer: ").split("; final ")
        qualifies = first.endswith(" qualifies")
        hand = first.removesuffix(" qualifies") if qualifies else first.removesuffix(", no game")
        expected["dealer"] = {"hand": hand, "qualifies": qualifies, "final": final}
    elif line.startswith("box "):
        head, _, rest = line.partition(": ")
        expected.setdefault("boxes", []).append(_expected_box(int(head.split()[1]), rest))
    elif line.startswith("bet "):
        _, _, rest = line.partition(": ")
        bet = {k: v if k == "refused" else int(v) for k, v in _pairs(rest, ";")}
        expected.setdefault("bets", []).append(bet)
    else:
        raise ValueError("not an expectation")


def _expected_box(number: int, rest: str) -> dict[str, Any]:
    hand, *parts = [part.strip() for part in rest.split(";")]
    box: dict[str, Any] = {"box": number}
    if hand == "void":
        box["void"] = True
    else:
        first, _, second = hand.partition(" + ")
        box["hand"] = first
        if second:
            box["second"] = second
    box.update({name: {} for name in MAPS})
    for part in parts:
        name, *words = part.split()
        if name in MAPS:
            box[name] = {kind: int(amount) for kind, amount in zip(words[::2], words[1::2], strict=True)}
        else:
            box[name] = int(words[0])
    return box


def _complete_bets(record: dict[str, Any], expected: dict[str, Any]) -> None:
    """A bet's line says only its money; player and spot are those of the bet that went in."""
    for bet, wager in zip(expected["bets"], record["bets"], strict=True):
        bet.update({key: wager[key] for key in ("player", "on") if key in wager})
