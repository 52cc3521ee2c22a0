"""The published rulesets: what a table can be opened under."""

import tomllib
from typing import Any, Final

from msgspec import Struct
from psycopg import Connection

from api.http.doors import Doors
from api.http.queries import Query
from domain import streams
from domain.codec import decode
from domain.events.house import RulesetPublished

# The house's own stream is short: some publications a year, so it is read as a whole and not kept anywhere else.
_PUBLISHED: Final = (
    "SELECT notification_id, state FROM public.pitclerk_events"
    " WHERE originator_id = %s AND topic = %s ORDER BY originator_version DESC LIMIT 1000"
)


class RulesetView(Struct):
    """The newest version of a ruleset. text: the whole file, as published."""

    id: str
    version: int
    name: str
    engine: str
    digest: str
    position: int
    text: str


class Rulesets(Struct):
    position: int
    rulesets: list[RulesetView]


def mount(doors: Doors) -> None:
    doors.read("/v1/rulesets", Query, published, "The newest version of every published ruleset")


def published(conn: Connection[Any], _query: Query) -> Rulesets:
    """Every ruleset, by id."""
    newest: dict[str, RulesetView] = {}
    rows = conn.execute(_PUBLISHED, (streams.HOUSE, RulesetPublished.TOPIC)).fetchall()
    for position, state in rows:
        event = decode(RulesetPublished.TOPIC, bytes(state))[1]
        assert isinstance(event, RulesetPublished), "a topic is one kind of event"
        if event.ruleset not in newest:
            header = tomllib.loads(event.text)
            newest[event.ruleset] = RulesetView(
                id=event.ruleset,
                version=event.ruleset_version,
                name=header["name"],
                engine=header["engine"],
                digest=event.digest,
                position=position,
                text=event.text,
            )
    return Rulesets(rows[0][0] if rows else 0, [newest[name] for name in sorted(newest)])
