"""Sign the tree: once a size, and never a tree that does not continue every tree signed before.

That is what makes a checkpoint worth keeping: whoever changes the log behind the program's back can no longer get its
signature, and two different answers about the same size cannot both carry one.
"""

from __future__ import annotations

from typing import Any, Final, LiteralString

import psycopg

from api.seals.keys import SigningKey
from domain.merkle import EMPTY_ROOT, ProofError, consistency_proof, verify_consistency
from domain.note import Checkpoint
from projections.reads.checkpoints import Kept, differences, kept, newest
from projections.reads.snapshot import snapshot
from projections.reads.tree import LogDiffersError, Tree, log_head

ON_DEMAND: Final = "on demand"

_KEEP: LiteralString = """
INSERT INTO public.pitclerk_checkpoints (size, position, root, origin, cause) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT DO NOTHING"""

_SIGN: LiteralString = """
INSERT INTO public.pitclerk_signatures (size, name, key_id, verifier_key, signature, added_by)
VALUES (%s, %s, %s, %s, %s, 'pitclerk') ON CONFLICT DO NOTHING"""


def origin(site: str) -> str:
    """The log's name in its checkpoints, and its key's."""
    return f"pitclerk/{site}"


def issue(
    conn: psycopg.Connection[Any], key: SigningKey, site: str, *, size: int | None = None, cause: str = ON_DEMAND
) -> Kept:
    """Sign and keep the checkpoint over the first `size` leaves (None: the tree as it stands), on an idle connection.

    The one already kept of that size is given again. Raises LogDiffersError where the log or the tree is not what was
    recorded, or not what was signed; NoSuchTreeError for more leaves than there are.
    """
    proposed, position = _propose(conn, origin(site), size)
    with conn.transaction():
        conn.execute(_KEEP, (proposed.size, position, proposed.root, proposed.origin, cause))
    return _sign(conn, key, proposed)


def _propose(conn: psycopg.Connection[Any], name: str, size: int | None) -> tuple[Checkpoint, int]:
    """The checkpoint that may be signed, and the position of its last event."""
    with snapshot(conn) as look:
        tree = Tree(look)
        size = tree.size if size is None else size
        root = tree.root(size)
        position = tree.leaf(size - 1)[0] if size else 0
        for kind, at, _ in differences(look):
            if at <= position:
                raise LogDiffersError(f"the event at position {at} was not as recorded when it was sealed: {kind}")
        largest = newest(look)
        if largest is not None and largest.size > tree.size and tree.position >= log_head(look):
            raise LogDiffersError(f"the log has {tree.size} events; {largest.size} were signed for")
        for other in (newest(look, size), newest(look, tree.size)):
            if other is not None:
                _hold_together(tree, (size, root), (other.size, other.root))
    return Checkpoint(name, size, root), position


def _hold_together(tree: Tree, one: tuple[int, bytes], other: tuple[int, bytes]) -> None:
    """Of the two trees the larger continues the smaller."""
    (first, first_root), (second, second_root) = sorted((one, other))
    try:
        if first == 0:
            if first_root != EMPTY_ROOT or (second == 0 and second_root != EMPTY_ROOT):
                raise ProofError("a tree without leaves has one root")
            return
        verify_consistency(first, second, first_root, second_root, consistency_proof(first, second, tree.read))
    except ProofError as error:
        raise LogDiffersError(
            f"the tree of {one[0]} leaves does not fit the checkpoint that was signed over {other[0]}: {error}"
        ) from error


def _sign(conn: psycopg.Connection[Any], key: SigningKey, proposed: Checkpoint) -> Kept:
    """Add our signature to the checkpoint as it is kept, unless that has another root."""
    with snapshot(conn) as look:
        found = kept(look, proposed.size)
    assert found is not None, "checkpoints are never removed"
    if found.root != proposed.root:
        raise LogDiffersError(f"another root was signed over {proposed.size} leaves")
    if any(one.made_by(key.verifier) for one in found.note.signatures):
        return found
    made = key.sign(found.note.text)
    with conn.transaction():
        conn.execute(_SIGN, (proposed.size, made.name, made.key_id, str(key.verifier), made.signature))
    with snapshot(conn) as look:
        signed = kept(look, proposed.size)
    assert signed is not None, "checkpoints are never removed"
    return signed
