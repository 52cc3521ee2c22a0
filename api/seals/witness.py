"""Countersignatures: others who have seen a checkpoint put their names to it, so that no second story can be told.

A signature is checked against the key it comes with before it is kept. Whether that key is one to trust is for whoever
reads the checkpoint: the house does not choose its own witnesses.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, LiteralString, NamedTuple

import psycopg
from msgspec import Meta, Struct
from psycopg.rows import tuple_row

from api.problems import ProblemError
from api.seals.keys import check
from domain.commands import Command
from domain.note import NoteError, Signature, VerifierKey, is_signed, signature_line, verifier_key
from domain.request import Request
from projections.reads.checkpoints import MOST_SIGNATURES, Kept, kept
from projections.reads.snapshot import snapshot


class Countersign(Command, frozen=True, kw_only=True):
    """A witness's signature line for the checkpoint of that size, and the key (C2SP vkey) that made it."""

    size: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    signature: Annotated[str, Meta(min_length=1, max_length=1000)]
    verifier_key: Annotated[str, Meta(min_length=1, max_length=400)]


class Countersigned(Struct):
    """position: of the checkpoint's last event."""

    position: int
    size: int
    name: str
    key_id: str


class Added(NamedTuple):
    """The answer, and whether it was given before to the same request."""

    answer: Countersigned
    replayed: bool


_ADD: LiteralString = """
INSERT INTO public.pitclerk_signatures
    (size, name, key_id, verifier_key, signature, added_by, request_key, request_digest)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"""

_BEFORE: LiteralString = """
SELECT size, name, key_id, request_digest FROM public.pitclerk_signatures WHERE added_by = %s AND request_key = %s
UNION ALL
SELECT NULL, NULL, NULL, digest FROM public.pitclerk_answers WHERE identity = %s AND key = %s
LIMIT 1"""

_NOBODY: Final = "the checkpoint of {} leaves was never issued: ask for it first"


def countersign(conn: psycopg.Connection[Any], asked: Request, command: Countersign) -> Added:
    """Keep a witness's signature. Refuses `unknown_checkpoint`, `bad_signature`, `already_exists`, `busy` and
    `idempotency_key_reused`; the same request again gives the same answer."""
    before = _answered(conn, asked)
    if before is not None:
        return before
    signature, key = _read(command)
    with snapshot(conn) as look:
        found = kept(look, command.size)
    if found is None:
        raise ProblemError("unknown_checkpoint", _NOBODY.format(command.size))
    _hold(found, signature, key)
    values = (command.size, key.name, key.id, str(key), signature.signature, asked.identity, asked.key, asked.digest)
    with conn.transaction():
        added = conn.execute(_ADD, values).rowcount
    if not added:  # somebody was faster: with this request, or with another one for the same key
        before = _answered(conn, asked)
        if before is None:
            raise ProblemError("already_exists", f"{key.name} with this key has signed this checkpoint already")
        return before
    return Added(_answer(found, key.name, key.id), False)


def _read(command: Countersign) -> tuple[Signature, VerifierKey]:
    try:
        return signature_line(command.signature), verifier_key(command.verifier_key)
    except NoteError as error:
        raise ProblemError("bad_signature", str(error)) from error


def _hold(found: Kept, signature: Signature, key: VerifierKey) -> None:
    """The signature is good, new, and one of not too many."""
    if not is_signed(found.note.text, signature, key, check):
        raise ProblemError("bad_signature", f"it is not made by {key.name} with this key over this checkpoint")
    if any(one.made_by(key) for one in found.note.signatures):
        raise ProblemError("already_exists", f"{key.name} with this key has signed this checkpoint already")
    if len(found.note.signatures) >= MOST_SIGNATURES:
        raise ProblemError("busy", f"the checkpoint has {MOST_SIGNATURES} signatures, the most that are kept")


def _answered(conn: psycopg.Connection[Any], asked: Request) -> Added | None:
    """What the same key was answered before. Refuses `idempotency_key_reused` for another request."""
    named = (asked.identity, asked.key)
    with conn.cursor(row_factory=tuple_row) as cursor:
        row = cursor.execute(_BEFORE, (*named, *named)).fetchone()
    if row is None:
        return None
    size, name, key_id, digest = row
    if size is None or bytes(digest) != asked.digest:
        raise ProblemError("idempotency_key_reused", "this key was used before with another request")
    with snapshot(conn) as look:
        found = kept(look, size)
    assert found is not None, "checkpoints are never removed"
    return Added(_answer(found, name, bytes(key_id)), True)


def _answer(found: Kept, name: str, key_id: bytes) -> Countersigned:
    return Countersigned(found.position or 0, found.size, name, key_id.hex())
