"""A table as it stood: a slider over the events of a session, or any moment or position that is named.

The state is folded from the log up to the event, by the same fold that decides; nothing here remembers anything.
"""

from typing import Any, NamedTuple

import msgspec
from psycopg import Connection
from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages.audit.felt import Felt, felt_after
from api.pages.audit.moments import position
from api.pages.audit.shown import audit_page
from api.pages.frame import Pages
from api.pages.visit import Visit
from api.problems import ProblemError
from api.stating import session_state
from projections.reads.events import LoggedEvent, of_round
from projections.reads.snapshot import snapshot
from projections.reads.timeline import Moment, Session, moment_at, moment_of, round_at, sessions_of

SESSIONS_SHOWN = 60


class Looked(NamedTuple):
    """A table at an event. round: the one that began last, up to there; none before the first of a session."""

    sessions: list[Session]
    session: Session
    moment: Moment
    event: LoggedEvent | None
    state: dict[str, Any]
    round: str | None
    felt: Felt | None


def mount(pages: Pages) -> None:
    pages.show("/audit/tables/{table}", _table)


def _table(visit: Visit) -> Response:
    (table,) = visit.names
    looked, wrong = None, None
    try:
        looked = visit.read(lambda conn: _look(conn, visit, table))
        visit.position = looked.moment.position
    except ProblemError as error:
        if error.code == "unknown_table":
            raise
        wrong = error
        looked = visit.read(lambda conn: _last(conn, table))
    return audit_page(visit, "table.html", table=table, looked=looked, wrong=wrong)


def _sessions(conn: Connection[Any], table: str) -> list[Session]:
    with snapshot(conn) as look:
        found = sessions_of(look, table, SESSIONS_SHOWN)
    if not found:
        raise ProblemError("unknown_table", gettext("the log knows no table %(table)s") % {"table": table})
    return found


def _look(conn: Connection[Any], visit: Visit, table: str) -> Looked:
    sessions = _sessions(conn, table)
    named = visit.asked("at").strip()
    if named:
        return _at_position(conn, table, sessions, named)
    session = next((one for one in sessions if one.stream == visit.asked("session")), sessions[0])
    event = visit.asked("event")
    version = int(event) if event.isascii() and event.isdigit() and len(event) < 10 else session.events
    return _at(conn, sessions, session, min(max(1, version), session.events))


def _last(conn: Connection[Any], table: str) -> Looked:
    sessions = _sessions(conn, table)
    return _at(conn, sessions, sessions[0], sessions[0].events)


def _at_position(conn: Connection[Any], table: str, sessions: list[Session], named: str) -> Looked:
    at = position(conn, named, gettext("the moment"))
    assert at is not None, "a text was given"
    with snapshot(conn) as look:
        for session in sessions:
            moment = moment_at(look, session.stream, at)
            if moment is not None:
                break
        else:
            given = {"position": at, "table": table}
            detail = gettext("up to position %(position)s table %(table)s was not open in any session listed here")
            raise ProblemError("bad_parameter", detail % given)
    return _at(conn, sessions, session, moment.version)


def _at(conn: Connection[Any], sessions: list[Session], session: Session, version: int) -> Looked:
    with snapshot(conn) as look:
        moment = moment_of(look, session.stream, version)
        assert moment is not None, "a stream has all versions up to its last"
        name = round_at(look, session.stream, version)
        events = [] if name is None else [one for one in of_round(look, name) if one.position <= moment.position]
    told = [(one, msgspec.json.decode(one.data)) for one in events]
    event = next((one for one, _ in reversed(told) if one.position == moment.position), None)
    state = session_state(conn, session.stream, moment.position)
    return Looked(sessions, session, moment, event, state, name, felt_after(told) if told else None)
