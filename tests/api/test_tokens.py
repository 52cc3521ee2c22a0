"""Access tokens: shown once, kept as a digest, known for seconds only, gone when revoked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from api.auth import tokens
from api.auth.tokens import CACHE_MOST, CACHE_S, TokenBook
from api.wiring import reading_pool

if TYPE_CHECKING:
    from tests.databases import Database


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_token_is_recognised_and_nowhere_kept(pg: Database) -> None:
    with psycopg.connect(pg.url) as conn:
        token_id, token = tokens.create(conn, role="cashier", name="Ann", created_by="test")
        other_id, other = tokens.create(conn, role="cashier", name="Ann", created_by="test")
        rows = conn.execute("SELECT * FROM staff.access_tokens").fetchall()
    assert token not in str(rows)
    assert len(token) > 40
    with reading_pool(pg.url) as pool:
        book = TokenBook(pool)
        first, second = book.look_up(token), book.look_up(other)
    assert first is not None
    assert second is not None
    assert (first.identity, second.identity) == (token_id, other_id)
    assert first.actor == second.actor == "Ann"


def test_a_revoked_token_is_known_for_seconds_only(pg: Database) -> None:
    clock = Clock()
    with psycopg.connect(pg.url) as conn, reading_pool(pg.url) as pool:
        token_id, token = tokens.create(conn, role="admin", name="Bob", created_by="test")
        conn.commit()
        book = TokenBook(pool, clock=clock)
        assert book.remembered(token) == (False, None)
        caller = book.look_up(token)
        assert book.remembered(token) == (True, caller)
        assert tokens.revoke(conn, token_id)
        assert not tokens.revoke(conn, token_id), "once is enough"
        conn.commit()
        clock.now += CACHE_S + 0.1
        assert book.remembered(token)[0] is False
        assert book.look_up(token) is None
    assert CACHE_S < 5


def test_what_is_remembered_is_bounded(pg: Database) -> None:
    with reading_pool(pg.url) as pool:
        book = TokenBook(pool)
        for n in range(CACHE_MOST + 50):
            book._keep(str(n).encode(), None)
        assert len(book._seen) == CACHE_MOST


def test_the_list_names_everything_but_the_secret(pg: Database) -> None:
    with psycopg.connect(pg.url) as conn:
        token_id, token = tokens.create(conn, role="display", name=" Hall 1 ", created_by="Eve")
        (listed,) = tokens.list_all(conn)
    assert (listed.id, listed.name, listed.role, listed.created_by) == (token_id, "Hall 1", "display", "Eve")
    assert listed.revoked_at is None
    assert token not in repr(listed)


@pytest.mark.parametrize(("role", "name"), [("boss", "Ann"), ("admin", ""), ("admin", "x" * 61), ("admin", "a\nb")])
def test_a_token_of_no_role_or_nobody_is_not_made(pg: Database, role: str, name: str) -> None:
    with psycopg.connect(pg.url) as conn, pytest.raises(tokens.TokenRefused):
        tokens.create(conn, role=role, name=name, created_by="test")
