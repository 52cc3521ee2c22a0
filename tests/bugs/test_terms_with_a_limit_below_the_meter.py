"""New terms brought a limit below the meter, and the next stake took the display down without a lawful cause."""

from domain.acts import progressive_changes
from domain.commands import ChangeTerms
from domain.events.progressive import LevelTerms
from tests.given.scenes import house, open_table, run_progressive
from tests.given.test_progressive_life import SHEET, change, level, play, refusal, stop


def test_terms_with_a_limit_below_the_meter_are_refused() -> None:
    memory = house(SHEET)
    run_progressive(memory)
    open_table(memory, "C1", SHEET, progressive="main", chip=50, min=50)
    play(memory, "9s 8d 6c 4h 2c")
    stop(memory)
    shown = level(memory).display
    low = ChangeTerms(levels=(LevelTerms(1, 1_000_000, 700_000, limit=shown - 1),), reason="posted anew")
    assert refusal(lambda: change(memory, progressive_changes.change_terms, low)) == "limit_below_meter"
    at_it = ChangeTerms(levels=(LevelTerms(1, 1_000_000, 700_000, limit=shown),), reason="posted anew")
    change(memory, progressive_changes.change_terms, at_it)
    assert level(memory).display == shown
