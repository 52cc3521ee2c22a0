"""Seals over HTTP: signed checkpoints, proofs against them, and the countersignatures of witnesses.

A checkpoint is of the log's head as it is when asked for: the door waits for the tree to reach it.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Final

import structlog
from msgspec import Meta, field
from psycopg import Connection
from starlette.requests import Request
from starlette.responses import Response

from api.http import bodies
from api.http.doors import Doors, Shown, as_json
from api.http.keys import REPLAY_HEADER
from api.http.queries import Limit, Position, Query
from api.problems import ProblemError
from api.seals import issue, keys, witness
from api.seals.witness import Added, Countersign
from api.wiring import House
from domain.note import Note
from projections.reads import checkpoints, tree
from projections.reads.checkpoints import Checkpoints
from projections.reads.snapshot import snapshot
from projections.reads.tree import Consistency, Inclusion, LogDiffersError, NoSuchTreeError, UnknownPositionError
from projections.seal import Seal

log = structlog.get_logger("pitclerk.http")

_CHECKPOINT: Final = "/v1/audit/checkpoint"
_PROOF: Final = "/v1/audit/proof"
_SIGNATURES: Final = "/v1/audit/checkpoint/signatures"
MOST: Final = 2**63 - 1
TEXT: Final = "text/plain; charset=utf-8"

LOOK_S: Final = 0.25
"""How long to trust the hub, which waits for every projection, before looking at the tree itself."""

Size = Annotated[int, Meta(ge=0, le=MOST)]


class CheckpointQuery(Query, frozen=True, kw_only=True):
    size: Size | None = None


class CheckpointsQuery(Query, frozen=True, kw_only=True):
    after: Annotated[int, Meta(ge=-1, le=MOST)] = -1
    limit: Limit = 100


class ProofQuery(Query, frozen=True, kw_only=True):
    position: Position
    size: Size | None = None


class ConsistencyQuery(Query, frozen=True, kw_only=True):
    first: Size = field(name="from")
    second: Size = field(name="to")


def mount(doors: Doors) -> None:
    async def checkpoint(asked: CheckpointQuery) -> Shown:
        if asked.size is None:
            await reach(doors, asked, upto=MOST)
        given = await doors.reading(lambda conn: _checkpoint(conn, doors.house, asked.size))
        return Shown(Response(str(given), 200, headers={"cache-control": "no-store", "content-type": TEXT}))

    async def proof(asked: ProofQuery) -> Shown:
        await reach(doors, asked, upto=asked.position)
        return Shown(as_json(await doors.reading(lambda conn: _proof(conn, asked))))

    async def countersign(request: Request) -> Response:
        prepared = await doors.recording(request, _SIGNATURES)
        command = bodies.decode(prepared.body, Countersign)
        bodies.business_time(command.at)
        added = await doors.reading(lambda conn: witness.countersign(conn, prepared.asked, command))
        return _added(added, prepared.facts)

    summary = "The signed checkpoint of the log's head, or the one that was issued of a size, as a C2SP signed note"
    doors.show(_CHECKPOINT, CheckpointQuery, checkpoint, summary, media="text/plain")
    doors.show(_PROOF, ProofQuery, proof, "Proof that an event is in the tree of a size (RFC 6962)")
    summary = "Proof that a tree continues a smaller one (RFC 6962)"
    doors.read("/v1/audit/consistency", ConsistencyQuery, _consistency, summary)
    doors.read("/v1/audit/checkpoints", CheckpointsQuery, _checkpoints, "The checkpoints that were issued, by size")
    doors.mount("POST", _SIGNATURES, countersign)
    doors.book.write(_SIGNATURES, Countersign, "Add a witness's signature to a checkpoint", (201,))


async def reach(doors: Doors, asked: Query, *, upto: int) -> None:
    """Wait until the tree has the log's head as it is now, or a position before it. Refuses `not_caught_up`.

    The hub knows when every projection has moved; the tree alone may be there before the others.
    """
    now, hub = asyncio.get_running_loop().time, doors.house.hub
    deadline = now() + asked.wait_ms / 1000
    wanted, at = await doors.reading(_standing)
    wanted = min(wanted, upto)
    while at < wanted:
        left = deadline - now()
        if left <= 0 or hub.closing:
            detail = f"after {asked.wait_ms} ms the tree stands at position {at}, not at {wanted}; ask again"
            raise ProblemError("not_caught_up", detail, extra={"position": at})
        await hub.reach(wanted, min(LOOK_S, left))
        _, at = await doors.reading(_standing)


def _standing(conn: Connection[Any]) -> tuple[int, int]:
    """Where the log and the tree are."""
    with snapshot(conn) as look:
        return tree.log_head(look), look.position(Seal)


@contextmanager
def refusing() -> Iterator[None]:
    """What the tree cannot give, as refusals."""
    try:
        yield
    except UnknownPositionError as error:
        raise ProblemError("unknown_position", str(error)) from error
    except NoSuchTreeError as error:
        raise ProblemError("no_such_tree", str(error)) from error
    except LogDiffersError as error:
        raise ProblemError("log_differs", str(error)) from error
    except keys.KeyFileError as error:
        log.error("checkpoints cannot be signed", cause=str(error))
        raise ProblemError("no_signing_key", "the signing key cannot be used; the service's log says why") from error


def _checkpoint(conn: Connection[Any], house: House, size: int | None) -> Note:
    settings = house.settings
    with refusing():
        if size is None:
            key = keys.obtain(settings.signing_key_file, issue.origin(settings.site))
            return issue.issue(conn, key, settings.site).note
    with snapshot(conn) as look:
        found = checkpoints.kept(look, size)
    if found is None:
        raise ProblemError("unknown_checkpoint", f"no checkpoint of {size} leaves was issued")
    return found.note


def _proof(conn: Connection[Any], asked: ProofQuery) -> Inclusion:
    with refusing():
        return tree.inclusion(conn, asked.position, asked.size)


def _consistency(conn: Connection[Any], asked: ConsistencyQuery) -> Consistency:
    with refusing():
        return tree.consistency(conn, asked.first, asked.second)


def _checkpoints(conn: Connection[Any], asked: CheckpointsQuery) -> Checkpoints:
    return checkpoints.checkpoints(conn, after=asked.after, limit=asked.limit)


def _added(added: Added, facts: dict[str, Any]) -> Response:
    facts["position"] = added.answer.position
    answer = as_json(added.answer, 201)
    if added.replayed:
        facts["replayed"] = True
        answer.headers[REPLAY_HEADER] = "true"
    return answer
