"""The people of the demonstration: one for each role, and a second where an act takes two.

They share a password made for this run alone; their access ends with it.
"""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import psycopg

from api.auth import people
from api.auth.people import Listed, Person

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
_LOCK: Final = 7_046_029_254_386_353_160


@contextmanager
def demo_people(database_url: str, creator: str) -> Iterator[str | None]:
    """Let them in; yields their password. None: another demonstration of this house has let them in already.

    Somebody of the house who has one of these ids keeps it.
    """
    password = secrets.token_urlsafe(9)
    with psycopg.connect(database_url, autocommit=True, connect_timeout=_CONNECT_S) as conn:
        # Held while the demonstration runs: whoever holds it may end what a killed one has left.
        if not _is_true(conn.execute("SELECT pg_try_advisory_lock(%s)", (_LOCK,))):
            yield None
            return
        known = {listed.id: listed for listed in people.list_all(conn)}
        entered = [person for person in PEOPLE if _may_enter(known.get(person.id), person)]
        for person in entered:
            people.end(conn, person.id)
            people.enter(conn, person, password, created_by=creator)
        try:
            yield password
        finally:
            _end_all(database_url, entered)


def _end_all(database_url: str, entered: list[Person]) -> None:
    # By a connection of its own: the one that holds the lock may have been cut meanwhile.
    with psycopg.connect(database_url, autocommit=True, connect_timeout=_CONNECT_S) as conn:
        for person in entered:
            people.end(conn, person.id)


def _may_enter(before: Listed | None, person: Person) -> bool:
    return before is None or before.ended_at is not None or before.name == person.name


def _is_true(cursor: psycopg.Cursor[tuple[bool]]) -> bool:
    row = cursor.fetchone()
    return row is not None and row[0]


def introduced(tokens: Mapping[str, str], password: str | None) -> list[str]:
    """Lines for a terminal: who may sign in at /sign-in, and the token of each role."""
    known = "that the other demonstration has printed" if password is None else password
    lines = [f"sign in as {', '.join(person.id for person in PEOPLE)} with the password {known}", ""]
    return lines + [f"{role:>10}  {token}" for role, token in tokens.items()]
