"""Who did what: everybody who has, or had, access, each leading on to what they did or agreed to."""

from datetime import datetime
from typing import Any, Final, NamedTuple

from psycopg import Connection
from starlette.responses import Response

from api.auth import people, tokens
from api.pages.audit.shown import audit_page
from api.pages.frame import Pages
from api.pages.visit import Visit

MOST_SHOWN: Final = 200


class Access(NamedTuple):
    """Somebody's access. id: the actor of what they did. by_token: a terminal's or program's, not a password."""

    id: str
    name: str
    role: str
    created_at: datetime
    created_by: str
    ended_at: datetime | None
    by_token: bool


def mount(pages: Pages) -> None:
    pages.show("/audit/people", _people)


def _people(visit: Visit) -> Response:
    wanted = visit.asked("name").strip().casefold()
    everybody = visit.read(_everybody)
    shown = [one for one in everybody if wanted in one.id.casefold() or wanted in one.name.casefold()]
    more = max(0, len(shown) - MOST_SHOWN)
    return audit_page(visit, "people.html", people=shown[:MOST_SHOWN], more=more, wanted=visit.asked("name"))


def _everybody(conn: Connection[Any]) -> list[Access]:
    found = [
        Access(one.id, one.name, one.role, one.created_at, one.created_by, one.ended_at, by_token=False)
        for one in people.list_all(conn)
    ]
    found += [
        Access(one.name, "", one.role, one.created_at, one.created_by, one.revoked_at, by_token=True)
        for one in tokens.list_all(conn)
    ]
    return sorted(found, key=lambda one: (one.ended_at is not None, one.id))
