"""Where a command finds the log: the database it is told of, or the embedded server of its home, started or joined."""

from __future__ import annotations

import getpass
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from deploy.embedded import EmbeddedServer, end_on_signals
from domain.store.connection import conninfo

if TYPE_CHECKING:
    from api.settings import Settings


@dataclass(frozen=True)
class Place:
    """server None: the database is somebody else's, given by PITCLERK_DATABASE_URL."""

    settings: Settings
    database_url: str
    server: EmbeddedServer | None

    @property
    def conninfo(self) -> str:
        """The log's address with time-outs, for a connection of one's own."""
        return conninfo(self.database_url)

    @property
    def superuser_url(self) -> str | None:
        """Of the embedded server only: who may read the home's secrets may have it."""
        return None if self.server is None else self.server.superuser_url


def operator() -> str:
    """Who sits at this machine, as the log and the tokens name them."""
    return f"cli.{getpass.getuser()}"


@contextmanager
def joined(*, log_level: int = logging.WARNING) -> Iterator[Place]:
    """Hold the log's database for the time of a command; the last process to leave an embedded server stops it.

    From here on SIGTERM and Ctrl-C unwind the command, and end it within ten seconds.
    """
    from api import logs
    from api.settings import Settings

    settings = Settings()
    logs.configure(settings.log, level=log_level)
    end_on_signals()
    if settings.database_url is not None:
        yield Place(settings, settings.database_url, None)
        return
    with EmbeddedServer(settings.home_directory) as server:
        yield Place(settings, server.database_url, server)
