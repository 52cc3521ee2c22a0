"""Connections of the projections: autocommit, bounded in every wait, gone soon when the peer is gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg

Connect = Callable[[], psycopg.Connection[Any]]

CONNECT_TIMEOUT_S = 2
LOCK_TIMEOUT_MS = 5_000
STATEMENT_TIMEOUT_MS = 60_000
IDLE_IN_TRANSACTION_MS = 30_000


def connector(conninfo: str) -> Connect:
    """How to open a connection for folding.

    Commits do not wait for the disk: views and their positions are one transaction, so what a crash of the server
    undoes is undone together and folded again; the log itself is always durable. Plans are made for any parameters: of
    a young log the statistics are not known yet, and a plan made for a position then sorts all that lies after it.
    """

    def connect() -> psycopg.Connection[Any]:
        conn: psycopg.Connection[Any] = psycopg.connect(
            conninfo,
            autocommit=True,
            connect_timeout=CONNECT_TIMEOUT_S,
            application_name="pitclerk projections",
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=3,
            options=(
                f"-c synchronous_commit=off -c plan_cache_mode=force_generic_plan -c lock_timeout={LOCK_TIMEOUT_MS}"
                f" -c statement_timeout={STATEMENT_TIMEOUT_MS}"
                f" -c idle_in_transaction_session_timeout={IDLE_IN_TRANSACTION_MS} -c timezone=UTC"
            ),
        )
        return conn

    return connect
