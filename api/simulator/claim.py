"""Which names a run of the simulator may use: two runs of one seed at once must not sit down at the same tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from string import ascii_lowercase
from typing import Final

import psycopg

_LOCKS: Final = 0x70697463
"""The first half of the advisory locks' keys; the second is made of the name."""


@contextmanager
def claimed(database_url: str, name: str) -> Iterator[str]:
    """The name, or with a letter after it where a running process has the name already; held until the end.

    The lock is PostgreSQL's and falls with the connection, so a run that was killed leaves no claim, and the next run
    of its seed takes its tables up where they were left.
    """
    with psycopg.connect(database_url, autocommit=True, connect_timeout=10) as conn:
        for letter in ("", *ascii_lowercase):
            row = conn.execute(
                "SELECT pg_try_advisory_lock(%s, hashtext(%s))", (_LOCKS, f"simulator {name}{letter}")
            ).fetchone()
            assert row is not None, "a function returns a row"
            if row[0]:
                yield name + letter
                return
    raise RuntimeError(f"{len(ascii_lowercase) + 1} simulations of seed {name} are running already")
