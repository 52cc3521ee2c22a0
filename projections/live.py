"""The state of rounds that are on the felt, folded by the round engine from the log alone.

A round needs its session's opening, the limits posted when it began, and its published ruleset. None of these can
change once it has begun, so what is kept in memory is always right; what is missing is read from the log.
"""

from __future__ import annotations

from typing import Any, cast

import psycopg
from psycopg import sql

from domain import engine, streams
from domain.codec import UnreadableEventError, decode
from domain.engine.limits import Limits
from domain.events import outcome, play
from domain.events.base import Event
from domain.events.house import RulesetPublished
from domain.events.jackpot import JackpotContributed, JackpotHit, JackpotPaid
from domain.events.outcome import RoundClosed
from domain.events.play import AntePlaced, RoundOpened
from domain.events.session import LimitsPosted, SessionOpened
from domain.ruleset import InvalidRulesetError, Ruleset, load_text
from projections.fold import FoldError
from projections.log_reader import Batch, RawRow, Row
from projections.sessions import SESSIONS_MAX, SessionBook
from projections.store import table

LIVE_SOURCE = "live"

ROUND_EVENTS: frozenset[type[Event]] = frozenset(
    cls
    for module in (play, outcome)
    for cls in vars(module).values()
    if isinstance(cls, type) and issubclass(cls, Event) and cls is not Event
) | {JackpotContributed, JackpotHit, JackpotPaid}
"""Every event that belongs to a round."""

ROUND_TOPICS = frozenset(kind.TOPIC for kind in ROUND_EVENTS)


class NoRulesetError(Exception):
    """The log does not hold a ruleset that a session plays by, or holds one that cannot be played."""


_READY: dict[str, Ruleset] = {}
"""Rulesets made ready to play, by their text: as many as were ever published, and the same for everybody here."""


class Rulesets:
    """digest -> ruleset ready to play, from the events of the house stream."""

    _PUBLISHED = (
        "SELECT topic, state FROM public.pitclerk_events WHERE originator_id = %s AND topic = %s"
        " ORDER BY originator_version"
    )

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def learn(self, event: RulesetPublished) -> None:
        """Take in a published ruleset."""
        self._texts[event.digest] = event.text

    def get(self, digest: str) -> Ruleset | None:
        """The ruleset of a digest, if its publication is known. Raises NoRulesetError if it cannot be played."""
        text = self._texts.get(digest)
        if text is None:
            return None
        ready = _READY.get(text)
        if ready is None:
            try:
                ready = _READY[text] = load_text(text)
            except InvalidRulesetError as error:
                raise NoRulesetError(f"the published ruleset {digest[:12]} cannot be played: {error}") from error
        return ready

    def fetch(self, conn: psycopg.Connection[Any], digest: str) -> Ruleset:
        """The ruleset of a digest, looked up in the log if need be. Raises NoRulesetError."""
        ready = self.get(digest)
        if ready is not None:
            return ready
        for topic, state in conn.execute(self._PUBLISHED, (streams.HOUSE, RulesetPublished.TOPIC)).fetchall():
            try:
                event = decode(topic, state)[1]
            except UnreadableEventError as error:
                raise NoRulesetError(f"a published ruleset cannot be read: {error}") from error
            assert isinstance(event, RulesetPublished)
            self.learn(event)
        ready = self.get(digest)
        if ready is None:
            raise NoRulesetError(f"no ruleset of digest {digest[:12]} is published in the log")
        return ready


def limits_of(opened: SessionOpened, posted: LimitsPosted | None) -> Limits:
    """What the table's sign says: as opened, or as posted since."""
    said: SessionOpened | LimitsPosted = opened if posted is None else posted
    return Limits(
        currency=opened.currency,
        chip=opened.chip,
        min=said.min,
        max=said.max,
        max_payout_per_box=said.max_payout_per_box,
    )


class LiveRound:
    """One round on the felt. touched: it has moved since its exposure was last told."""

    __slots__ = (
        "first_position",
        "first_version",
        "gaming_day",
        "players",
        "round_id",
        "site",
        "state",
        "stream",
        "table",
        "touched",
    )

    def __init__(self, row: Row[RoundOpened], opened: SessionOpened, ruleset: Ruleset, limits: Limits) -> None:
        self.first_position, self.stream, self.first_version, meta, event = row
        self.site = meta.site
        self.round_id = event.round
        self.table = opened.table
        self.gaming_day = opened.gaming_day
        self.players: dict[int, str] = {}
        self.state = engine.begin(ruleset, limits, event.round, event.number)
        self.touched = False

    def take(self, event: Event) -> None:
        """Fold one event of the stream; those of other rounds, or of none, leave it alone."""
        if getattr(event, "round", None) != self.round_id:
            return
        self.state = engine.evolve(self.state, event)
        self.touched = True
        if isinstance(event, AntePlaced) and event.player is not None:
            self.players[event.box] = event.player


class Felt:
    """The rounds on the felt of every table, by stream: a session has at most one."""

    def __init__(self, sessions: SessionBook) -> None:
        self._sessions = sessions
        self._rulesets = Rulesets()
        self._posted: dict[str, LimitsPosted | None] = {}
        self.rounds: dict[str, LiveRound] | None = None
        self.new: dict[str, LiveRound] = {}

    def forget(self) -> None:
        """Drop what a failed commit may have moved too far."""
        self.rounds = None
        self.new = {}
        self._posted.clear()

    def load(self, conn: psycopg.Connection[Any], schema: str, batch: Batch) -> None:
        """Restore what was live before the batch; make ready (`new`) what the batch opens and leaves open."""
        if self.rounds is None:
            self.rounds = {}
            for stream, version in conn.execute(_STANDING.format(table(schema, "live_rounds"))).fetchall():
                self.rounds[stream] = self._restore(conn, stream, version, batch.start)
        if len(self._posted) > SESSIONS_MAX:
            self._posted.clear()
        self.new = {}
        staying = _staying(batch)
        self._sessions.learn(conn, batch, set(staying))
        for row in batch.merged(LimitsPosted, RoundOpened):
            _, stream, _, _, event = row
            if isinstance(event, LimitsPosted):
                self._posted[stream] = event
            elif staying.get(stream) is row:
                self.new[stream] = self._begin(conn, staying[stream])

    def _begin(self, conn: psycopg.Connection[Any], row: Row[RoundOpened]) -> LiveRound:
        position, stream, version, _, _ = row
        opened = self._sessions[stream]
        try:
            ruleset = self._rulesets.fetch(conn, opened.ruleset_digest)
        except NoRulesetError as error:
            raise FoldError(position, str(error)) from error
        if stream not in self._posted:
            found = conn.execute(_POSTED, (stream, LimitsPosted.TOPIC, version)).fetchone()
            self._posted[stream] = None if found is None else cast(LimitsPosted, decode(*found)[1])
        return LiveRound(row, opened, ruleset, limits_of(opened, self._posted[stream]))

    def _restore(self, conn: psycopg.Connection[Any], stream: str, version: int, upto: int) -> LiveRound:
        """Fold a live round from the log up to a position."""
        raw = conn.execute(_FROM, (stream, version, upto)).fetchall()
        first = Batch(raw[0][0] - 1, cast("list[RawRow]", raw), ROUND_TOPICS)
        if first.unreadable is not None:
            raise FoldError(first.unreadable.position, first.unreadable.cause)
        self._sessions.learn(conn, first, {stream})
        live = self._begin(conn, first.of(RoundOpened)[0])
        for _, _, _, topic, state in raw:
            if topic in ROUND_TOPICS:
                live.take(decode(topic, state)[1])
        return live


def _staying(batch: Batch) -> dict[str, Row[RoundOpened]]:
    """The live rounds which the batch opens and does not close, by stream."""
    staying: dict[str, Row[RoundOpened]] = {}
    for row in batch.merged(RoundOpened, RoundClosed):
        event = row[4]
        if isinstance(event, RoundClosed):
            staying.pop(row[1], None)
        elif isinstance(event, RoundOpened) and event.source == LIVE_SOURCE:
            staying[row[1]] = cast("Row[RoundOpened]", row)
    return staying


_STANDING = sql.SQL("SELECT stream, first_version FROM {}")
_POSTED = (
    "SELECT topic, state FROM public.pitclerk_events"
    " WHERE originator_id = %s AND topic = %s AND originator_version < %s ORDER BY originator_version DESC LIMIT 1"
)
_FROM = (
    "SELECT notification_id, originator_id, originator_version, topic, state FROM public.pitclerk_events"
    " WHERE originator_id = %s AND originator_version >= %s AND notification_id <= %s ORDER BY originator_version"
)
