"""The gate before every door: a valid token with a role that may use it."""

from typing import Final

import anyio.to_thread
import psycopg
from psycopg_pool import PoolTimeout
from starlette.requests import Request

from api.auth.roles import Roles
from api.auth.tokens import Caller, TokenBook
from api.problems import ProblemError

_CHALLENGE: Final = {"www-authenticate": 'Bearer realm="pitclerk"'}
_MOST_TOKEN: Final = 200


async def enter(request: Request, book: TokenBook, roles: Roles) -> Caller:
    """Who is calling. Refuses `unauthenticated` and `role_required`; notes the caller for the log line."""
    caller = await _recognise(request, book)
    facts = request.scope["state"]["facts"]
    facts["actor"], facts["role"] = caller.actor, caller.role
    if caller.role not in roles:
        needed = " or ".join(sorted(roles))
        raise ProblemError("role_required", f"this needs the role {needed}; the token's role is {caller.role}")
    return caller


async def still_valid(book: TokenBook, token: str, caller: Caller) -> bool:
    """Whether a caller who was let in before still is; while the database cannot be asked, yes."""
    known, found = book.remembered(token)
    if not known:
        try:
            found = await anyio.to_thread.run_sync(book.look_up, token)
        except (psycopg.Error, PoolTimeout):
            return True
    return found == caller


def bearer(request: Request) -> str:
    """The token that the request shows. Refuses `unauthenticated`."""
    header = request.headers.get("authorization")
    if header is None:
        raise _unauthenticated("no Authorization header: send Authorization: Bearer TOKEN")
    scheme, _, token = header.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token:
        raise _unauthenticated("the Authorization header is not of the form Bearer TOKEN")
    return token


async def _recognise(request: Request, book: TokenBook) -> Caller:
    token = bearer(request)
    caller = None
    if len(token) <= _MOST_TOKEN and token.isascii():
        known, caller = book.remembered(token)
        if not known:
            caller = await anyio.to_thread.run_sync(book.look_up, token)
    if caller is None:
        raise _unauthenticated("the token is unknown or revoked")
    return caller


def _unauthenticated(detail: str) -> ProblemError:
    return ProblemError("unauthenticated", detail, headers=_CHALLENGE)
