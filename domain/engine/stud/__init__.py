"""The five-card stud family: five cards to each box and the dealer, whose last lies face up."""

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
