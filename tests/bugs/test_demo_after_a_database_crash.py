"""The demo deals on when the database died while nothing was being saved: then it is the driver that says so."""

import threading
from typing import Any

import psycopg

from api.demo import show


class Interrupted(show.Dealing):
    """A floor whose first evening ends with the connection, and whose second ends the night."""

    def __init__(self) -> None:
        self._show: Any = show.Show(rounds_per_second=1, rounds=None, seed=1, tables=None, rulesets=None)
        self._over = threading.Event()
        self._done = 0
        self.evenings = 0

    def _evening(self) -> None:
        self.evenings += 1
        if self.evenings == 1:
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        self._over.set()


def test_dealing_begins_again() -> None:
    dealing = Interrupted()
    dealing._deal()
    assert dealing.evenings == 2
