"""That somebody read a report is itself noted: one line `report_viewed` with who read what, and at which position.

The frames write it, so that no report can be forgotten: `Doors` for every GET that is not open to every token, and
`Reading` for every command that shows what is recorded. A player appears by reference, as in the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

import structlog

log = structlog.get_logger("pitclerk.reports")

_position: ContextVar[int | None] = ContextVar("position", default=None)


def report_viewed(
    report: str, *, actor: str, role: str, asked: Mapping[str, Any], position: int | None, request: str | None = None
) -> None:
    """Note that `actor` was shown `report`.

    asked: what was asked for, without what was not. position: up to where the log was known. request: its id.
    """
    given = {name: of for name, of in asked.items() if of is not None}
    about = {} if request is None else {"request": request}
    log.info("report_viewed", report=report, actor=actor, role=role, asked=given, position=position, **about)


def shown_at(position: int | None) -> None:
    """Say at which position of the log that is true which a command is about to show."""
    _position.set(position)


def position_shown() -> int | None:
    """What was last said of the command that is running."""
    return _position.get()
