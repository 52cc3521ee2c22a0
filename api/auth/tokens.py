"""Access tokens: made, revoked, listed, and recognised.

A token is 256 random bits, shown once; the database keeps its SHA-256. A slow password hash would add nothing: there
is no dictionary to try against 256 random bits. A token is found by its digest, which the sender cannot steer towards a
stored one, and then compared in constant time.

A token belongs to a person by its `name`: two tokens of one name are one person when a second person is asked for.
Its `id` is the identity under which idempotency keys are kept.
"""

import hashlib
import hmac
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import psycopg
from psycopg_pool import ConnectionPool

from api.auth.roles import ROLES

PREFIX: Final = "pck_"  # names the kind of secret, for whoever finds one in the wrong place
MOST_LISTED: Final = 10_000

_NAME: Final = re.compile(r"[^\x00-\x1f\x7f]{1,60}")


class TokenRefused(ValueError):  # noqa: N818  (an answer to the caller, not a fault)
    """A token cannot be made as asked; the message says what would be right."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is behind a valid token: identity is the token's id, actor the person."""

    identity: str
    actor: str
    role: str


@dataclass(frozen=True, slots=True)
class Token:
    """A token as listed: never the secret."""

    id: str
    name: str
    role: str
    created_at: datetime
    created_by: str
    revoked_at: datetime | None


def create(conn: psycopg.Connection[Any], *, role: str, name: str, created_by: str) -> tuple[str, str]:
    """Make a token; return its id and the token itself, which is never shown again."""
    if role not in ROLES:
        raise TokenRefused(f"unknown role {role!r}: one of {', '.join(ROLES)}")
    name = name.strip()
    if not _NAME.fullmatch(name):
        raise TokenRefused("a name is 1 to 60 characters without control characters")
    token_id = "tok_" + secrets.token_hex(8)
    token = PREFIX + secrets.token_urlsafe(32)
    with conn.transaction():
        conn.execute(
            "INSERT INTO staff.access_tokens (id, name, role, token_sha256, created_by) VALUES (%s, %s, %s, %s, %s)",
            (token_id, name, role, digest_of(token), created_by),
        )
    return token_id, token


def revoke(conn: psycopg.Connection[Any], token_id: str) -> bool:
    """Revoke a token; False if there is none of this id or it was revoked before. Good within `CACHE_S` seconds."""
    with conn.transaction():
        cursor = conn.execute(
            "UPDATE staff.access_tokens SET revoked_at = clock_timestamp() WHERE id = %s AND revoked_at IS NULL",
            (token_id,),
        )
    return cursor.rowcount == 1


def list_all(conn: psycopg.Connection[Any]) -> list[Token]:
    """Every token ever made, the newest first."""
    rows = conn.execute(
        "SELECT id, name, role, created_at, created_by, revoked_at FROM staff.access_tokens"
        " ORDER BY created_at DESC, id LIMIT %s",
        (MOST_LISTED,),
    ).fetchall()
    return [Token(*row) for row in rows]


def digest_of(token: str) -> bytes:
    """What the database keeps of a token."""
    return hashlib.sha256(token.encode()).digest()


CACHE_S: Final = 3.0  # a revoked token works no longer than this
CACHE_MOST: Final = 4096  # remembered digests, known and unknown ones


class TokenBook:
    """Recognises tokens; remembers what it found for `CACHE_S` seconds."""

    def __init__(self, pool: ConnectionPool[Any], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._pool = pool
        self._clock = clock
        self._lock = threading.Lock()
        self._seen: OrderedDict[bytes, tuple[float, Caller | None]] = OrderedDict()

    def remembered(self, token: str) -> tuple[bool, Caller | None]:
        """Whether the token was looked up lately, and what was found; never waits for the database."""
        now = self._clock()
        with self._lock:
            until, caller = self._seen.get(digest_of(token), (0.0, None))
        return now < until, caller

    def look_up(self, token: str) -> Caller | None:
        """Ask the database; None for an unknown or a revoked token. Raises psycopg's errors and PoolTimeout."""
        digest = digest_of(token)
        with self._pool.connection() as conn:
            row = conn.execute(
                "SELECT id, name, role, token_sha256 FROM staff.access_tokens"
                " WHERE token_sha256 = %s AND revoked_at IS NULL",
                (digest,),
            ).fetchone()
        caller = None
        if row is not None and hmac.compare_digest(bytes(row[3]), digest):
            caller = Caller(identity=row[0], actor=row[1], role=row[2])
        self._keep(digest, caller)
        return caller

    def _keep(self, digest: bytes, caller: Caller | None) -> None:
        with self._lock:
            self._seen[digest] = (self._clock() + CACHE_S, caller)
            self._seen.move_to_end(digest)
            while len(self._seen) > CACHE_MOST:
                self._seen.popitem(last=False)
