"""What a strict shape refuses, in words: a pattern means nothing to whoever typed a name."""

import re
from typing import Final

_PATTERN: Final = re.compile(r"Expected `str` matching regex '(?P<pattern>[^']+)'")
_MEANS: Final = {
    r"^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,39}$": "a name of 1 to 40 letters A to Z, digits, `_`, `-` or `.`, no `.` first",
    r"^[A-Za-z0-9_-]{1,40}$": "a reference of 1 to 40 letters A to Z, digits, `_` or `-`",
    r"^\d{4}-\d{2}-\d{2}$": "a day such as 2026-03-14",
    r"^[A-Z]{3}$": "a currency of three capital letters, such as EUR",
}


def plain(refusal: str) -> str:
    """The refusal with the patterns that people meet said in words; another pattern stands as it is."""
    return _PATTERN.sub(lambda found: f"Expected {_MEANS.get(found['pattern'], found[0][9:])}", refusal)
