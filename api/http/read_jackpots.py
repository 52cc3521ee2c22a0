"""Jackpots: the meters now, one jackpot, its hits; and the live feed of all of them."""

from typing import Any, Final, Literal

from msgspec import Struct
from psycopg import Connection
from starlette.requests import Request
from starlette.responses import Response

from api.auth import gate, roles
from api.feed.follower import missed_moments
from api.feed.frames import Frame
from api.feed.stream import FeedStream, MayStay, More, last_event_id
from api.http.doors import Doors
from api.http.queries import Flag, Limit, Position, Query, parse
from api.problems import ProblemError
from api.wiring import House
from projections.reads import jackpots as views
from projections.reads.jackpots import Hits, Jackpots

_STREAM: Final = "/v1/jackpots/stream"


class HitsQuery(Query, frozen=True, kw_only=True):
    after: Position = 0
    limit: Limit = 100
    state: Literal["pending", "paid", "rejected"] | None = None


class StreamQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """pulse=1: also `pulse` events, which say every few seconds how fresh the figures are."""

    pulse: Flag = 0


def mount(doors: Doors) -> None:
    at = "/v1/jackpots"
    doors.read(at, Query, _all, "Every jackpot's meters")

    async def stream(request: Request) -> Response:
        caller = await gate.enter(request, doors.house.tokens, roles.allowed("GET", _STREAM))
        asked = parse(request, StreamQuery)
        token = gate.bearer(request)

        async def may_stay() -> bool:
            return await gate.still_valid(doors.house.tokens, token, caller)

        return feed(doors.house, request, may_stay, pulse=bool(asked.pulse))

    doors.mount("GET", _STREAM, stream)  # before the jackpot of that name could be asked for
    doors.book.add("GET", _STREAM, "Meters, hits, resets and payments, live", (200,), media="text/event-stream")
    doors.read(f"{at}/{{jackpot}}", Query, _one, "One jackpot's meters")
    doors.read(f"{at}/{{jackpot}}/hits", HitsQuery, _hits, "Hits of a jackpot, in the order of the log")


def feed(house: House, request: Request, may_stay: MayStay, *, pulse: bool, more: More | None = None) -> Response:
    """The live feed for one display."""
    hub = house.hub

    def missed(after: int, upto: int) -> list[Frame]:
        return house.read(lambda conn: missed_moments(conn, after, upto, hub.picture))

    hub.check_room()
    return FeedStream(hub, last_event_id(request), missed, may_stay, pulse=pulse, more=more)


def _all(conn: Connection[Any], _query: Query) -> Jackpots:
    return views.jackpots(conn)


def _one(conn: Connection[Any], _query: Query, jackpot: str) -> Jackpots:
    found = views.jackpots(conn, progressive=jackpot)
    if not found.jackpots:
        raise ProblemError("unknown_jackpot", f"no jackpot {jackpot!r} runs at position {found.position}")
    return found


def _hits(conn: Connection[Any], query: HitsQuery, jackpot: str) -> Hits:
    _one(conn, query, jackpot)
    return views.hits(conn, progressive=jackpot, after=query.after, state=query.state, limit=query.limit)
