"""Reads of the money room: gaming days, what was known of them when, drop boxes, discrepancies."""

from typing import Annotated, Any, Literal

from msgspec import Meta
from psycopg import Connection

from api.http.doors import Doors
from api.http.queries import Day, Flag, Name, Position, Query
from api.http.read_hold import Moment, moment
from api.problems import ProblemError
from projections.reads import adjustments, cage, days, known, needs


class BoxesQuery(Query, frozen=True, kw_only=True):
    gaming_day: Day | None = None
    table: Name | None = None
    state: Literal["mounted", "removed", "received", "counting", "counted"] | None = None


class CageQuery(Query, frozen=True, kw_only=True):
    window: Name | None = None
    gaming_day: Day | None = None
    state: Literal["open", "offered", "closed"] | None = None


class RulesQuery(Query, frozen=True, kw_only=True):
    gaming_day: Day


class KnownQuery(Query, frozen=True, kw_only=True):
    at_position: Position | None = None
    at: Moment | None = None


class AdjustmentsQuery(Query, frozen=True, kw_only=True):
    month: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}$")] | None = None
    gaming_day: Day | None = None
    over: Flag = 0


class DiscrepancyQuery(Query, frozen=True, kw_only=True):
    gaming_day: Day | None = None
    table: Name | None = None
    session: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_./-]{1,80}$")] | None = None


def mount(doors: Doors) -> None:
    at = "/v1/gaming-days"
    doors.read(at, Query, _days, "Gaming days, how far each has rolled and been counted")
    doors.read(f"{at}/{{day}}", Query, _day, "A gaming day as fixed at its close, and what was learned since")
    doors.read(f"{at}/{{day}}/known", KnownQuery, _known, "A gaming day as known at a position or a time")
    doors.read("/v1/adjustments", AdjustmentsQuery, _adjustments, "What accounting put right in a month, and why")
    doors.read("/v1/cage", CageQuery, _cage, "Cashiers' shifts with what their windows hold")
    doors.read("/v1/money-rules", RulesQuery, _rules, "Windows, allowed transfers and thresholds of a gaming day")
    doors.read("/v1/needs", Query, _needs, "What each open table's tray needs to come to its par")
    doors.read("/v1/drop-boxes", BoxesQuery, _boxes, "Drop boxes: where they are and, once settled, what they held")
    doors.read(
        "/v1/discrepancies", DiscrepancyQuery, _discrepancies, "Rounds in which a tray can first have gone wrong"
    )


def _days(conn: Connection[Any], _query: Query) -> days.GamingDayRows:
    return days.gaming_days(conn)


def _day(conn: Connection[Any], _query: Query, day: str) -> known.Learned:
    found = known.learned(conn, day)
    if found is None:
        raise ProblemError("unknown_day", f"gaming day {day} was never opened")
    return found


def _known(conn: Connection[Any], query: KnownQuery, day: str) -> known.Known:
    at = None if query.at is None else moment("at", query.at)
    return known.known(conn, day, at_position=query.at_position, at_time=at)


def _boxes(conn: Connection[Any], query: BoxesQuery) -> days.Boxes:
    return days.drop_boxes(conn, gaming_day=query.gaming_day, table=query.table, state=query.state)


def _discrepancies(conn: Connection[Any], query: DiscrepancyQuery) -> days.Discrepancies:
    return days.discrepancies(conn, table=query.table, gaming_day=query.gaming_day, session=query.session)


def _adjustments(conn: Connection[Any], query: AdjustmentsQuery) -> adjustments.Adjustments:
    return adjustments.adjustments(conn, month=query.month, gaming_day=query.gaming_day, only_over=bool(query.over))


def _needs(conn: Connection[Any], _query: Query) -> needs.Needs:
    return needs.needs(conn)


def _cage(conn: Connection[Any], query: CageQuery) -> cage.CageRows:
    return cage.cage(conn, window=query.window, gaming_day=query.gaming_day, state=query.state)


def _rules(conn: Connection[Any], query: RulesQuery) -> cage.RulesInForce:
    return cage.rules(conn, query.gaming_day)
