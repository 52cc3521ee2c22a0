"""One thing wrong with the shape of a record of any game: `bad_record`, and on a spin what `bad_bet` names."""

import json
from typing import Any

from tests.mutants.breaking import ANY, Broken, Document, Fault, Patient

NOT_NUMBERS: tuple[Any, ...] = ("100", 100.5, None, True, [100], {})


def _objects(p: Patient) -> list[Document]:
    """Every object in the record."""
    found: list[Document] = []
    waiting: list[Any] = [p.record]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            found.append(one)
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return found


def unknown_ruleset(p: Patient) -> Broken | None:
    p.record["ruleset"] = p.rng.choice(("whist", "", "Russian-UA", 5, None, "../russian-ua"))
    return p.broken("bad_record")


def unknown_field(p: Patient) -> Broken | None:
    p.rng.choice(_objects(p))[p.rng.choice(("colour", "Box", "antes", ""))] = p.rng.choice((1, "x", None, []))
    return p.broken("bad_record", ANY)


def field_missing(p: Patient) -> Broken | None:
    if p.engine == "roulette":
        return None
    field = p.rng.choice(("boxes", "dealer", "ruleset", "dealer.cards", "box.box", "box.ante", "box.cards", "board"))
    whole, _, part = field.rpartition(".")
    holder = p.record if not whole else p.record["dealer"] if whole == "dealer" else p.rng.choice(p.boxes)
    if part not in holder:
        return None
    holder.pop(part)
    return p.broken("bad_record", ANY)


def field_missing_of_a_spin(p: Patient) -> Broken | None:
    if p.engine != "roulette":
        return None
    field = p.rng.choice(("bets", "result", "ruleset", "on"))
    (p.rng.choice(p.record["bets"]) if field == "on" else p.record).pop(field)
    return p.broken("bad_record", ANY)


def amount_of_another_type(p: Patient) -> Broken | None:
    holders = [(one, key) for one in _objects(p) for key in ("ante", "amount", "unit", "box", "chip") if key in one]
    holder, key = p.rng.choice(holders)
    holder[key] = p.rng.choice(NOT_NUMBERS)
    return p.broken("bad_record", ANY)


def text_of_another_type(p: Patient) -> Broken | None:
    holders = [(one, key) for one in _objects(p) for key in ("cards", "player", "on", "in", "do") if key in one]
    holder, key = p.rng.choice(holders or [(p.record, "ruleset")])
    holder[key] = p.rng.choice((5, None, ["As"], True, {}))
    return p.broken("bad_record", ANY)


def field_twice(p: Patient) -> Broken | None:
    line = json.dumps(p.record)
    return Broken("bad_record", ANY, ('{"ruleset": "x", ' + line[1:]).encode())


def chip_that_cannot_be_halved(p: Patient) -> Broken | None:
    if p.step == 1:
        return None
    p.record["table"] = {"chip": p.rng.choice((1, 3, 25))}
    return p.broken("bad_record", ANY)


def act_unknown(p: Patient) -> Broken | None:
    box = p.some(blind=False) if p.engine != "roulette" else None
    if box is None:
        return None
    p.rng.choice(box["play"])["do"] = p.rng.choice(("raise", "Bet", "", "call"))
    return p.broken("bad_record", ANY)


def box_number_twice(p: Patient) -> Broken | None:
    if p.engine == "roulette" or len(p.boxes) < 2:
        return None
    one, other = p.rng.sample(p.boxes, 2)
    one["box"] = other["box"]
    return p.broken("bad_record", other)


def misdeal_of_an_unknown_kind(p: Patient) -> Broken | None:
    if p.engine == "roulette":
        return None
    p.record["misdeal"] = {"kind": p.rng.choice(("dropped", "", "Player_Count"))}
    return p.broken("bad_record")


def misdeal_of_a_box_that_does_not_play(p: Patient) -> Broken | None:
    if p.engine == "roulette":
        return None
    free = sorted(set(range(1, 12)) - {box["box"] for box in p.boxes})
    p.record["misdeal"] = {"kind": p.rng.choice(sorted(p.rules.misdeals.kinds)), "box": p.rng.choice(free)}
    return p.broken("bad_record", ANY)


def board_out_of_place(p: Patient) -> Broken | None:
    if p.engine != "stud":
        return None
    p.record["board"] = p.fresh(5)
    return p.broken("bad_record")


def no_boxes(p: Patient) -> Broken | None:
    if p.engine == "roulette":
        return None
    p.record["boxes"] = []
    return p.broken("bad_record")


def parts_of_another_game(p: Patient) -> Broken | None:
    if p.engine == "roulette":
        p.record[p.rng.choice(("boxes", "dealer", "board"))] = p.rng.choice(("x", [], {}))
    else:
        p.record |= p.rng.choice(({"bets": []}, {"result": 5}, {"bets": [], "result": None}))
    return p.broken("bad_record")


def announced_with_an_amount(p: Patient) -> Broken | None:
    bets = [bet for bet in p.record.get("bets", ()) if "unit" in bet]
    if not bets:
        return None
    bet = p.rng.choice(bets)
    bet["amount"] = bet["unit"]
    if p.rng.random() < 0.5:
        bet.pop("unit")
    return p.broken("bad_bet")


def plain_with_a_unit(p: Patient) -> Broken | None:
    bets = [bet for bet in p.record.get("bets", ()) if "amount" in bet]
    if not bets:
        return None
    bet = p.rng.choice(bets)
    bet["unit"] = bet["amount"]
    if p.rng.random() < 0.5:
        bet.pop("amount")
    return p.broken("bad_bet")


def neither_amount_nor_unit(p: Patient) -> Broken | None:
    if "bets" not in p.record:
        return None
    bet = p.rng.choice(p.record["bets"])
    bet.pop("amount", None)
    bet.pop("unit", None)
    return p.broken("bad_bet")


def no_such_bet(p: Patient) -> Broken | None:
    bets = [bet for bet in p.record.get("bets", ()) if "amount" in bet]
    if not bets:
        return None
    words = (
        "basket", "straight 37", "straight", "split 8,11", "split 36-39", "dozen 4", "dozen 0", "column", "column 5",
        "red 5", "Red", "corner", "line", "", " red", "street 7-8-", "straight 1 2", "straight 07", "split 8–11",
    )  # fmt: skip
    p.rng.choice(bets)["on"] = p.rng.choice(words)
    return p.broken("bad_bet")


def no_such_announced_bet(p: Patient) -> Broken | None:
    bets = [bet for bet in p.record.get("bets", ()) if "unit" in bet]
    if not bets:
        return None
    words = (
        "voisin",
        "neighbours",
        "neighbours 17",
        "neighbours 37 2",
        "neighbours 17 -1",
        "neighbours 17 19",
        "tiers 2",
    )
    p.rng.choice(bets)["on"] = p.rng.choice(words)
    return p.broken("bad_bet")


def wager_of_broken_chips(p: Patient) -> Broken | None:
    if "bets" not in p.record or p.chip() == 1:
        return None
    bet = p.rng.choice(p.record["bets"])
    bet["amount" if "amount" in bet else "unit"] += 1
    return p.broken("chip_multiple")


def number_the_wheel_has_not(p: Patient) -> Broken | None:
    if "bets" not in p.record:
        return None
    p.record["result"] = p.rng.choice((37, -1, "0", 10**20, 3.5))
    return p.broken("bad_record")


FAULTS: dict[str, Fault] = {
    name: made
    for name, made in sorted(globals().items())
    if callable(made) and getattr(made, "__module__", "") == __name__ and not name.startswith("_")
}
"""Every fault of this module by its name."""
