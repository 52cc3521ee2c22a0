"""`box_limits` by a plain fold: live rounds from their own events, what caps withheld from the payouts."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from domain import engine
from domain.events.base import Event
from domain.events.house import RulesetPublished
from domain.events.outcome import PayoutMade, RoundClosed
from domain.events.play import AntePlaced, RoundOpened
from domain.events.session import LimitsPosted, SessionClosed, SessionOpened
from projections.check.compare import Compared
from projections.check.examiner import Look, Seen, Violations
from projections.live import NoRulesetError, Rulesets, limits_of

BUFFER = 1_000


class _Live:
    """A live round, and the limits it began with."""

    def __init__(self, seen: Seen, opened: SessionOpened, posted: LimitsPosted | None) -> None:
        self.site, self.stream = seen.meta.site, seen.stream
        self.opened, self.posted = opened, posted
        self.position, self.version = seen.position, seen.version
        self.events: list[Event] = []


class PlainLimits:
    """The boxes of rounds on the felt at the end of the log, and everything that caps withheld."""

    view: ClassVar[str] = "box_limits"

    def __init__(self, violations: Violations) -> None:
        stream = {"site": "text", "stream": "text", "round": "text"}
        self._violations = violations
        self._rounds = Compared(violations, "live_rounds", stream)
        self._boxes = Compared(violations, "box_limits", stream | {"box": "integer"})
        self._caps = Compared(violations, "box_caps", {"site": "text", "table_name": "text", "gaming_day": "text"})
        self._capped = Compared(violations, "box_capped", {"site": "text", "position": "bigint"})
        self._rulesets = Rulesets()
        self._sessions: dict[str, SessionOpened] = {}
        self._posted: dict[str, LimitsPosted] = {}
        self._live: dict[str, _Live] = {}
        self._sums: Counter[tuple[str, str, str]] = Counter()
        self._withheld: dict[tuple[str, int], dict[str, Any]] = {}

    def take(self, seen: Seen, look: Look) -> None:
        event, stream = seen.event, seen.stream
        if isinstance(event, RulesetPublished):
            self._rulesets.learn(event)
        elif isinstance(event, SessionOpened):
            self._sessions[stream] = event
        elif isinstance(event, SessionClosed):
            self._sessions.pop(stream, None)
            self._posted.pop(stream, None)
        elif isinstance(event, LimitsPosted):
            self._posted[stream] = event
        elif isinstance(event, RoundOpened) and event.source == "live" and stream in self._sessions:
            self._live[stream] = _Live(seen, self._sessions[stream], self._posted.get(stream))
        if stream in self._live:
            self._play(self._live[stream], event)
        if isinstance(event, PayoutMade) and event.capped:
            self._withhold(seen, event, look)

    def _play(self, live: _Live, event: Event) -> None:
        opened = live.events[0] if live.events else event
        assert isinstance(opened, RoundOpened)
        if getattr(event, "round", None) != opened.round:
            return
        if isinstance(event, RoundClosed):
            del self._live[live.stream]
        else:
            live.events.append(event)

    def _withhold(self, seen: Seen, event: PayoutMade, look: Look) -> None:
        session = self._sessions.get(seen.stream)
        if session is None:
            return
        day = (seen.meta.gaming_day if seen.meta.belongs_to else None) or session.gaming_day
        self._sums[seen.meta.site, session.table, day] += event.capped
        self._withheld[seen.meta.site, seen.position] = {
            "table_name": session.table,
            "gaming_day": day,
            "round": event.round,
            "box": event.box,
            "wager": event.wager,
            "kind": event.kind,
            "due": event.due,
            "paid": event.paid,
            "capped": event.capped,
            "happened_at": seen.meta.happened_at,
        }
        if len(self._withheld) >= BUFFER:
            self._flush(look)

    def _flush(self, look: Look) -> None:
        self._capped.some(look, self._withheld)
        self._withheld = {}

    def finish(self, look: Look) -> None:
        self._flush(look)
        self._capped.finish(look)
        self._caps.all(look, {key: {"capped": capped} for key, capped in self._sums.items()})
        rounds, boxes = {}, {}
        for live in self._live.values():
            key = (live.site, live.stream, live.events[0].round)  # type: ignore[attr-defined]
            rounds[key] = {
                "table_name": live.opened.table,
                "gaming_day": live.opened.gaming_day,
                "first_version": live.version,
                "first_position": live.position,
            }
            boxes.update({(*key, box["box"]): box for box in self._exposed(live)})
        self._rounds.all(look, rounds)
        self._boxes.all(look, boxes)

    def _exposed(self, live: _Live) -> list[dict[str, Any]]:
        opened = live.events[0]
        assert isinstance(opened, RoundOpened)
        try:
            ruleset = self._rulesets.get(live.opened.ruleset_digest)
        except NoRulesetError as error:
            self._violations.add(str(error))
            return []
        if ruleset is None:
            self._violations.add(f"round {opened.round} is played by an unpublished ruleset")
            return []
        state = engine.begin(ruleset, limits_of(live.opened, live.posted), opened.round, opened.number)
        for event in live.events:
            state = engine.evolve(state, event)
        players = {e.box: e.player for e in live.events if isinstance(e, AntePlaced)}
        names = ("box", "staked", "cap", "most_payable", "headroom", "insurance_max")
        return [
            {name: getattr(box, name) for name in names} | {"player": players.get(box.box)}
            for box in engine.exposure(state)
        ]
