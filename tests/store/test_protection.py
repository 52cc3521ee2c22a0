"""The log can only be added to: by the service because of its rights, by everyone because of the triggers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from tests.store.rows import answering, events, log

if TYPE_CHECKING:
    from tests.databases import Database

TABLES = ("pitclerk_events", "pitclerk_chain", "pitclerk_answers", "pitclerk_checkpoints", "pitclerk_signatures")
CHANGES = [
    "UPDATE {} SET {} = {}",
    "DELETE FROM {}",
    "TRUNCATE {}",
    "UPDATE {} SET {} = {} WHERE false",
]
COLUMN = {
    "pitclerk_events": "state",
    "pitclerk_chain": "leaf",
    "pitclerk_answers": "answer",
    "pitclerk_checkpoints": "root",
    "pitclerk_signatures": "signature",
}


@pytest.fixture(autouse=True)
def some_rows(pg: Database) -> None:
    with pg.recorder() as recorder:
        recorder.save(events(), answering("ann", "k1"))


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("change", CHANGES)
def test_the_service_may_not_change_it(pg: Database, table: str, change: str) -> None:
    with psycopg.connect(pg.url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute(change.format(table, COLUMN[table], COLUMN[table]).encode())


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("role", ["origin", "replica"])
def test_a_superuser_is_refused_by_the_triggers(pg: Database, table: str, change: str, role: str) -> None:
    with psycopg.connect(pg.superuser_url) as conn:
        conn.execute(f"SET session_replication_role = {role}".encode())
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="only ever added to"):
            conn.execute(change.format(table, COLUMN[table], COLUMN[table]).encode())
    assert len(log(pg.url)) == 3


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE pitclerk_events DISABLE TRIGGER ALL",
        "DROP TABLE pitclerk_events",
        "LOCK TABLE pitclerk_events IN EXCLUSIVE MODE",
        "SET session_replication_role = replica",
        "SET ROLE pitclerk_owner",
        "CREATE TABLE public.mine (a int)",
        "CREATE TABLE views.mine (a int)",
        "DELETE FROM staff.access_tokens",
        "DELETE FROM staff.people",
        "DELETE FROM staff.sessions",
        "INSERT INTO schema_migrations (number, name, digest) VALUES (99, 'x', '')",
        "SELECT nextval(pg_get_serial_sequence('pitclerk_events', 'notification_id'))",
        "SELECT setval(pg_get_serial_sequence('pitclerk_events', 'notification_id'), 1)",
    ],
)
def test_the_service_may_do_nothing_else(pg: Database, statement: str) -> None:
    with psycopg.connect(pg.url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute(statement.encode())


def test_the_rights_are_exactly_these(pg: Database) -> None:
    with psycopg.connect(pg.superuser_url) as conn:
        rows = conn.execute(
            "SELECT grantee::text, table_schema::text, table_name::text, privilege_type::text"
            " FROM information_schema.table_privileges"
            " WHERE grantee IN ('pitclerk_service', 'pitclerk_reader') AND table_schema IN ('public', 'staff')"
        ).fetchall()
        views = conn.execute(
            "SELECT DISTINCT grantee::text, array_agg(privilege_type::text ORDER BY privilege_type::text)"
            " FROM information_schema.table_privileges WHERE table_schema = 'views' AND grantee <> 'pitclerk_owner'"
            " GROUP BY grantee, table_name"
        ).fetchall()
        owners = conn.execute(
            "SELECT DISTINCT pg_get_userbyid(relowner) FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace"
            " WHERE nspname IN ('public', 'staff', 'views') AND relkind IN ('r', 'S')"
        ).fetchall()
    tables = [*TABLES, "schema_migrations"]
    wanted = {("pitclerk_service", "public", table, right) for table in TABLES for right in ("SELECT", "INSERT")}
    for table in ("access_tokens", "people", "sessions"):
        wanted |= {("pitclerk_service", "staff", table, right) for right in ("SELECT", "INSERT", "UPDATE")}
    wanted |= {("pitclerk_service", "public", "schema_migrations", "SELECT")}
    wanted |= {("pitclerk_reader", "public", table, "SELECT") for table in tables}
    assert set(rows) == wanted
    assert {grantee: set(rights) for grantee, rights in views} == {
        "pitclerk_service": {"SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE"},
        "pitclerk_reader": {"SELECT"},
    }
    assert owners == [("pitclerk_owner",)]
