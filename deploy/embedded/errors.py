"""What can go wrong with the embedded server, closed."""

from __future__ import annotations


class EmbeddedServerError(Exception):
    """The embedded server cannot be used; the message says why and where."""


class BinariesMissingError(EmbeddedServerError):
    """The package with PostgreSQL's binaries is not installed, or is not for this machine."""


class ServerUserError(EmbeddedServerError):
    """We run as root and there is no ordinary user the server could run as."""


class HomeError(EmbeddedServerError):
    """The data directory is not usable: not ours, not writable, or its secrets are lost."""


class BusyError(EmbeddedServerError):
    """Another process has been starting or stopping the server of this home for too long."""


class StartError(EmbeddedServerError):
    """The server did not become ready in time; its log says more."""
