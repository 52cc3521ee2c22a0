"""Every golden round settles as the sheet says. They were worked out by hand, without sight of the engine."""

import json

import pytest

from domain.settle import settle_line
from tests.golden.text import ROUNDS, GoldenRound, read

ALL = [golden for path in sorted(ROUNDS.glob("*.txt")) for golden in read(path)]
SHEETS = 8
ROUNDS_PER_SHEET = 60


@pytest.mark.parametrize("golden", [pytest.param(g, id=f"{g.clause} {g.name}") for g in ALL])
def test_golden_round(golden: GoldenRound) -> None:
    answer = json.loads(settle_line(json.dumps(golden.record).encode()))
    if "error" in golden.expected:
        assert "error" in answer, answer
        named = {key: answer["error"].get(key) for key in golden.expected["error"]}
        assert named == golden.expected["error"], answer["error"]["detail"]
    else:
        assert answer == golden.expected


def test_every_sheet_has_its_golden_rounds() -> None:
    files = {path.stem: len(read(path)) for path in ROUNDS.glob("*.txt")}
    assert len(files) == SHEETS
    assert min(files.values()) >= ROUNDS_PER_SHEET
