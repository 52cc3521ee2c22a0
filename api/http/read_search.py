"""Search over HTTP, for those who look into things."""

from datetime import datetime
from typing import Annotated, Any

from msgspec import Meta, field
from psycopg import Connection

from api.http import bodies
from api.http.doors import Doors
from api.http.queries import Limit, Name, Position, Query
from api.http.read_rounds import RoundId, Topic
from projections.reads.search import Found, Wanted, search

Player = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,40}$")]
Person = Annotated[str, Meta(pattern="^[A-Za-z0-9_.@-]{1,80}$", description="who acted, or agreed to it")]
Hand = Annotated[str, Meta(pattern="^[a-z -]{1,20}$", description="such as full house")]
Code = Annotated[str, Meta(pattern="^[a-z_]{1,40}$", description="events that exceptions of this code are about")]
Amount = Annotated[int, Meta(ge=-(2**53), le=2**53, description="any amount of the event, in minor units")]


class SearchQuery(Query, frozen=True, kw_only=True):
    """All that is given must hold; from and to bound the time of recording."""

    table: Name | None = None
    round_id: RoundId | None = field(default=None, name="round")
    box: Annotated[int, Meta(ge=1, le=100)] | None = None
    player: Player | None = None
    actor: Person | None = None
    amount: Amount | None = None
    hand: Hand | None = None
    topic: Topic | None = field(default=None, name="type")
    exception: Code | None = None
    since: datetime | None = field(default=None, name="from")
    until: datetime | None = field(default=None, name="to")
    after: Position = 0
    limit: Limit = 100


def mount(doors: Doors) -> None:
    summary = "Events by table, round, box, player, person, amount, hand, type or exception"
    doors.read("/v1/search", SearchQuery, _search, summary)


def _search(conn: Connection[Any], asked: SearchQuery) -> Found:
    return search(conn, wanted_of(asked), after=asked.after, limit=asked.limit)


def wanted_of(asked: SearchQuery) -> Wanted:
    """What is looked for. Refuses a time without its offset."""
    return Wanted(
        table=asked.table,
        round=asked.round_id,
        box=asked.box,
        player=asked.player,
        actor=asked.actor,
        amount=asked.amount,
        hand=asked.hand,
        topic=asked.topic,
        exception=asked.exception,
        since=bodies.business_time(asked.since),
        until=bodies.business_time(asked.until),
    )
