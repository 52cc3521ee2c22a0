"""From an address to the library's settings: sockets, several hosts, time-outs, TLS."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import msgspec
import psycopg
import pytest

from domain.recorder import CasinoRecorder, StoreRefused
from domain.store.connection import conninfo, environment, parameters
from domain.store.factory import PARAMETERS
from tests.databases import Database
from tests.store.rows import events


def test_an_address_becomes_settings() -> None:
    settings = environment("postgresql://ann:p%40ss@db.example:6432/casino?sslmode=verify-full", lock_timeout_s=3)
    assert settings["POSTGRES_HOST"] == "db.example"
    assert settings["POSTGRES_PORT"] == "6432"
    assert settings["POSTGRES_DBNAME"] == "casino"
    assert settings["POSTGRES_USER"] == "ann"
    assert settings["POSTGRES_PASSWORD"] == "p@ss"
    assert settings["POSTGRES_LOCK_TIMEOUT"] == "3"
    assert settings["CREATE_TABLE"] == "no"
    rest = msgspec.json.decode(settings[PARAMETERS])
    assert rest["sslmode"] == "verify-full"
    assert rest["application_name"] == "pitclerk"
    assert "statement_timeout" in rest["options"]


def test_a_socket_directory_is_a_host() -> None:
    settings = environment("postgresql://ann@/casino?host=%2Frun%2Fpg&port=5433")
    assert (settings["POSTGRES_HOST"], settings["POSTGRES_PORT"]) == ("/run/pg", "5433")


def test_of_several_hosts_the_writable_one_is_wanted() -> None:
    given = parameters("postgresql://ann@one:5432,two:5433/casino")
    assert (given["host"], given["port"]) == ("one,two", "5432,5433")
    assert given["target_session_attrs"] == "read-write"
    assert parameters("postgresql://ann@one,two/casino?target_session_attrs=any")["target_session_attrs"] == "any"


def test_what_the_address_says_prevails() -> None:
    given = parameters("postgresql://ann@one/casino?connect_timeout=2&options=-c%20statement_timeout%3D1000")
    assert given["connect_timeout"] == "2"
    assert given["options"].endswith("-c statement_timeout=1000"), "the server takes the last"


def test_nonsense_is_refused() -> None:
    with pytest.raises(StoreRefused):
        environment("postgresql://ann@one/casino?no_such_parameter=1")


def test_the_time_outs_are_in_force(pg: Database) -> None:
    with psycopg.connect(conninfo(pg.url)) as conn:
        for name, value in (("statement_timeout", "15s"), ("idle_in_transaction_session_timeout", "5s")):
            assert conn.execute("SELECT current_setting(%s)", (name,)).fetchone() == (value,)
    with pg.recorder() as recorder, recorder.datastore.get_connection() as conn:
        row = conn.execute(
            "SELECT current_setting('statement_timeout') AS a, current_setting('application_name') AS b,"
            " current_setting('timezone') AS c"
        ).fetchone()
        assert row == {"a": "15s", "b": "pitclerk", "c": "UTC"}


def test_a_dead_first_host_is_passed_over(pg: Database) -> None:
    directory = parse_qs(urlsplit(pg.url).query)["host"][0]
    url = pg.url.split("?", maxsplit=1)[0] + f"?host=/nonexistent,{directory}&port=5432,5432"
    with Database(url, pg.superuser_url).recorder() as recorder:
        assert isinstance(recorder, CasinoRecorder)
        recorder.insert_events(events())
