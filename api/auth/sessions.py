"""Sessions of people who have signed in: begun with a secret cookie, ended by them, by idleness or by time."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Any, Final

import psycopg

from api.auth.people import Person

COOKIE: Final = "pitclerk_session"
IDLE_S: Final = 20 * 60
LONGEST_S: Final = 12 * 3600
SIGN_S: Final = 30 * 86_400
"""A jackpot display has nobody who could sign in again every evening: idle or not, it stays this long."""

_SEEN_EVERY_S: Final = 30  # writing down each page view would be more than the time-out needs


@dataclass(frozen=True, slots=True)
class Session:
    """Who is signed in; proof: what the person's forms carry to show that they are this session's."""

    person: Person
    proof: str


def begin(conn: psycopg.Connection[Any], person: Person) -> str:
    """Begin a session; return the cookie's secret, which only its browser knows."""
    secret = secrets.token_urlsafe(32)
    longest = SIGN_S if person.role == "display" else LONGEST_S
    conn.execute(
        "INSERT INTO staff.sessions (cookie_sha256, person, began_at, seen_at, ends_at)"
        " SELECT %s, %s, now, now, now + make_interval(secs => %s) FROM clock_timestamp() AS now",
        (_digest(secret), person.id, longest),
    )
    return secret


def find(conn: psycopg.Connection[Any], secret: str) -> Session | None:
    """The session of a cookie, if it has not ended, and notes that it was seen."""
    digest = _digest(secret)
    row = conn.execute(
        "SELECT p.id, p.name, p.role, s.seen_at < clock_timestamp() - make_interval(secs => %s)"
        " FROM staff.sessions AS s JOIN staff.people AS p ON p.id = s.person"
        " WHERE s.cookie_sha256 = %s AND s.ended_at IS NULL AND p.ended_at IS NULL AND s.ends_at > clock_timestamp()"
        " AND (p.role = 'display' OR s.seen_at > clock_timestamp() - make_interval(secs => %s))",
        (_SEEN_EVERY_S, digest, IDLE_S),
    ).fetchone()
    if row is None:
        return None
    person_id, name, role, long_unseen = row
    if long_unseen:
        conn.execute("UPDATE staff.sessions SET seen_at = clock_timestamp() WHERE cookie_sha256 = %s", (digest,))
    return Session(Person(person_id, name, role), _proof(secret))


def end(conn: psycopg.Connection[Any], secret: str) -> None:
    """End a session, whoever still has its cookie."""
    conn.execute(
        "UPDATE staff.sessions SET ended_at = clock_timestamp() WHERE cookie_sha256 = %s AND ended_at IS NULL",
        (_digest(secret),),
    )


def is_proof(session: Session, given: str) -> bool:
    """Whether a form carries the session's own proof: a page of another site cannot know it."""
    return hmac.compare_digest(session.proof.encode(), given.encode())


def _proof(secret: str) -> str:
    return hmac.new(secret.encode(), b"pitclerk form", hashlib.sha256).hexdigest()


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
