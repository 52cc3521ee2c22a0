"""A token for each role, for as long as the demonstration runs."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from api.auth import tokens
from api.auth.roles import ROLES

_CONNECT_S = 10


@contextmanager
def role_tokens(database_url: str, creator: str) -> Iterator[dict[str, str]]:
    """Make them; revoke them at the end, since a demonstration's tokens lie about in terminals and files."""
    with psycopg.connect(database_url, autocommit=True, connect_timeout=_CONNECT_S) as conn:
        made = {role: tokens.create(conn, role=role, name=f"demo.{role}", created_by=creator) for role in ROLES}
    try:
        yield {role: token for role, (_, token) in made.items()}
    finally:
        with psycopg.connect(database_url, autocommit=True, connect_timeout=_CONNECT_S) as conn:
            for token_id, _ in made.values():
                tokens.revoke(conn, token_id)
