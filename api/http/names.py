"""Names in paths: what a table, a slip, a round may be called, checked before anything is looked up."""

import re
from typing import Final

from starlette.requests import Request

from api.problems import ProblemError

# A name does not begin with a dot: `.` and `..` mean another place to every client that tidies paths.
NAME: Final = r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,39}"

PATTERNS: Final = {
    "table": NAME,
    "jackpot": NAME,
    "progressive": NAME,
    "slip": r"(fill|credit|hand_pay)-\d{4}-\d{2}-\d{2}-\d{1,9}",
    "approval": r"[A-Za-z0-9_.-]{1,80}",
    "hit": r"[A-Za-z0-9_.-]{1,100}",
    "round": r"[A-Za-z0-9_.-]{1,80}",
    "day": r"\d{4}-\d{2}-\d{2}",
    "exception": r"[a-z_]{1,40}\.\d{1,18}[A-Za-z0-9_.-]{0,60}",
    "window": NAME,
    "transfer": r"[A-Za-z0-9_.-]{1,40}-\d{4}-\d{2}-\d{2}-\d{1,6}-t\d{1,6}",
    "shift": r"[A-Za-z0-9_.-]{1,40}-\d{4}-\d{2}-\d{2}-\d{1,6}",
    "drop": r"drop-\d{4}-\d{2}-\d{2}-\d{1,9}",
    "step": "prepare|carry|count|receive",
    "code": r"[a-z_]{1,40}",
    "position": r"[1-9]\d{0,17}",
    "size": r"\d{1,18}",
}

_COMPILED: Final = {name: re.compile(pattern) for name, pattern in PATTERNS.items()}


def path_names(request: Request) -> list[str]:
    """The path's names in order, each of its form. Refuses `bad_parameter`."""
    for name, value in request.path_params.items():
        if not _COMPILED[name].fullmatch(value):
            raise ProblemError("bad_parameter", f"{name} {value[:100]!r} is not of the form {PATTERNS[name]}")
    return list(request.path_params.values())
