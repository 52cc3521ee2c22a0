"""Idempotency-Key: one header, 1 to 200 visible ASCII characters, with every POST that records."""

import hashlib
import re
from typing import Final

from starlette.requests import Request

from api.problems import ProblemError

HEADER: Final = "Idempotency-Key"
REPLAY_HEADER: Final = "Idempotent-Replay"
PATTERN: Final = r"[\x21-\x7e]{1,200}"

_FORM: Final = re.compile(PATTERN)


def idempotency_key(request: Request) -> str:
    """The request's key. Refuses `idempotency_key_required` and `bad_idempotency_key`."""
    given = request.headers.getlist(HEADER)
    if not given or given == [""]:
        raise ProblemError(
            "idempotency_key_required",
            f"send {HEADER} with a value of your own making; repeat it only to repeat this very request",
        )
    if len(given) > 1:
        raise ProblemError("bad_idempotency_key", f"{HEADER} is there {len(given)} times; send one")
    if not _FORM.fullmatch(given[0]):
        raise ProblemError("bad_idempotency_key", f"{HEADER} is not 1 to 200 visible ASCII characters without spaces")
    return given[0]


def request_digest(method: str, path: str, body: bytes) -> bytes:
    """What the key was used for: SHA-256 over method, path and body; no boundary between the three can be shifted."""
    digest = hashlib.sha256()
    for part in (method.encode(), path.encode(), body):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.digest()
