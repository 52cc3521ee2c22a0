"""Jackpots: the meters now, one jackpot, its hits; and the live feed of all of them."""

from typing import Any, Final, Literal

from msgspec import Struct, field
from psycopg import Connection
from starlette.requests import Request
from starlette.responses import Response

from api.auth import gate, roles
from api.feed.follower import missed_moments
from api.feed.frames import Frame
from api.feed.stream import FeedStream, MayStay, More, last_event_id
from api.http.doors import Doors
from api.http.queries import Day, Flag, Limit, Position, Query, parse
from api.http.read_hold import Moment, moment
from api.problems import ProblemError
from api.wiring import House
from projections.reads import jackpot_days, jackpot_hit_record, jackpot_hits, jackpot_hours, orphans, progressives
from projections.reads import jackpots as views
from projections.reads.jackpots import Jackpots

_STREAM: Final = "/v1/jackpots/stream"


class HitsQuery(Query, frozen=True, kw_only=True):
    after: Position = 0
    limit: Limit = 100
    state: Literal["pending", "paid", "rejected"] | None = None


class DayQuery(Query, frozen=True, kw_only=True):
    gaming_day: Day


class HistoryQuery(Query, frozen=True, kw_only=True):
    start: Moment | None = field(default=None, name="from")
    end: Moment | None = field(default=None, name="to")
    limit: Limit = 1000


class LifeQuery(Query, frozen=True, kw_only=True):
    after: Position = 0
    limit: Limit = 100


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
    doors.read(f"{at}/{{jackpot}}/hits/{{hit}}", Query, _hit, "The whole record of a hit")
    doors.read(f"{at}/{{jackpot}}/history", HistoryQuery, _history, "A jackpot's meters hour by hour")
    doors.read(
        f"{at}/{{jackpot}}/reconciliation",
        DayQuery,
        _reconciliation,
        "What explains a gaming day's meters",
    )
    doors.read("/v1/orphans", Query, _orphans, "What progressives stopped for good have left, and where it went")
    doors.read("/v1/progressives/{progressive}", LifeQuery, _life, "A progressive's state and everything done to it")


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


def _hit(conn: Connection[Any], _query: Query, jackpot: str, hit: str) -> jackpot_hit_record.HitRecord:
    return hit_record(conn, jackpot, hit)


def hit_record(conn: Connection[Any], jackpot: str, hit: str) -> jackpot_hit_record.HitRecord:
    """A hit's record. Refuses `unknown_hit`."""
    found = jackpot_hit_record.hit_record(conn, jackpot, hit)
    if found is None:
        raise ProblemError("unknown_hit", f"jackpot {jackpot!r} was never hit as {hit!r}")
    return found


def _history(conn: Connection[Any], query: HistoryQuery, jackpot: str) -> jackpot_hours.History:
    _one(conn, query, jackpot)
    start = None if query.start is None else moment("from", query.start)
    end = None if query.end is None else moment("to", query.end)
    return jackpot_hours.history(conn, jackpot, start=start, end=end, limit=query.limit)


def _reconciliation(conn: Connection[Any], query: DayQuery, jackpot: str) -> jackpot_days.DayReconciliation:
    found = jackpot_days.reconciliation(conn, jackpot, query.gaming_day)
    if found is None:
        raise ProblemError("unknown_jackpot", f"no jackpot {jackpot!r} ever ran")
    return found


def _life(conn: Connection[Any], query: LifeQuery, progressive: str) -> progressives.ProgressiveLife:
    found = progressives.progressive(conn, progressive, after=query.after, limit=query.limit)
    if found is None:
        raise ProblemError("unknown_jackpot", f"nobody ever proposed a progressive {progressive!r}")
    return found


def _orphans(conn: Connection[Any], _query: Query) -> orphans.Orphans:
    return orphans.orphans(conn)


def _hits(conn: Connection[Any], query: HitsQuery, jackpot: str) -> jackpot_hits.Hits:
    _one(conn, query, jackpot)
    return jackpot_hits.hits(conn, progressive=jackpot, after=query.after, state=query.state, limit=query.limit)
