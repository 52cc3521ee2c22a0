"""How far each projection is behind the log, and why."""

from __future__ import annotations

from typing import TypedDict

from projections import log_reader
from projections.catalog import all_projections
from projections.connect import Connect, connector
from projections.store import BUILD, LIVE

CURRENT, BEHIND, STOPPED, BUILDING = "current", "behind", "stopped", "building"


class ProjectionLag(TypedDict):
    """position: folded up to here. seconds_behind: the age of the oldest event not folded, 0 when there is none.

    state: current, behind, stopped (error says where and why), building (a rebuild that is not yet in use).
    """

    name: str
    version: int
    position: int
    events_behind: int
    seconds_behind: float
    state: str
    error: str | None


class Lag(TypedDict):
    head: int
    projections: list[ProjectionLag]


_STANDING = """
SELECT p.schema, p.name, p.version, p.at, p.error,
       (SELECT count(*) FROM public.pitclerk_events e WHERE e.notification_id > p.at),
       (SELECT extract(epoch FROM clock_timestamp() - e.recorded_at) FROM public.pitclerk_events e
        WHERE e.notification_id > p.at ORDER BY e.notification_id LIMIT 1)::float8
FROM (SELECT 'views' AS schema, * FROM views.positions
      UNION ALL SELECT 'views_build', * FROM views_build.positions) p
ORDER BY p.schema, p.name, p.version"""


def lag(connect: str | Connect) -> Lag:
    """Every projection of this program and every build, in one look."""
    opener = connector(connect) if isinstance(connect, str) else connect
    with opener() as conn, conn.transaction():
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        head = log_reader.head(conn)
        found = {(schema, name, version): rest for schema, name, version, *rest in conn.execute(_STANDING).fetchall()}
        for projection in all_projections():
            if (LIVE, projection.name, projection.version) not in found:
                at_zero = conn.execute(
                    "SELECT count(*), extract(epoch FROM clock_timestamp() - min(recorded_at))::float8"
                    " FROM public.pitclerk_events"
                ).fetchone()
                assert at_zero is not None
                found[LIVE, projection.name, projection.version] = [0, None, *at_zero]
    return Lag(head=head, projections=[_row(key, *rest) for key, rest in sorted(found.items())])


def _row(key: tuple[str, str, int], at: int, error: str | None, events: int, seconds: float | None) -> ProjectionLag:
    schema, name, version = key
    if error is not None:
        state = STOPPED
    elif schema == BUILD:
        state = BUILDING
    else:
        state = BEHIND if events else CURRENT
    return ProjectionLag(
        name=name,
        version=version,
        position=at,
        events_behind=events,
        seconds_behind=round(max(seconds or 0.0, 0.0), 3),
        state=state,
        error=error,
    )
