"""How many rounds a second one process settles, JSON in and JSON out, beside decoding the same lines and nothing more.

`python -m tests.bench.settle_bench` prints the figures.
"""

import json
import time
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from domain.engine.record import Record
from domain.ruleset import shipped, shipped_ids
from domain.settle import settle_line
from tests.walk import walk

BOXES = range(2, 5)
ROULETTE = ["straight 17", "split 8-11", "street 7-8-9", "corner 25-26-28-29", "line 31-36", "dozen 2", "red"]


def box_lines(sheet: str, count: int, rng: Random) -> list[bytes]:
    """Different legal rounds of two to four boxes, all that the sheet offers among them."""
    lines: list[bytes] = []
    while len(lines) < count:
        played = walk(shipped(sheet), rng)
        if len(played.record["boxes"]) in BOXES:
            lines.append(json.dumps(played.record).encode())
    return lines


def spin_lines(sheet: str, count: int, rng: Random) -> list[bytes]:
    """Different spins of two to four bets."""
    table = {"currency": "EUR", "chip": 100, "min": 100, "max": 100_000}
    spins: list[dict[str, Any]] = [
        {
            "ruleset": sheet,
            "table": table,
            "bets": [
                {"player": f"P{n}", "on": rng.choice(ROULETTE), "amount": 100 * rng.randint(1, 90)}
                for n in range(rng.choice(BOXES))
            ],
            "result": rng.randint(0, 36),
        }
        for _ in range(count)
    ]
    return [json.dumps(spin).encode() for spin in spins]


def lines_of(sheet: str, count: int, rng: Random) -> list[bytes]:
    """Rounds of a sheet as lines of a file."""
    return (spin_lines if shipped(sheet).engine == "roulette" else box_lines)(sheet, count, rng)


def rate(work: Callable[[bytes], object], lines: list[bytes], times: int) -> float:
    """Lines a second, the best of `times` passes."""
    best = 0.0
    for _ in range(times):
        start = time.perf_counter()
        for line in lines:
            work(line)
        best = max(best, len(lines) / (time.perf_counter() - start))
    return best


def figures(per_sheet: int = 1_000, times: int = 3, seed: int = 1) -> dict[str, float]:
    """Rounds a second: `settle` over a mix of all sheets, cold and warm, each sheet alone, and decoding alone."""
    rng = Random(seed)
    by_sheet = {sheet: lines_of(sheet, per_sheet, rng) for sheet in shipped_ids()}
    mixed = [line for lines in by_sheet.values() for line in lines]
    rng.shuffle(mixed)
    assert not any(settle_line(line).startswith(b'{"error"') for line in mixed[:500])
    found = {"first pass": rate(settle_line, mixed, 1), "settle": rate(settle_line, mixed, times)}
    found["decode alone"] = rate(msgspec.json.Decoder(Record).decode, mixed, times)
    for sheet, lines in by_sheet.items():
        found[f"settle {sheet}"] = rate(settle_line, lines, times)
    return {name: round(value) for name, value in found.items()}


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{value:>10,.0f} rounds/s  {name}")
