"""The shadow payer in replay: what it has against recorded rounds, as differences; where it has no opinion, why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, TypedDict

from domain.events.base import Event
from domain.events.play import RoundOpened
from domain.shadow import ShadowUnsure
from projections.replay.difference import Difference, said
from projections.replay.rounds import Terms
from projections.shadow import Objection, objections

MOST_REASONS: Final = 50
"""Different reasons that are told; what is beyond them is counted all the same."""


class Shadowed(TypedDict):
    """judged: rounds settled a second time; unsure: those without an opinion, and why, by number of rounds."""

    judged: int
    unsure: int
    reasons: dict[str, int]


class ShadowReplay:
    """Judges one closed round after the other."""

    def __init__(self) -> None:
        self.judged = 0
        self.reasons: Counter[str] = Counter()

    def judge(self, terms: Terms, positions: Sequence[int], events: Sequence[Event]) -> list[Difference]:
        """The differences of a round, RoundOpened to RoundClosed."""
        opened = events[0]
        assert isinstance(opened, RoundOpened), "a round begins with its opening"
        try:
            found = objections(terms.ruleset, terms.limits, events)
        except ShadowUnsure as unsure:
            self.reasons[str(unsure)] += 1
            return []
        self.judged += 1
        return [_difference(opened.round, positions, events, one) for one in found]

    def result(self) -> Shadowed:
        """What was judged."""
        return Shadowed(judged=self.judged, unsure=self.reasons.total(), reasons=dict(self.reasons))


def together(parts: Iterable[Shadowed]) -> Shadowed:
    """Several results as one."""
    judged, reasons = 0, Counter[str]()
    for part in parts:
        judged += part["judged"]
        reasons.update(part["reasons"])
    return Shadowed(judged=judged, unsure=reasons.total(), reasons=dict(reasons.most_common(MOST_REASONS)))


def _difference(round_id: str, positions: Sequence[int], events: Sequence[Event], one: Objection) -> Difference:
    """The shadow's figure against the event it is about, or against the close where there is no such event."""
    expected = {
        "type": "shadow",
        "box": one.box,
        "kind": one.kind,
        "effect": one.effect,
        "amount": one.expected,
        "recorded": one.recorded,
        "clause": one.clause,
    }
    return Difference(position=positions[one.at], round=round_id, expected=expected, recorded=said(events[one.at]))
