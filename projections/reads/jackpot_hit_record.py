"""One hit with everything a regulator may ask of it, gathered from the hit itself and from the log around it.

Cards, stake and configuration lie in the events of its round; who dealt is who acted there. What came after (displays,
people, payment, paper, flags) is in `jackpot_hit_after`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, LiteralString

import msgspec
import psycopg
from msgspec import Struct

from domain.events.jackpot import JackpotContributed
from domain.events.play import BoardDealt, CardsDealt, DealerRevealed, DealerUpcardDealt, JackpotStaked
from domain.proof_text import to_text
from projections.cage import Cage
from projections.jackpot_meters import JackpotMeters
from projections.paper import Paper
from projections.reads.events import LoggedEvent, of_round
from projections.reads.jackpot_hit_after import Afterwards, afterwards
from projections.reads.jackpot_hits import HitView, hits_at
from projections.reads.proofs import proof_at
from projections.reads.snapshot import Snapshot, snapshot
from projections.reads.tree import LogDiffersError

_CARDS = frozenset(kind.TOPIC for kind in (CardsDealt, BoardDealt, DealerUpcardDealt, DealerRevealed))
"""Prizes are won on the first cards; what was swapped or bought afterwards is in the story of the round."""


class CardsSeen(Struct):
    """Cards as one event of the round says them, in order; box null for the dealer's and the board's."""

    event: str
    box: int | None
    cards: str
    position: int


class DealtWith(Struct):
    """The group of hits of one deal on a level, in the order in which they were awarded: this is `order` of `of`.

    ahead: hits of other deals on the same level that waited for payment when this one was made, oldest first.
    """

    round: str
    order: int
    of: int
    hits: list[str]
    ahead: list[str]


class HitRecord(Struct):
    """A hit whole. recorded_at: when the log stamped it, under its lock; hit.at is business time.

    config_version: version of the progressive's stream whose rates and seeds were in force. stake: minor units;
    stake_event: event id of the stake that made the player eligible. dealer: who recorded the round. reset: the new
    seed in millionths, with its sources. after: displays, people, payment, prints and flags. proof: that the hit stands
    in the log, as text that verifies offline with the house's public key; null until a checkpoint covers it, or where
    proof_fault says that the log is not what was sealed.
    """

    position: int
    hit: HitView
    recorded_at: datetime | None
    config_version: int | None
    stake: int | None
    stake_event: str | None
    stake_position: int | None
    contribution_position: int | None
    dealer: str | None
    session: str | None
    cards: list[CardsSeen]
    reset_u: str
    reset_source: str
    group: DealtWith
    after: Afterwards
    proof: str | None
    proof_fault: str | None


def hit_record(conn: psycopg.Connection[Any], progressive: str, hit_id: str) -> HitRecord | None:
    """The record of a hit; None if the progressive has none of that id."""
    with snapshot(conn) as look:
        found = hits_at(look, [("h.progressive = %s", progressive), ("h.hit = %s", hit_id)], 1)
        if not found:
            return None
        hit = found[0]
        events = of_round(look, hit.round)
        position = look.position(JackpotMeters, Paper, Cage)
        return _record(look, position, hit, events)


class _Said(Struct):
    """The fields of a round's events that a hit record takes."""

    box: int | None = None
    progressive: str | None = None
    amount: int | None = None
    stake: int | None = None
    config_version: int | None = None
    cards: str = ""
    card: str = ""


def _record(look: Snapshot, position: int, hit: HitView, events: list[LoggedEvent]) -> HitRecord:
    said = [(event, msgspec.json.decode(event.data, type=_Said)) for event in events]
    of_box = [(event, one) for event, one in said if one.box == hit.box]
    staked = next(((event, one) for event, one in of_box if event.type == JackpotStaked.TOPIC), None)
    given = next(((event, one) for event, one in of_box if event.type == JackpotContributed.TOPIC), None)
    itself = next((event for event in events if event.event_id == hit.event_id), None)
    from_reserve, from_house = int(hit.reset_from_reserve_u), int(hit.reset_from_house_u)
    proof, fault = _proof(look, hit.position)
    stake = None if given is None else given[1].stake
    sources = [name for name, part in (("reserve", from_reserve), ("house", from_house)) if part]
    return HitRecord(
        position=position,
        hit=hit,
        recorded_at=None if itself is None else itself.recorded_at,
        config_version=None if given is None else given[1].config_version,
        stake=stake,
        stake_event=None if staked is None else staked[0].event_id,
        stake_position=None if staked is None else staked[0].position,
        contribution_position=None if given is None else given[0].position,
        dealer=hit.actor,
        session=None if itself is None else itself.stream.partition("/")[2],
        cards=[_seen(event, one) for event, one in said if event.type in _CARDS and one.box in (None, hit.box)],
        reset_u=str(from_reserve + from_house),
        reset_source=" and ".join(sources) or "none",
        group=_group(look, hit),
        after=afterwards(look, hit, stake or 0, None if itself is None else itself.stream),
        proof=proof,
        proof_fault=fault,
    )


def _proof(look: Snapshot, position: int) -> tuple[str | None, str | None]:
    try:
        found = proof_at(look, position)
    except LogDiffersError as error:
        return None, str(error)
    return (None if found is None else to_text(msgspec.json.encode(found))), None


def _seen(event: LoggedEvent, said: _Said) -> CardsSeen:
    return CardsSeen(event.type.partition(".")[2], said.box, said.cards or said.card, event.position)


_TOGETHER: LiteralString = """
SELECT hit FROM views.jackpot_hits h
WHERE progressive = %s AND level = %s AND round = %s AND share_ppm IS NOT NULL ORDER BY position"""
_AHEAD: LiteralString = """
SELECT hit FROM views.jackpot_hits h
WHERE progressive = %s AND level = %s AND round <> %s AND pending AND position < %s
  AND coalesce(paid_position, %s) >= %s AND coalesce(rejected_position, %s) >= %s ORDER BY position LIMIT 100"""


def _group(look: Snapshot, hit: HitView) -> DealtWith:
    of_level = (hit.jackpot, hit.level, hit.round)
    together = [name for (name,) in look.rows(_TOGETHER, of_level)] or [hit.hit]
    order = together.index(hit.hit) + 1 if hit.hit in together else 1
    ahead = [name for (name,) in look.rows(_AHEAD, (*of_level, *[hit.position] * 5))]
    return DealtWith(hit.round, order, len(together), together, ahead)
