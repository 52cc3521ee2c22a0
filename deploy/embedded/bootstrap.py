"""Bring a running server to where the program can use it: database, schema, the service's login."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from deploy.embedded import passwords
from deploy.migrate import migrate

if TYPE_CHECKING:
    from pathlib import Path

CONNECT_TIMEOUT_S = 10


def prepare(home: Path, directory: Path) -> None:
    """Create what is missing. Cheap when nothing is. To be called under the start lock."""
    maintenance = passwords.url(home, directory, passwords.SUPERUSER, "postgres")
    with psycopg.connect(maintenance, autocommit=True, connect_timeout=CONNECT_TIMEOUT_S) as conn:
        if conn.execute("SELECT 1 FROM pg_database WHERE datname = %s", (passwords.DATABASE,)).fetchone() is None:
            conn.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(passwords.DATABASE)))
        migrate(passwords.url(home, directory, passwords.SUPERUSER))
        drawn = passwords.draw(home, passwords.SERVICE)
        if drawn or not _has_password(conn, passwords.SERVICE):
            _set_password(conn, passwords.SERVICE, passwords.read(home, passwords.SERVICE))


def _has_password(conn: psycopg.Connection, role: str) -> bool:
    found = conn.execute("SELECT rolpassword IS NOT NULL FROM pg_authid WHERE rolname = %s", (role,)).fetchone()
    return found is not None and bool(found[0])


def _set_password(conn: psycopg.Connection, role: str, password: str) -> None:
    """Store the verifier only: the password itself never reaches the server or its log."""
    verifier = conn.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode()
    conn.execute(sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(role), sql.Literal(verifier)))
