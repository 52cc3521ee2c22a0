"""The hold'em family: two cards to each box and the dealer, five shared ones."""

from domain.engine.boxes.family import (
    begin,
    decide,
    evolve,
    exposure,
    next_actions,
    outputs,
    play_record,
    remaining,
    settle_record,
    settlement,
)

__all__ = [
    "begin",
    "decide",
    "evolve",
    "exposure",
    "next_actions",
    "outputs",
    "play_record",
    "remaining",
    "settle_record",
    "settlement",
]
