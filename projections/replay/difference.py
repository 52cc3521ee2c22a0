"""Where the log and what follows from it part."""

from __future__ import annotations

from typing import Any, TypedDict

import msgspec

from domain.events.base import Event

Said = dict[str, Any] | None
"""An event as its topic (`type`) and fields, clause and reason among them; None: there should be, or is, none."""


class Difference(TypedDict):
    """At a position: what follows by the rules, and what is recorded. round: None for what belongs to no round."""

    position: int
    round: str | None
    expected: Said
    recorded: Said


def said(event: Event | None) -> Said:
    """An event as it is shown in a difference."""
    return None if event is None else {"type": event.TOPIC, **msgspec.to_builtins(event)}


def differ(position: int, round_id: str | None, expected: Event | None, recorded: Event | None) -> Difference:
    """An event expected, another (or none) recorded."""
    return Difference(position=position, round=round_id, expected=said(expected), recorded=said(recorded))


def refused(position: int, round_id: str | None, why: str, recorded: Event | None) -> Difference:
    """Something recorded that the rules refuse, or that cannot be played."""
    return Difference(position=position, round=round_id, expected={"refused": why}, recorded=said(recorded))
