"""Rounds in few words: a record from its parts, and what it settles to."""

import json
from typing import Any

from domain.settle import settle_line

GAME = "Ah Kc 8c 7s 3h"
NO_GAME = "Qd Jc 8c 7s 3h"
PAIR_OF_NINES = "9h 9c 8c 7s 3h"

Json = dict[str, Any]


def play(*words: str) -> list[Json]:
    """Acts in words: "bet", "fold", "insure 2000", "swap 7c2d 9h9s", "buy 2c", "dealer_card"."""
    return [_act(*word.split()) for word in words]


def _act(do: str, *rest: str) -> Json:
    if do == "swap":
        return {"do": do, "out": rest[0], "in": rest[1]}
    if do == "buy":
        return {"do": do, "in": rest[0]}
    if do == "insure":
        return {"do": do, "amount": int(rest[0])}
    return {"do": do}


def box(cards: str | None, *words: str, number: int = 1, ante: int = 1000, **more: Any) -> Json:
    """A box: its cards, its acts, and what else it has."""
    told: Json = {"box": number, "ante": ante, **more}
    if cards is not None:
        told["cards"] = cards
    if words:
        told["play"] = play(*words)
    return told


def record(ruleset: str, *boxes: Json, dealer: str | None = GAME, **more: Any) -> Json:
    """A record; `drawn` among the rest goes to the dealer."""
    told: Json = {"ruleset": ruleset, "boxes": list(boxes)}
    if dealer is not None:
        told["dealer"] = {"cards": dealer}
        if "drawn" in more:
            told["dealer"]["drawn"] = more.pop("drawn")
    return told | more


def settle(told: Json) -> Json:
    """The whole answer."""
    answer: Json = json.loads(settle_line(json.dumps(told).encode()))
    return answer


def one(ruleset: str, cards: str, *words: str, dealer: str = GAME, **more: Any) -> Json:
    """The settlement of the only box of a round."""
    of_round = {key: more.pop(key) for key in ("drawn", "board", "progressive", "table") if key in more}
    answer = settle(record(ruleset, box(cards, *words, **more), dealer=dealer, **of_round))
    assert "error" not in answer, answer
    settled: Json = answer["boxes"][0]
    assert answer["house_net"] == -settled["net"]
    return settled


def ends(settled: Json) -> tuple[Json, Json, Json]:
    """returned, taken, paid."""
    return settled["returned"], settled["taken"], settled["paid"]


def error(told: Json) -> tuple[str, int | None]:
    """Code and box of a refusal."""
    answer = settle(told)
    assert set(answer) == {"error"}, answer
    assert answer["error"]["detail"]
    return answer["error"]["code"], answer["error"].get("box")
