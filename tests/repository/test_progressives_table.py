"""The table of requirements names every one of them, and no test that is not there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "progressives.md").read_text()


def test_every_requirement_is_answered() -> None:
    answered = re.findall(r"^\| (P\d+) \| [^|]+ \| [^|]{3,} \|$", PAGE, re.MULTILINE)
    assert answered == [f"P{number}" for number in range(1, 31)]


def test_every_test_it_names_is_there() -> None:
    named = set(re.findall(r"tests/[\w/]+\.py", PAGE))
    assert len(named) > 8
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
