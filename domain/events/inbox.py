"""The exceptions inbox on stream `inbox/<gaming day>`: who has looked at what, and what they found."""

from domain.events.base import Event


class ExceptionAcknowledged(Event, frozen=True, kw_only=True):
    """Looked into by somebody who did not cause it. An exception may be acknowledged again: the notes are its trail.

    stream, version: the event that the exception is about.
    """

    TOPIC = "inbox.acknowledged"
    exception: str
    note: str
    stream: str
    version: int
