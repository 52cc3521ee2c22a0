"""Legal spins for any roulette sheet: every spot of the layout, announced bets, and all that is no bet."""

from functools import cache
from itertools import combinations
from random import Random
from typing import Any

from domain.ruleset import Ruleset
from tests.mutants.signs import Sign, a_sign

Document = dict[str, Any]


def legal_spin(ruleset: Ruleset, rng: Random) -> Document:
    """One legal record. Deterministic in the state of `rng`."""
    table, sign = a_sign(rng, ruleset.chip_step)
    record: Document = {"ruleset": ruleset.id}
    if table is not None:
        record["table"] = table
    rules: Any = ruleset.rules
    record["bets"] = [_bet(rules, sign, rng) for _ in range(rng.randint(1, 12))]
    record["result"] = rng.choice((None, 0, 0, 0, *range(37)))
    return record


def _bet(rules: Any, sign: Sign, rng: Random) -> Document:
    bet: Document = {"player": rng.choice("ABC")} if rng.random() < 0.8 else {}
    names = [one.name for one in rules.announced]
    if rng.random() < 0.25:
        chosen = rng.choice([*names, "neighbours"])
        if chosen == "neighbours":
            rule = rules.neighbours
            near = rng.choice((rule.least, 2, 2, rule.most, rng.randint(rule.least, rule.most)))
            chosen = f"neighbours {rng.randint(0, 36)} {near}"
        bet |= {"on": chosen, "unit": _amount(sign, rng, few=rng.random() < 0.5)}
    else:
        bet |= {"on": rng.choice(_misplaced() if rng.random() < 0.08 else _spots()), "amount": _amount(sign, rng)}
    if rng.random() < 0.12:
        bet["late"] = rng.random() < 0.7
    return bet


def _amount(sign: Sign, rng: Random, *, few: bool = False) -> int:
    """Chips, mostly within the limits, now and then just under or far over them."""
    most = sign.max if sign.max is not None else 20 * sign.min
    least = -(-sign.min // sign.chip)
    if few and sign.max is not None:
        return sign.chip * max(1, rng.choice((most // 2, most // 2 + sign.chip, most, most + sign.chip)) // sign.chip)
    low, high = least, max(least, most // sign.chip)
    choices = (low, high, high + 1, 3 * high, max(1, low - 1), rng.randint(low, high), rng.randint(low, high))
    return sign.chip * rng.choice(choices)


@cache
def _spots() -> tuple[str, ...]:
    """Every plain wager by its usual name, each kind about as often as the others."""
    kinds: list[list[str]] = [
        [f"straight {n}" for n in range(37)],
        [f"split {n}-{n + 3}" for n in range(1, 34)] + [f"split {n}-{n + 1}" for n in range(1, 36) if n % 3],
        [f"street {n}-{n + 1}-{n + 2}" for n in range(1, 35, 3)] + ["street 0-1-2", "street 0-2-3"],
        [f"corner {n}-{n + 1}-{n + 3}-{n + 4}" for n in range(1, 33) if n % 3] + ["corner 0-1-2-3"],
        [f"line {n}-{n + 5}" for n in range(1, 32, 3)],
        [f"dozen {n}" for n in (1, 2, 3)],
        [f"column {n}" for n in (1, 2, 3)],
        ["split 0-1", "split 0-2", "split 0-3"],
        *([one] for one in ("low", "high", "odd", "even", "red", "black")),
    ]
    rng = Random(0)
    return tuple(rng.choice(kind) for kind in kinds for _ in range(60)) + tuple(one for kind in kinds for one in kind)


@cache
def _misplaced() -> tuple[str, ...]:
    """Words of a known kind whose numbers do not lie together."""
    good = set(_spots())
    pairs = [f"split {a}-{b}" for a, b in combinations(range(37), 2)]
    streets = [f"street {n}-{n + 1}-{n + 2}" for n in range(35)]
    corners = [f"corner {n}-{n + 1}-{n + 3}-{n + 4}" for n in range(33)] + ["corner 1-2-3-4", "corner 0-1-3-4"]
    lines = [f"line {n}-{n + 5}" for n in range(32)] + ["line 1-7", "line 4-8", "line 0-5"]
    return tuple(one for one in (*pairs[::9], *streets, *corners, *lines) if one not in good)
