"""The people of the demonstration: one for each role, and a second where an act takes two.

They share a password made for this run alone; their access ends with it.
"""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import psycopg

from api.auth import people
from api.auth.people import Person

PEOPLE: Final = (
    Person("dealer", "Dana Dealer", "terminal"),
    Person("pit1", "Piret Pit", "supervisor"),
    Person("pit2", "Petru Pit", "supervisor"),
    Person("cage1", "Carmen Cage", "cashier"),
    Person("cage2", "Kostas Cage", "cashier"),
    Person("guard", "Sorin Security", "security"),
    Person("finance1", "Fiona Finance", "finance"),
    Person("finance2", "Fedir Finance", "finance"),
    Person("auditor", "Ada Auditor", "auditor"),
    Person("manager", "Maria Manager", "admin"),
    Person("kiosk", "Jackpot display", "display"),
)

_CONNECT_S: Final = 10


@contextmanager
def demo_people(database_url: str, creator: str) -> Iterator[str]:
    """Let them in; yields their password. Somebody of the house who has one of these ids keeps it."""
    password = secrets.token_urlsafe(9)
    entered = []
    with psycopg.connect(database_url, autocommit=True, connect_timeout=_CONNECT_S) as conn:
        known = {listed.id: listed for listed in people.list_all(conn)}
        for person in PEOPLE:
            before = known.get(person.id)
            if before is not None and before.ended_at is None:
                if before.name != person.name:
                    continue
                people.end(conn, person.id)  # left by a demonstration that was killed
            people.enter(conn, person, password, created_by=creator)
            entered.append(person.id)
    try:
        yield password
    finally:
        with psycopg.connect(database_url, autocommit=True, connect_timeout=_CONNECT_S) as conn:
            for person_id in entered:
                people.end(conn, person_id)


def introduced(tokens: Mapping[str, str], password: str) -> list[str]:
    """Lines for a terminal: who may sign in at /sign-in, and the token of each role."""
    lines = [f"sign in as {', '.join(person.id for person in PEOPLE)} with the password {password}", ""]
    return lines + [f"{role:>10}  {token}" for role, token in tokens.items()]
