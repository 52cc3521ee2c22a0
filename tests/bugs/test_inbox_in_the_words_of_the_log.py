"""The inbox said `cash in of the gaming day is >= 200000`: minor units, in English whatever the reader's language."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from api.i18n import languages
from api.pages.inbox.details import detail
from projections.reads.exceptions import ExceptionRow

NOW = datetime(2026, 3, 14, 21, 5, tzinfo=UTC)
SAID = {
    "opener 500, carried closer 450": {"5,00", "4,50"},
    "counted 500, expected 450": {"5,00", "4,50"},
    "bet: due 200000, paid 150000": {"2 000,00", "1 500,00"},
    "box 3: a stake of 250 outside the posted limits was accepted": {"2,50"},
    "cash in of the gaming day is >= 200000 MLR 2017 reg. 27(5)": {">= 2 000,00 MLR 2017 reg. 27(5)"},
    "cash out of the gaming day is > 200000": {"> 2 000,00"},
    "chips of 50000 moved on a slip that nobody requested": {"500,00"},
    "fill-2026-03-14-0007 was requested when its session closed": {"fill-2026-03-14-0007"},
    "numbers 3 to 4 of slips/fill/2026-03-14 are missing": {"slips/fill/2026-03-14"},
    "the first two counts of T1-2026-03-14-1 were not the same; a third bore one out": {"T1-2026-03-14-1"},
    "counted drop less recorded buy-ins, with T1-2026-03-14-1": {"T1-2026-03-14-1"},
    "the opener is worth the carried closer, in other denominations": set(),
    "open and idle for 50 minutes": {"50"},
    f"recorded late: it happened at {NOW}": {"14.03.2026"},
}


@pytest.mark.parametrize("said", SAID)
def test_what_the_log_says_is_told_in_the_readers_words_with_amounts_written_out(said: str) -> None:
    row = ExceptionRow("e", "c", "open", "2026-03-14", "T1", "s", "UAH", None, said, "t", 1, 1, "pit1", NOW, [])
    with languages.speaking("ru"):
        told = " ".join(detail(row).split())
    for part in SAID[said]:
        assert part in told
    assert said.split(maxsplit=1)[0] not in told.split() or said.startswith("fill-"), told
