"""What was counted in a session's tray, and the colours that are played there now."""

from __future__ import annotations

from typing import Any, LiteralString

import psycopg
from msgspec import Struct

from domain.codec import decode
from domain.events.base import Chips
from domain.events.colour import ColourCashedIn, ColourIssued
from domain.events.session import SessionClosed, SessionOpened
from projections.reads.snapshot import Snapshot, snapshot


class ColourPlay(Struct):
    """A colour that is played: whose it is, what a chip is worth in minor units, and how many have been issued."""

    colour: str
    player: str
    value: int
    issued: int


class Tray(Struct):
    """What was counted at a session: its opener, its closer once it is closed; and the colours that are out."""

    opener: tuple[Chips, ...]
    closer: tuple[Chips, ...] | None
    colours: list[ColourPlay]


_OPENER: LiteralString = "SELECT state FROM public.pitclerk_events WHERE originator_id = %s AND originator_version = 1"
# A closed session may have learned of late events since, but not many: its closing is among its last.
_CLOSER: LiteralString = """
SELECT state FROM public.pitclerk_events WHERE originator_id = %s AND topic = %s
ORDER BY originator_version DESC LIMIT 1"""
_COLOURS: LiteralString = """
SELECT topic, state FROM public.pitclerk_events WHERE originator_id = %s AND topic = ANY(%s)
ORDER BY originator_version"""


def tray(conn: psycopg.Connection[Any], stream: str, *, is_open: bool, with_colours: bool) -> Tray | None:
    """The counts of a session, and its colours if they are asked for; None for a stream that is not there."""
    with snapshot(conn) as look:
        first = look.rows(_OPENER, (stream,))
        if not first:
            return None
        opened = decode(SessionOpened.TOPIC, first[0][0])[1]
        assert isinstance(opened, SessionOpened), "a session stream begins with its opening"
        last = [] if is_open else look.rows(_CLOSER, (stream, SessionClosed.TOPIC))
        closed = decode(SessionClosed.TOPIC, last[0][0])[1] if last else None
        closer = closed.closer if isinstance(closed, SessionClosed) else None
        return Tray(opened.opener, closer, _colours(look, stream) if with_colours else [])


def _colours(look: Snapshot, stream: str) -> list[ColourPlay]:
    played: dict[str, ColourPlay] = {}
    for topic, state in look.rows(_COLOURS, (stream, [ColourIssued.TOPIC, ColourCashedIn.TOPIC])):
        event = decode(topic, state)[1]
        if isinstance(event, ColourIssued):
            known = played.setdefault(event.colour, ColourPlay(event.colour, event.player, event.value, 0))
            known.issued += event.count
        elif isinstance(event, ColourCashedIn):
            played.pop(event.colour, None)
    return list(played.values())
