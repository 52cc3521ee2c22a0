"""Bring a database to the schema of this program: the numbered SQL files, once each, in order.

Many processes may start at once: one applies, the others wait for it and then find nothing to do.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import structlog
from psycopg import sql

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import LiteralString

log = structlog.get_logger(__name__)

HERE = Path(__file__).parent
LOCK = 7_046_029_254_386_353_131  # names the advisory lock of migrations; any constant that nobody else uses
LOCK_TIMEOUT_S = 120
CONNECT_TIMEOUT_S = 10
ROLES_NUMBER = 0  # roles.sql in the same table; unlike the numbered files it may change, and is then applied again

_FILE_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")


class MigrationError(Exception):
    """The database could not be brought to this program's schema."""


class MigrationChangedError(MigrationError):
    """A file that this database has already applied reads differently now."""


class DatabaseIsNewerError(MigrationError):
    """The database has applied migrations which this program does not know."""


class MigrationTimeoutError(MigrationError):
    """Another process has held the migration lock for too long."""


@dataclass(frozen=True, slots=True)
class Script:
    """One SQL file: its number, its file name, its text."""

    number: int
    name: str
    text: str

    @property
    def digest(self) -> bytes:
        """SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).digest()


def shipped(directory: Path = HERE / "migrations") -> list[Script]:
    """Return the numbered migrations of a directory in order; MigrationError if a name or number is wrong."""
    scripts: dict[int, Script] = {}
    for path in sorted(directory.glob("*.sql")):
        match = _FILE_NAME.fullmatch(path.name)
        if match is None:
            raise MigrationError(f"not a migration's name: {path.name}")
        script = Script(int(match[1]), path.name, path.read_text("utf-8"))
        if script.number in scripts or script.number == ROLES_NUMBER:
            raise MigrationError(f"number used twice: {path.name}")
        scripts[script.number] = script
    return [scripts[number] for number in sorted(scripts)]


def migrate(conninfo: str, *, directory: Path = HERE / "migrations") -> list[str]:
    """Apply what is missing and return the names of the files applied, in order.

    `conninfo` is of a superuser, or of a role that may create roles and owns the database. Raises
    MigrationChangedError, DatabaseIsNewerError, MigrationTimeoutError (after 120 s behind another process),
    MigrationError for a file that fails (that file is rolled back, those before it stay), psycopg.OperationalError if
    there is no server.
    """
    wanted = shipped(directory)
    roles = Script(ROLES_NUMBER, "roles.sql", (HERE / "roles.sql").read_text("utf-8"))
    with psycopg.connect(conninfo, autocommit=True, connect_timeout=CONNECT_TIMEOUT_S) as conn:
        if not _pending(conn, roles, wanted):
            return []
        _lock(conn)  # released with the connection
        conn.execute(_MIGRATIONS_TABLE)
        applied = []
        for script in _pending(conn, roles, wanted):
            _apply(conn, script)
            applied.append(script.name)
    return applied


_MIGRATIONS_TABLE: LiteralString = """
CREATE TABLE IF NOT EXISTS public.schema_migrations (
    number     integer PRIMARY KEY,
    name       text NOT NULL,
    digest     bytea NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
)"""


def _pending(conn: psycopg.Connection, roles: Script, wanted: Sequence[Script]) -> list[Script]:
    """Compare the files with what the database has applied."""
    applied = _applied(conn)
    known = {script.number for script in wanted} | {ROLES_NUMBER}
    if unknown := sorted(set(applied) - known):
        raise DatabaseIsNewerError(f"the database has migrations this program does not know: {unknown}")
    for script in wanted:
        if applied.get(script.number, script.digest) != script.digest:
            raise MigrationChangedError(f"{script.name} was applied to this database and has been changed since")
    pending = [script for script in wanted if script.number not in applied]
    return [roles, *pending] if applied.get(ROLES_NUMBER) != roles.digest else pending


def _applied(conn: psycopg.Connection) -> dict[int, bytes]:
    row = conn.execute("SELECT to_regclass('public.schema_migrations') IS NOT NULL").fetchone()
    assert row is not None
    if not row[0]:
        return {}
    return dict(conn.execute("SELECT number, digest FROM public.schema_migrations").fetchall())


def _lock(conn: psycopg.Connection) -> None:
    conn.execute(sql.SQL("SET lock_timeout = {}").format(LOCK_TIMEOUT_S * 1000))
    try:
        conn.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
    except psycopg.errors.LockNotAvailable as error:
        raise MigrationTimeoutError(f"another process has been migrating for {LOCK_TIMEOUT_S} s") from error


def _apply(conn: psycopg.Connection, script: Script) -> None:
    """Run one file and record it, in one transaction."""
    try:
        with conn.transaction():
            if script.number != ROLES_NUMBER:
                conn.execute("SET LOCAL ROLE pitclerk_owner")
            conn.execute(script.text.encode())
            conn.execute(_RECORD, (script.number, script.name, script.digest))
    except psycopg.DatabaseError as error:
        raise MigrationError(f"{script.name}: {error}") from error
    log.info("migration applied", file=script.name)


_RECORD: LiteralString = """
INSERT INTO public.schema_migrations (number, name, digest) VALUES (%s, %s, %s)
ON CONFLICT (number) DO UPDATE SET digest = excluded.digest, applied_at = clock_timestamp()"""
