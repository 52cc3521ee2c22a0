"""The round on a table's felt: its boxes or wagers, the cards, and what may be done now, folded from its own events."""

from __future__ import annotations

from typing import Any, LiteralString, cast

import psycopg
from msgspec import Struct

from domain import engine
from domain.cards import NAME_BY_PACKED, text_of
from domain.codec import decode
from domain.events.base import Event
from domain.events.play import RoundOpened
from domain.events.session import LimitsPosted, SessionOpened
from projections.box_limits import BoxLimits
from projections.live import Rulesets, limits_of
from projections.reads.snapshot import Snapshot, snapshot

ROULETTE = "roulette"


class FeltBox(Struct):
    """A box. stakes: by kind, minor units. cards: those it holds now. done: bet, fold, time_out, blind, void, or ""."""

    box: int
    player: str | None
    stakes: dict[str, int]
    cards: str
    done: str


class FeltWager(Struct):
    """A wager on the layout, minor units."""

    number: int
    player: str | None
    on: str
    amount: int
    late: bool


class Felt(Struct):
    """A live round at a position. dealer: his cards once revealed; upcard: the one that lies face up before.

    next: what the live door would accept now, as its answers say it.
    """

    position: int
    round: str
    number: int
    ruleset: str
    engine: str
    currency: str
    shoe: str
    boxes: list[FeltBox]
    wagers: list[FeltWager]
    upcard: str
    board: str
    dealer: str
    drawn: str
    next: list[dict[str, Any]]


_LIVE: LiteralString = "SELECT stream, round, first_version FROM views.live_rounds WHERE table_name = %s LIMIT 1"
_EVENTS: LiteralString = """
SELECT topic, state FROM public.pitclerk_events
WHERE originator_id = %s AND originator_version >= %s AND notification_id <= %s ORDER BY originator_version"""
_TERMS: LiteralString = """
(SELECT topic, state FROM public.pitclerk_events WHERE originator_id = %(stream)s AND originator_version = 1)
UNION ALL
(SELECT topic, state FROM public.pitclerk_events
 WHERE originator_id = %(stream)s AND topic = %(posted)s AND originator_version < %(version)s
 ORDER BY originator_version DESC LIMIT 1)"""

_rulesets = Rulesets()


def felt(conn: psycopg.Connection[Any], table: str) -> Felt | None:
    """The round that is live at the table, None between rounds. Raises NoRulesetError, UnreadableEventError."""
    with snapshot(conn) as look:
        found = look.rows(_LIVE, (table,))
        if not found:
            return None
        stream, round_id, version = found[0]
        position = look.position(BoxLimits)
        opened, posted = _terms(look, stream, version)
        ruleset = _rulesets.fetch(conn, opened.ruleset_digest)
        events = [decode(topic, state)[1] for topic, state in look.rows(_EVENTS, (stream, version, position))]
    first = cast(RoundOpened, events[0])
    state = engine.begin(ruleset, limits_of(opened, posted), round_id, first.number)
    for event in events:
        if getattr(event, "round", None) == round_id:
            state = engine.evolve(state, event)
    return _seen(state, position, first, opened)


def _terms(look: Snapshot, stream: str, version: int) -> tuple[SessionOpened, LimitsPosted | None]:
    named = {"stream": stream, "version": version, "posted": LimitsPosted.TOPIC}
    events: list[Event] = [decode(topic, state)[1] for topic, state in look.rows(_TERMS, named)]
    posted = next((event for event in events if isinstance(event, LimitsPosted)), None)
    return cast(SessionOpened, events[0]), posted


def _seen(state: engine.RoundState, position: int, first: RoundOpened, opened: SessionOpened) -> Felt:
    seen = Felt(
        position=position,
        round=first.round,
        number=first.number,
        ruleset=opened.ruleset,
        engine=state.ruleset.engine,
        currency=opened.currency,
        shoe=first.shoe,
        boxes=[],
        wagers=[],
        upcard="",
        board="",
        dealer="",
        drawn="",
        next=engine.next_actions(state),
    )
    if seen.engine == ROULETTE:
        seen.wagers = [
            FeltWager(laid.number, laid.player, laid.on, laid.placed.amount, laid.placed.refused == "late")
            for laid in state.laid
        ]
        return seen
    seen.boxes = [_box(box) for box in state.by_number]
    seen.upcard = NAME_BY_PACKED[state.upcard] if state.upcard else ""
    seen.board, seen.dealer, seen.drawn = (text_of(cards) for cards in (state.board, state.dealer, state.drawn))
    return seen


def _box(box: Any) -> FeltBox:
    return FeltBox(box.number, box.player, dict(box.stakes()), text_of(box.cards), _done(box))


def _done(box: Any) -> str:
    if box.void:
        return "void"
    if box.timed_out:
        return "time_out"
    if box.folded:
        return "fold"
    if box.bet:
        return "blind" if box.blind else "bet"
    return ""
