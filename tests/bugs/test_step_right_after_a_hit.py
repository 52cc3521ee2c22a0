"""Replay called a round wrong if a step on its hit came next in the log: it took that version for the round's own."""

from collections import Counter
from typing import Any

from domain.acts import hits
from domain.commands import TakeHitStep
from projections.replay.jackpots import JACKPOT_EVENTS, JackpotReplay
from tests.given.scenes import house, open_table, run_progressive
from tests.given.test_progressive_life import SHEET, do_hit, waiting


def test_a_step_right_after_a_hit_is_replayed() -> None:
    memory = house(SHEET)
    run_progressive(memory)
    open_table(memory, "C1", SHEET, progressive="main", chip=50, min=50)
    do_hit(memory, hits.step, waiting(memory), TakeHitStep(step="hand_verified"), "sue")
    replayed, versions = JackpotReplay(), Counter[str]()
    for position, (stream, event) in enumerate(memory.log, 1):
        versions[stream] += 1
        row: Any = (position, stream, versions[stream], None, event)
        if isinstance(event, JACKPOT_EVENTS):
            replayed.take(row)
        else:
            replayed.see(stream, versions[stream])
    replayed.finish()
    assert replayed.differences == []
