"""Search over HTTP, for those who look into things; that they looked is noted."""

from datetime import datetime
from typing import Annotated, Final

from msgspec import Meta, field
from starlette.requests import Request
from starlette.responses import Response

from api.auth import gate, roles
from api.http import bodies, queries
from api.http.doors import Doors, as_json
from api.http.queries import Limit, Name, Position, Query
from api.http.read_rounds import RoundId, Topic
from api.viewed import report_viewed
from projections.reads.search import Wanted, search

_PATH: Final = "/v1/search"

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
    async def find(request: Request) -> Response:
        caller = await gate.enter(request, doors.house.tokens, roles.allowed("GET", _PATH))
        asked = queries.parse(request, SearchQuery)
        wanted = wanted_of(asked)
        await doors.wait_for(asked)
        found = await doors.reading(lambda conn: search(conn, wanted, after=asked.after, limit=asked.limit))
        report_viewed("search", caller.actor, asked=wanted.given(), position=found.position, rows=len(found.rows))
        return as_json(found)

    doors.mount("GET", _PATH, find)
    doors.book.read(_PATH, SearchQuery, "Events by table, round, box, player, person, amount, hand, type or exception")


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
