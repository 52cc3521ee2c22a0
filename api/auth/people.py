"""People who sign in: who they are, their one role, and whether a password is theirs.

A person's id is the actor of everything they do, whether signed in or by a token of that name. Passwords are kept as
Argon2id hashes (RFC 9106, the library's defaults); who guesses is made to wait.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final

import argon2
import psycopg

from api.auth.roles import ROLES

ID_FORM: Final = r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,39}"
MOST_LISTED: Final = 10_000
SHORTEST: Final = 8  # characters (NIST SP 800-63B: eight or more, no rules of composition)
LONGEST: Final = 200

FAILURES: Final = 5  # wrong passwords in a row before the wait begins
WAIT_S: Final = 60  # after each further one

_ID: Final = re.compile(ID_FORM)
_NAME: Final = re.compile(r"[^\x00-\x1f\x7f]{1,60}")
_hasher: Final = argon2.PasswordHasher()


class PersonRefused(ValueError):  # noqa: N818  (an answer to the caller, not a fault)
    """A person cannot be entered as asked; the message says what would be right."""


class MustWait(Exception):  # noqa: N818  (an answer to the caller, not a fault)
    """Too many wrong passwords in a row: none is looked at for a while, not even the right one."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may sign in."""

    id: str
    name: str
    role: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A person as listed: never the hash."""

    id: str
    name: str
    role: str
    created_at: datetime
    created_by: str
    ended_at: datetime | None


def enter(conn: psycopg.Connection[Any], person: Person, password: str, *, created_by: str) -> None:
    """Enter a person, or let one in again whose access has ended. Raises PersonRefused."""
    if not _ID.fullmatch(person.id):
        raise PersonRefused(f"an id is letters, digits, `_`, `-` and `.`, at most 40: not {person.id!r}")
    if person.role not in ROLES:
        raise PersonRefused(f"unknown role {person.role!r}: one of {', '.join(ROLES)}")
    if not _NAME.fullmatch(person.name):
        raise PersonRefused("a name is 1 to 60 characters without control characters")
    hashed = _hashed(password)
    with conn.transaction():
        done = conn.execute(
            "INSERT INTO staff.people (id, name, role, password_hash, created_by) VALUES (%s, %s, %s, %s, %s)"
            " ON CONFLICT (id) DO UPDATE SET name = excluded.name, role = excluded.role,"
            " password_hash = excluded.password_hash, created_at = clock_timestamp(),"
            " created_by = excluded.created_by, ended_at = NULL, failures = 0, failed_at = NULL"
            " WHERE staff.people.ended_at IS NOT NULL",
            (person.id, person.name, person.role, hashed, created_by),
        )
    if done.rowcount == 0:
        raise PersonRefused(f"{person.id!r} has access already; end it first, or set a new password")


def set_password(conn: psycopg.Connection[Any], person_id: str, password: str) -> bool:
    """Set a new password and end the person's sessions; False if nobody of this id has access. Raises PersonRefused."""
    hashed = _hashed(password)
    with conn.transaction():
        done = conn.execute(
            "UPDATE staff.people SET password_hash = %s, failures = 0, failed_at = NULL"
            " WHERE id = %s AND ended_at IS NULL",
            (hashed, person_id),
        )
        _end_sessions(conn, person_id)
    return done.rowcount == 1


def end(conn: psycopg.Connection[Any], person_id: str) -> bool:
    """End a person's access and sessions; False if nobody of this id has access."""
    with conn.transaction():
        done = conn.execute(
            "UPDATE staff.people SET ended_at = clock_timestamp() WHERE id = %s AND ended_at IS NULL", (person_id,)
        )
        _end_sessions(conn, person_id)
    return done.rowcount == 1


def list_all(conn: psycopg.Connection[Any]) -> list[Listed]:
    """Everybody ever entered, by id."""
    rows = conn.execute(
        "SELECT id, name, role, created_at, created_by, ended_at FROM staff.people ORDER BY id LIMIT %s", (MOST_LISTED,)
    ).fetchall()
    return [Listed(*row) for row in rows]


def recognise(conn: psycopg.Connection[Any], person_id: str, password: str) -> Person | None:
    """Who it is if the password is theirs, else None; takes as long for a stranger. Raises MustWait.

    The count of failures is raised before the password is looked at, so that guesses at once are counted each.
    """
    row = conn.execute(
        "UPDATE staff.people SET failures = failures + 1, failed_at = clock_timestamp()"
        " WHERE id = %s AND ended_at IS NULL"
        " AND (failures < %s OR failed_at < clock_timestamp() - make_interval(secs => %s))"
        " RETURNING id, name, role, password_hash",
        (person_id, FAILURES, WAIT_S),
    ).fetchone()
    if row is None:
        if _has_access(conn, person_id):
            raise MustWait
        _matches(_nobodys_hash(), password)
        return None
    found, name, role, hashed = row
    if not _matches(hashed, password):
        return None
    renewed = _hasher.hash(password) if _hasher.check_needs_rehash(hashed) else hashed
    conn.execute(
        "UPDATE staff.people SET failures = 0, failed_at = NULL, password_hash = %s WHERE id = %s", (renewed, found)
    )
    return Person(found, name, role)


def _hashed(password: str) -> str:
    if not SHORTEST <= len(password) <= LONGEST:
        raise PersonRefused(f"a password has {SHORTEST} to {LONGEST} characters")
    return _hasher.hash(password)


def _matches(hashed: str, password: str) -> bool:
    try:
        return _hasher.verify(hashed, password[: LONGEST + 1])
    except argon2.exceptions.VerificationError:
        return False


@cache
def _nobodys_hash() -> str:
    return _hasher.hash("the password of nobody")


def _has_access(conn: psycopg.Connection[Any], person_id: str) -> bool:
    return (
        conn.execute("SELECT 1 FROM staff.people WHERE id = %s AND ended_at IS NULL", (person_id,)).fetchone()
        is not None
    )


def _end_sessions(conn: psycopg.Connection[Any], person_id: str) -> None:
    conn.execute(
        "UPDATE staff.sessions SET ended_at = clock_timestamp() WHERE person = %s AND ended_at IS NULL", (person_id,)
    )
