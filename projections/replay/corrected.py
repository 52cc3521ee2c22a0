"""Corrections judged: each follows from its proposal and from what the round has come to so far, and nothing else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final

import psycopg

from domain.codec import UnreadableEventError, decode
from domain.events.base import Event
from domain.events.correction import AmountCorrected, CorrectionProposed, RoundCorrected, RulingMade, RulingProposed
from domain.events.outcome import PayoutMade, StakeReturned, StakeTaken
from projections.replay.difference import Difference, differ, refused

Key = tuple[int, str, str]
"""Box or wager, kind, effect."""

NET: Final = {"taken": 1, "paid": -1}
"""How the house's net moves with an amount; stakes put up and given back leave it alone."""


class Standing:
    """What a round has come to: each amount, and the ids of the events it rests on, oldest first."""

    def __init__(self) -> None:
        self.amounts: dict[Key, int] = defaultdict(int)
        self.sources: dict[Key, list[str]] = defaultdict(list)

    def take(self, event_id: str, event: Event) -> None:
        """One event of the round."""
        if isinstance(event, AmountCorrected):
            key = event.box, event.kind, event.effect
            self.amounts[key] = event.now
            self.sources[key].append(event_id)
            return
        assert isinstance(event, StakeTaken | StakeReturned | PayoutMade), "only amounts are asked for"
        place = event.wager or event.box or 0
        if isinstance(event, PayoutMade):
            self._add(event_id, (place, event.kind, "paid"), event.paid)
            return
        effect = "taken" if isinstance(event, StakeTaken) else "returned"
        self._add(event_id, (place, event.kind, effect), event.amount)
        self._add(event_id, (place, event.kind, "staked"), event.amount)

    def _add(self, event_id: str, key: Key, amount: int) -> None:
        self.amounts[key] += amount
        self.sources[key].append(event_id)


class Corrections:
    """Takes the events of one session's stream that correct or rule."""

    def __init__(self, conn: psycopg.Connection[Any]) -> None:
        self._conn = conn
        self._proposed: dict[str, CorrectionProposed | RulingProposed] = {}
        self._expected: list[Event] = []
        self._round: str | None = None

    def take(self, position: int, event: Event) -> Iterable[Difference]:
        """What the event should have been, if it should."""
        if isinstance(event, CorrectionProposed | RulingProposed):
            self._proposed[event.approval] = event
        elif isinstance(event, RoundCorrected):
            yield from self._begin(position, event)
        elif isinstance(event, AmountCorrected):
            expected = self._expected.pop(0) if self._expected else None
            if expected != event:
                yield differ(position, event.round, expected, event)
        elif isinstance(event, RulingMade):
            proposal = self._proposed.get(event.approval)
            if not isinstance(proposal, RulingProposed):
                yield refused(position, event.round, "nobody has proposed this ruling", event)
            elif (proposal.payments, proposal.round) != (event.payments, event.round):
                yield refused(position, event.round, f"another ruling was proposed: {proposal.payments}", event)

    def _begin(self, position: int, event: RoundCorrected) -> Iterable[Difference]:
        proposal = self._proposed.get(event.approval)
        self._expected = []
        if not isinstance(proposal, CorrectionProposed):
            yield refused(position, event.round, "nobody has proposed this correction", event)
            return
        stands = standing(self._conn, proposal.round, position)
        net = 0
        for change in proposal.changes:
            key = change.box, change.kind, change.effect
            was = stands.amounts.get(key, 0)
            net += NET.get(change.effect, 0) * (change.now - was)
            self._expected.append(
                AmountCorrected(
                    round=proposal.round,
                    box=change.box,
                    kind=change.kind,
                    effect=change.effect,
                    was=was,
                    now=change.now,
                    corrects=tuple(stands.sources.get(key, ())),
                    reason=proposal.reason,
                    approval=proposal.approval,
                )
            )
        expected = RoundCorrected(
            approval=proposal.approval, round=proposal.round, reason=proposal.reason, house_net=net
        )
        if expected != event:
            yield differ(position, event.round, expected, event)


_AMOUNTS: Final = [kind.TOPIC for kind in (StakeTaken, StakeReturned, PayoutMade, AmountCorrected)]
_OF_ROUND: Final = """
SELECT topic, state FROM public.pitclerk_events
WHERE (originator_id = %(stream)s OR (originator_id > %(stream)s AND originator_id < %(beyond)s AND topic = %(again)s))
  AND topic = ANY(%(topics)s) AND notification_id < %(before)s AND position(%(named)s::bytea IN state) > 0
ORDER BY notification_id"""


def standing(conn: psycopg.Connection[Any], round_id: str, before: int) -> Standing:
    """What a round has come to before a position: its own events, and what later sessions of its table corrected."""
    found = Standing()
    table, _, rest = _taken_apart(round_id)
    given = {
        "stream": f"table/{table}/{rest}",
        "beyond": f"table/{table}0",  # the character after the slash
        "again": AmountCorrected.TOPIC,
        "topics": _AMOUNTS,
        "before": before,
        "named": f'"round":"{round_id}"'.encode(),
    }
    for topic, state in conn.execute(_OF_ROUND, given).fetchall():
        try:
            meta, event = decode(topic, bytes(state))
        except UnreadableEventError:
            continue  # told where it lies
        if getattr(event, "round", None) == round_id:
            found.take(meta.event_id, event)
    return found


def _taken_apart(round_id: str) -> tuple[str, str, str]:
    """Table, number of the round, and session as its stream ends: CS07-2026-03-14-1-7 is of table/CS07/2026-03-14/1."""
    head, _, number = round_id.rpartition("-")
    day, _, session = head.rpartition("-")
    return day[:-11], number, f"{day[-10:]}/{session}"
