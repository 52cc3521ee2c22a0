"""The shadow payer in replay: what it has against recorded rounds, as differences; where it has no opinion, why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypedDict

import psycopg

from domain import streams
from domain.codec import decode
from domain.events.base import Event
from domain.events.jackpot import JackpotHit
from domain.events.play import RoundOpened
from domain.events.progressive import ProgressiveOpened, TermsChanged
from domain.shadow import ShadowUnsure
from projections.replay.difference import Difference, said
from projections.replay.rounds import Terms
from projections.shadow import Objection, Progressive, objections

MOST_REASONS: Final = 50
"""Different reasons that are told; what is beyond them is counted all the same."""


ProgressiveAt = Callable[[str, int], Progressive | None]
"""What was agreed of a progressive before a position; None where the log does not have it."""


class Shadowed(TypedDict):
    """judged: rounds settled a second time; unsure: those without an opinion, and why, by number of rounds."""

    judged: int
    unsure: int
    reasons: dict[str, int]


class ShadowReplay:
    """Judges one closed round after the other."""

    def __init__(self, progressives: ProgressiveAt) -> None:
        self._progressives = progressives
        self.judged = 0
        self.reasons: Counter[str] = Counter()

    def judge(self, terms: Terms, positions: Sequence[int], events: Sequence[Event]) -> list[Difference]:
        """The differences of a round, RoundOpened to RoundClosed."""
        opened = events[0]
        assert isinstance(opened, RoundOpened), "a round begins with its opening"
        try:
            found = objections(terms.ruleset, terms.limits, events, self._progressive(terms, positions, events))
        except ShadowUnsure as unsure:
            self.reasons[str(unsure)] += 1
            return []
        self.judged += 1
        return [_difference(opened.round, positions, events, one) for one in found]

    def _progressive(self, terms: Terms, positions: Sequence[int], events: Sequence[Event]) -> Progressive | None:
        """What was agreed of the table's progressive, if anything was won of it."""
        if terms.progressive is None or not any(isinstance(event, JackpotHit) for event in events):
            return None
        return self._progressives(terms.progressive, positions[-1])

    def result(self) -> Shadowed:
        """What was judged."""
        return Shadowed(judged=self.judged, unsure=self.reasons.total(), reasons=dict(self.reasons))


_LIFE: Final = """
SELECT topic, state FROM public.pitclerk_events
WHERE originator_id = %s AND topic = ANY(%s) AND notification_id < %s ORDER BY originator_version"""
_TERMS: Final = [ProgressiveOpened.TOPIC, TermsChanged.TOPIC]


def progressive_at(conn: psycopg.Connection[Any], name: str, position: int) -> Progressive | None:
    """The terms of a progressive from what its stream says; every level keeps the seed it was last given."""
    seeds: dict[int, int] = {}
    found = None
    for topic, state in conn.execute(_LIFE, (streams.progressive(name), _TERMS, position)).fetchall():
        event = decode(topic, bytes(state))[1]
        assert isinstance(event, ProgressiveOpened | TermsChanged), "a topic is one kind of event"
        seeds |= {level.level: level.seed for level in event.levels}
        found = Progressive(seeds, event.same_deal == "shared", event.fixed_prizes_from == "meter")
    return found


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
