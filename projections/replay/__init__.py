"""Replay: the recorded inputs through the engine again, from the log alone, demanding every recorded output.

    run         what is replayed
    sharing     in how many processes: whoever is free takes the next stream
    player      one stream, read and decoded
    session     one table session: its rounds, its tray, its closer
    totals      figures that follow from an event's own other fields
    corrected   corrections and rulings, from their proposals and what the round had come to
    elsewhere   windows, counts, slips: what they should hold and say
    rounds      one round: inputs legal, outputs equal
    commands    recorded inputs back into what was asked
    shadowing   one round: what the shadow payer has against it, if asked
    jackpots    every progressive folded again from zero: the same contributions, the same awards

A ruleset comes from its publication in the log and an award from the fold of the log, so nothing is asked of any view.
"""

from projections.replay.difference import Difference
from projections.replay.run import ReplayResult, replay

__all__ = ["Difference", "ReplayResult", "replay"]
