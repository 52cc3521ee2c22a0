"""What the domain and the store raise, as problems: one answer for every refusal, whoever asked."""

from collections.abc import Callable
from typing import Any, Final

import psycopg
from psycopg_pool import PoolTimeout
from starlette.exceptions import HTTPException

from api.problems import ProblemError
from domain.application import Busy, IdempotencyKeyReused
from domain.recorder import LockTimeout, StoreUnavailable
from domain.refusals import Refusal

RETRY: Final = {"retry-after": "1"}
_HTTP_CODES: Final = {404: "not_found", 405: "method_not_allowed"}


def _of_refusal(error: Refusal) -> ProblemError:
    extra = {} if error.box is None else {"box": error.box}
    return ProblemError(error.code, error.detail, extra=extra)


def _of_http(error: HTTPException) -> ProblemError:
    code = _HTTP_CODES.get(error.status_code, "bad_http")
    detail = "no door has this path; /openapi.json lists them all" if code == "not_found" else "see the header Allow"
    return ProblemError(code, detail, headers=error.headers)


def _of_store(_: Exception) -> ProblemError:
    return ProblemError("store_unavailable", "the database cannot be reached; nothing was recorded", headers=RETRY)


TRANSLATIONS: Final[dict[type[Exception], Callable[[Any], ProblemError]]] = {
    ProblemError: lambda error: error,
    Refusal: _of_refusal,
    IdempotencyKeyReused: lambda error: ProblemError("idempotency_key_reused", str(error)),
    Busy: lambda error: ProblemError("busy", str(error), headers=RETRY),
    LockTimeout: lambda _: ProblemError("busy", "others are recording; nothing was recorded", headers=RETRY),
    StoreUnavailable: _of_store,
    PoolTimeout: _of_store,
    psycopg.OperationalError: _of_store,
    HTTPException: _of_http,
}
"""Kind of exception -> the problem it is."""

FORESEEN: Final = tuple(TRANSLATIONS)


def problem_of(error: Exception) -> ProblemError:
    """The problem that a foreseen exception is, by its nearest kind."""
    kind = next(kind for kind in type(error).__mro__ if kind in TRANSLATIONS)
    return TRANSLATIONS[kind](error)
