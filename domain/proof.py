"""A proof that travels: one event's bytes, the path to a root, and the signed checkpoint with that root.

Nothing else is needed to check it but the key that signed: no database, no network, not this program
(docs/auditor-proofs.md shows it with openssl and twenty lines of Python). Pure: the signature check is passed in.
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import msgspec
from msgspec import Struct

from domain.chain import leaf_hash
from domain.merkle import HASH_BYTES, ProofError, verify_inclusion
from domain.note import Check, NoteError, VerifierKey, checkpoint, note, signers
from domain.proof_text import PREFIX, ProofTextError, from_text

MOST_BYTES = 10_000_000
"""Of a proof file; the largest event is far smaller."""

MOST_PATH = 64

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_COLUMNS = 6


class ProofFile(Struct, frozen=True):
    """The file: leaf_bytes in base64, hashes in hex, checkpoint a C2SP signed note. Other fields are comments."""

    position: int
    index: int
    size: int
    leaf_bytes: str
    path: list[str]
    checkpoint: str
    leaf: str | None = None


@dataclass(frozen=True, slots=True)
class Proven:
    """What is proved: this event, as recorded, is leaf `index` under the checkpoint that these keys signed."""

    origin: str
    size: int
    root: str
    index: int
    position: int
    stream: str
    version: int
    topic: str
    recorded_at: str
    state: bytes
    signed_by: list[str]


def read(data: bytes) -> ProofFile:
    """Read a proof file, as JSON or as the text of a slip's QR code. Raises ProofError."""
    if len(data) > MOST_BYTES:
        raise ProofError(f"a proof file has at most {MOST_BYTES} bytes")
    try:
        if data.lstrip().startswith(PREFIX.encode()):
            data = from_text(data.decode("ascii"), MOST_BYTES)
    except (ProofTextError, UnicodeDecodeError) as error:
        raise ProofError(f"this is no proof text: {error}") from error
    try:
        return msgspec.json.decode(data, type=ProofFile)
    except msgspec.DecodeError as error:
        raise ProofError(f"this is no proof file: {error}") from error


def prove(proof: ProofFile, keys: Sequence[VerifierKey], check: Check) -> Proven:
    """Check everything. Raises ProofError with the first thing that does not hold."""
    try:
        signed = note(proof.checkpoint)
        claimed = checkpoint(signed.text)
    except NoteError as error:
        raise ProofError(f"the checkpoint cannot be read: {error}") from error
    names = [str(key) for key in signers(signed, keys, check)]
    if not names:
        raise ProofError("the checkpoint is not signed by any of the keys given")
    if claimed.size != proof.size:
        raise ProofError(f"the path is of a tree of {proof.size} leaves, the checkpoint of one of {claimed.size}")
    data = _bytes_of(proof)
    leaf = leaf_hash(data)
    if proof.leaf is not None and proof.leaf != leaf.hex():
        raise ProofError(f"the leaf bytes hash to {leaf.hex()}, not to {proof.leaf[:64]}")
    verify_inclusion(leaf, proof.index, proof.size, _path_of(proof), claimed.root)
    position, stream, version, topic, state, micros = columns(data)
    if position != proof.position:
        raise ProofError(f"the leaf bytes are of position {position}, not of {proof.position}")
    at = (_EPOCH + timedelta(microseconds=micros)).isoformat()
    root = claimed.root.hex()
    return Proven(claimed.origin, claimed.size, root, proof.index, position, stream, version, topic, at, state, names)


def columns(data: bytes) -> tuple[int, str, int, str, bytes, int]:
    """The stored columns that leaf bytes were made of (the reverse of `domain.chain.leaf_bytes_at`)."""
    parts, at = [], 0
    try:
        for _ in range(_COLUMNS):
            (length,) = struct.unpack_from(">I", data, at)
            parts.append(data[at + 4 : at + 4 + length])
            at += 4 + length
        position, version, micros = (int.from_bytes(parts[n], "big", signed=True) for n in (0, 2, 5))
        if at != len(data) or [len(parts[n]) for n in (0, 2, 5)] != [8, 8, 8]:
            raise ProofError("the leaf bytes are not six columns")
        return position, parts[1].decode(), version, parts[3].decode(), parts[4], micros
    except (struct.error, UnicodeDecodeError) as error:
        raise ProofError(f"the leaf bytes are not those of an event: {error}") from error


def _bytes_of(proof: ProofFile) -> bytes:
    try:
        return base64.b64decode(proof.leaf_bytes, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ProofError("leaf_bytes is not base64") from error


def _path_of(proof: ProofFile) -> list[bytes]:
    try:
        path = [bytes.fromhex(step) for step in proof.path[: MOST_PATH + 1]]
    except ValueError as error:
        raise ProofError("the path is not hex") from error
    if len(path) > MOST_PATH or any(len(step) != HASH_BYTES for step in path):
        raise ProofError(f"a path has at most {MOST_PATH} hashes of {HASH_BYTES} bytes")
    return path
