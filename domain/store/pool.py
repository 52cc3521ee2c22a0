"""The library's connection pool, made to recover at once when the server has been away.

A restart breaks all pooled connections together. The pool would find out one checkout at a time, pausing 0, 1, 2, 4 s
in between, and would go on with reconnection attempts that have backed off to minutes. Here the first broken connection
has all others looked at, and attempts are given up soon: the next request then makes a new one immediately.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg
from eventsourcing.postgres import ConnectionPool
from psycopg import Connection
from psycopg.rows import DictRow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eventsourcing.postgres import PostgresDatastore

RECONNECT_S = 2.0


def replace_pool(datastore: PostgresDatastore, parameters: Mapping[str, str]) -> None:
    """Give a datastore whose pool has not been opened yet one like it, with further libpq `parameters`."""
    old = datastore.pool
    assert old.closed, "the library opens its pool when it first needs a connection"
    assert isinstance(old.kwargs, dict), "the library passes its parameters as a dict"

    def check(conn: Connection[Any]) -> None:
        try:
            ConnectionPool.check_connection(conn)
        except psycopg.OperationalError:
            new.check()
            raise

    new: ConnectionPool[Connection[DictRow]] = ConnectionPool(
        get_password_func=old.get_password_func,
        connection_class=Connection[DictRow],
        kwargs={**old.kwargs, **parameters},
        min_size=old.min_size,
        max_size=old.max_size,
        open=False,
        configure=datastore.after_connect_func(),
        check=check if datastore.pre_ping else None,
        timeout=old.timeout,
        max_waiting=old.max_waiting,
        max_lifetime=old.max_lifetime,
        reconnect_timeout=RECONNECT_S,
    )
    datastore.pool = new
