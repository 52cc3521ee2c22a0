"""Which events belong in a bundle, and the proof of each against one checkpoint."""

from __future__ import annotations

import base64
from typing import Any, Final, LiteralString

import psycopg

from domain.codec import decode
from domain.events.house import RulesetPublished
from domain.events.session import LimitsPosted, SessionOpened
from domain.merkle import inclusion_proof
from domain.streams import HOUSE
from projections.evidence.leaves import EvidenceError
from projections.reads.snapshot import Snapshot, snapshot
from projections.reads.tree import LogDiffersError, NoSuchTreeError, Tree, UnknownPositionError, leaf_bytes_of, leaf_of

MOST_EVENTS: Final = 5_000

_PLACE: LiteralString = """
SELECT stream, first_version, coalesce(last_version, 9223372036854775807) FROM views.rounds WHERE round = %s"""

_PLAYED: LiteralString = """
SELECT notification_id FROM public.pitclerk_events
WHERE originator_id = %s AND originator_version >= %s AND originator_version <= %s
ORDER BY originator_version LIMIT %s"""

_AFTERWARDS: LiteralString = """
SELECT position FROM views.round_notes WHERE round = %(round)s
UNION SELECT paid_position FROM views.jackpot_hits WHERE round = %(round)s AND paid_position IS NOT NULL
UNION SELECT rejected_position FROM views.jackpot_hits WHERE round = %(round)s AND rejected_position IS NOT NULL
UNION SELECT s.position FROM views.jackpot_steps s JOIN views.jackpot_hits h ON (h.site, h.hit) = (s.site, s.hit)
      WHERE h.round = %(round)s
ORDER BY 1 LIMIT %(most)s"""

_OPENED: LiteralString = """
SELECT notification_id, topic, state FROM public.pitclerk_events WHERE originator_id = %s AND originator_version = 1"""

_POSTED: LiteralString = """
SELECT notification_id FROM public.pitclerk_events WHERE originator_id = %s AND topic = %s AND originator_version < %s
ORDER BY originator_version DESC LIMIT 1"""

_PUBLISHED: LiteralString = """
SELECT notification_id, topic, state FROM public.pitclerk_events WHERE originator_id = %s AND topic = %s
ORDER BY originator_version"""


def gather(conn: psycopg.Connection[Any], round_id: str, size: int) -> list[dict[str, Any]] | None:
    """The round's events, what it was played under and what was said of it since, each with its path to the root.

    size: leaves of the tree that the checkpoint signs. None: there is no such round. Raises EvidenceError where it is
    more than a bundle holds or younger than the checkpoint, LogDiffersError where a row is not what was sealed.
    """
    with snapshot(conn) as look:
        positions = _positions(look, round_id)
        if positions is None:
            return None
        if len(positions) > MOST_EVENTS:
            raise EvidenceError(f"round {round_id} has more than {MOST_EVENTS} events")
        tree = Tree(look)
        try:
            return [_proof(look, tree, position, size) for position in positions]
        except (UnknownPositionError, NoSuchTreeError) as error:
            raise EvidenceError(f"the checkpoint of {size} leaves does not cover the round: {error}") from error


def _positions(look: Snapshot, round_id: str) -> list[int] | None:
    place = look.rows(_PLACE, (round_id,))
    if not place:
        return None
    stream, first, last = place[0]
    found = {position for (position,) in look.rows(_PLAYED, (stream, first, last, MOST_EVENTS + 1))}
    found |= {position for (position,) in look.rows(_AFTERWARDS, {"round": round_id, "most": MOST_EVENTS + 1})}
    found |= {position for (position,) in look.rows(_POSTED, (stream, LimitsPosted.TOPIC, first))}
    position, topic, state = look.rows(_OPENED, (stream,))[0]
    opened = decode(topic, state)[1]
    assert isinstance(opened, SessionOpened), "a session stream begins with its opening"
    return sorted(found | {position} | _sheet(look, opened.ruleset_digest))


def _sheet(look: Snapshot, digest: str) -> set[int]:
    """Where the sheet of a digest was first published."""
    for position, topic, state in look.rows(_PUBLISHED, (HOUSE, RulesetPublished.TOPIC)):
        event = decode(topic, state)[1]
        if isinstance(event, RulesetPublished) and event.digest == digest:
            return {position}
    return set()


def _proof(look: Snapshot, tree: Tree, position: int, size: int) -> dict[str, Any]:
    index = tree.index_of(position)
    if not index < size <= tree.size:
        raise NoSuchTreeError(f"position {position} is leaf {index} of {tree.size}")
    leaf = leaf_of(look, position)
    if leaf != tree.leaf(index)[1]:
        raise LogDiffersError(f"the row at position {position} is not the one that leaf {index} was made of")
    return {
        "position": position,
        "index": index,
        "leaf": leaf.hex(),
        "path": [step.hex() for step in inclusion_proof(index, size, tree.read)],
        "leaf_bytes": base64.b64encode(leaf_bytes_of(look, position)).decode(),
    }
