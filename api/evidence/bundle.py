"""A bundle made: the checkpoint signed first, then everything proved against it."""

from __future__ import annotations

import base64
from typing import Any

import msgspec
import psycopg

from api.seals.issue import issue
from api.seals.keys import SigningKey
from projections.evidence import FORMAT, gather, tell
from projections.evidence.leaves import leaves_of


def bundle(conn: psycopg.Connection[Any], round_id: str, key: SigningKey, site: str) -> dict[str, Any] | None:
    """The evidence of a round as plain values; None if there is none of that id.

    Raises EvidenceError, and LogDiffersError where the log is not what was sealed.
    """
    kept = issue(conn, key, site)
    proofs = gather(conn, round_id, kept.size)
    if proofs is None:
        return None
    document = {
        "format": FORMAT,
        "round": round_id,
        "site": site,
        "position": kept.position,
        "size": kept.size,
        "root": kept.root.hex(),
        "verifier_key": str(key.verifier),
        "told": tell(round_id, leaves_of(base64.b64decode(one["leaf_bytes"]) for one in proofs)),
        "checkpoint": str(kept.note),
        "proofs": proofs,
    }
    # As its reader will have it: what JSON makes a list is shown as a list on this side too.
    return dict(msgspec.json.decode(msgspec.json.encode(document)))
