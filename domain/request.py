"""Who asks, and what the house answers: the two ends of every command."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

IMPORTED: Final = "(import)"
"""Among the kept answers, the identity of a log that was brought in: up to that position there are no others."""


@dataclass(frozen=True, slots=True)
class Request:
    """One command's who, when and key.

    identity is the credential's id (with `key` the scope of idempotency), actor the person it belongs to: two
    credentials of one person are one actor. digest covers method, path and body. key None: not idempotent, for
    programs that write in bulk and check the log afterwards.
    """

    identity: str
    actor: str
    role: str
    key: str | None = None
    digest: bytes = b""
    device: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What an act answers, `position` still missing: it is known when the save has been made."""

    body: Mapping[str, Any]
    status: int = 201


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer as sent: JSON bytes, the position of the save's last event, and whether it was given before."""

    status: int
    body: bytes
    position: int
    replayed: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
