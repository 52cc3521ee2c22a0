"""Hold: what tables won of what was dropped."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any, Literal

from msgspec import Meta, field
from psycopg import Connection

from api.http.doors import Doors
from api.http.queries import Day, Name, Query
from api.problems import ProblemError
from projections.reads import hold as views
from projections.reads.hold import Hold

Moment = Annotated[str, Meta(max_length=40, description="RFC 3339 time with its offset, or a whole day (UTC)")]


class HoldQuery(Query, frozen=True, kw_only=True):
    table: Name | None = None
    ruleset: Name | None = None
    gaming_day: Day | None = None
    start: Moment | None = field(default=None, name="from")
    end: Moment | None = field(default=None, name="to")
    by: Literal["table", "ruleset", "day", "hour", "session", "shift", "month", "year", "all"] = "table"


def mount(doors: Doors) -> None:
    doors.read("/v1/hold", HoldQuery, _hold, "What tables won of what was dropped")


def _hold(conn: Connection[Any], query: HoldQuery) -> Hold:
    start = None if query.start is None else _hour_of(moment("from", query.start))
    end = None if query.end is None else _hour_after(moment("to", query.end))
    found = views.hold(
        conn,
        by=query.by,
        table=query.table,
        ruleset=query.ruleset,
        gaming_day=query.gaming_day,
        start=start,
        end=end,
    )
    found.start, found.end = start, end
    return found


def _hour_of(at: datetime) -> datetime:
    return at.replace(minute=0, second=0, microsecond=0)


def _hour_after(at: datetime) -> datetime:
    """The end of the hour that the interval ends in; figures are kept by the hour, so no round of it is cut in two."""
    begun = _hour_of(at)
    return begun if begun == at else begun + timedelta(hours=1)


def moment(name: str, text: str) -> datetime:
    """A time, or the beginning of a day (of `to`: its end, so that the day is in). Refuses `bad_parameter`."""
    try:
        if len(text) == 10:
            day = date.fromisoformat(text) + timedelta(days=1 if name == "to" else 0)
            return datetime.combine(day, time(), UTC)
        at = datetime.fromisoformat(text)
        if at.tzinfo is not None:
            return at.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise ProblemError("bad_parameter", f"{name} {text!r} is neither a day nor a time such as 2026-03-14T21:00:00Z")
