"""A bundle checked from its leaf bytes and a key alone: no database, no network."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from domain.merkle import ProofError
from domain.note import Check, VerifierKey
from domain.proof import ProofFile, prove
from projections.evidence.leaves import EvidenceError, leaves_of
from projections.evidence.telling import tell

FORMAT: Final = "pitclerk-evidence/1"
MOST_BYTES: Final = 50_000_000
MOST_PROOFS: Final = 10_000


class _Proof(Struct, frozen=True):
    position: int
    index: int
    leaf: str
    path: list[str]
    leaf_bytes: str


class _Bundle(Struct, frozen=True):
    """The bundle's own shape; what is told is compared, not trusted."""

    format: str
    round: str
    checkpoint: str
    size: int
    proofs: list[_Proof]
    told: dict[str, Any]


class Verified(NamedTuple):
    """What holds: this many events, as recorded, under the checkpoint that these keys signed."""

    round: str
    events: int
    origin: str
    size: int
    root: str
    signed_by: list[str]


def read(data: bytes) -> dict[str, Any]:
    """A bundle's JSON as plain values. Raises EvidenceError."""
    if len(data) > MOST_BYTES:
        raise EvidenceError(f"a bundle has at most {MOST_BYTES} bytes")
    try:
        document = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise EvidenceError(f"this is no evidence: {error}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise EvidenceError(f"this is no evidence of the form {FORMAT}")
    return document


def verify(document: dict[str, Any], keys: Sequence[VerifierKey], check: Check) -> Verified:
    """Every event proved, and everything told derived from them again. Raises EvidenceError with what does not hold."""
    try:
        bundle = msgspec.convert(document, _Bundle)
    except msgspec.ValidationError as error:
        raise EvidenceError(f"this is no evidence: {error}") from error
    if not 0 < len(bundle.proofs) <= MOST_PROOFS:
        raise EvidenceError(f"a bundle proves from 1 to {MOST_PROOFS} events, not {len(bundle.proofs)}")
    proven = []
    for one in bundle.proofs:
        proof = ProofFile(one.position, one.index, bundle.size, one.leaf_bytes, one.path, bundle.checkpoint, one.leaf)
        try:
            proven.append(prove(proof, keys, check))
        except ProofError as error:
            raise EvidenceError(f"position {one.position}: {error}") from error
    told = tell(bundle.round, leaves_of(_bytes(one) for one in bundle.proofs))
    if msgspec.json.encode(told, order="sorted") != msgspec.json.encode(bundle.told, order="sorted"):
        differs = sorted(key for key in told.keys() | bundle.told.keys() if told.get(key) != bundle.told.get(key))
        raise EvidenceError(f"what is told does not follow from the events: {', '.join(differs) or 'its shape'}")
    first = proven[0]
    return Verified(bundle.round, len(proven), first.origin, first.size, first.root, first.signed_by)


def _bytes(proof: _Proof) -> bytes:
    try:
        return base64.b64decode(proof.leaf_bytes, validate=True)
    except (binascii.Error, ValueError) as error:
        raise EvidenceError(f"position {proof.position}: leaf_bytes is not base64") from error
