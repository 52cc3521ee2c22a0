"""Rounds and the log: a round as its record, its story event by event, and every event by position."""

from typing import Annotated, Any

from msgspec import Meta, field
from psycopg import Connection

from api.http.doors import Doors
from api.http.names import PATTERNS
from api.http.queries import Flag, Limit, Name, Position, Query
from api.problems import ProblemError
from projections.reads import events, rounds
from projections.reads.events import Events
from projections.reads.rounds import RoundStory, RoundWhole

RoundId = Annotated[str, Meta(pattern=f"^{PATTERNS['round']}$")]
Topic = Annotated[str, Meta(pattern=r"^[a-z_]{1,40}\.[a-z_]{1,60}$", description="such as table.payout_made")]


class EventsQuery(Query, frozen=True, kw_only=True):
    """raw=1: also the exact bytes that the chain and the tree hash."""

    after: Position = 0
    limit: Limit = 100
    table: Name | None = None
    round_id: RoundId | None = field(default=None, name="round")
    topic: Topic | None = field(default=None, name="type")
    raw: Flag = 0


def mount(doors: Doors) -> None:
    doors.read("/v1/rounds/{round}", Query, _whole, "A round as its record, with its settlement")
    doors.read("/v1/rounds/{round}/story", Query, _story, "A round told event by event, each with its reason")
    doors.read("/v1/events", EventsQuery, _events, "The log, in its own order")


def _whole(conn: Connection[Any], _query: Query, round_id: str) -> RoundWhole:
    found = rounds.round_record(conn, round_id)
    if found is None:
        raise _unknown(round_id)
    return found


def _story(conn: Connection[Any], _query: Query, round_id: str) -> RoundStory:
    found = rounds.round_story(conn, round_id)
    if found is None:
        raise _unknown(round_id)
    return found


def _unknown(round_id: str) -> ProblemError:
    return ProblemError("unknown_round", f"there is no round {round_id!r}; rounds are named like CS07-2026-03-14-1-7")


def _events(conn: Connection[Any], query: EventsQuery) -> Events:
    return events.events(
        conn,
        after=query.after,
        limit=query.limit,
        table=query.table,
        round_id=query.round_id,
        type_=query.topic,
        raw=bool(query.raw),
    )
