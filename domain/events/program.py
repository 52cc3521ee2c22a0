"""Which program wrote the log, on stream `program`: a digest of its own files, whenever they are others than before."""

from domain.events.base import Event


class ProgramStarted(Event, frozen=True, kw_only=True):
    """A service began to record with a program whose files differ from those before it (9 NYCRR 5321.18).

    digest is the SHA-256 (hex) over names and contents of all its files, files their number; previous None: the first.
    """

    TOPIC = "program.started"
    digest: str
    files: int
    version: str
    previous: str | None = None
