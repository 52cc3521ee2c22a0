"""The proof that an event stands in the log, whole, as soon as a checkpoint covers it."""

from __future__ import annotations

import base64

from domain.proof import ProofFile
from projections.reads import checkpoints
from projections.reads.snapshot import Snapshot
from projections.reads.tree import Tree, UnknownPositionError, inclusion_at, leaf_bytes_of


def proof_at(look: Snapshot, position: int) -> ProofFile | None:
    """The proof of the event at a position under the first checkpoint that covers it; None before there is one.

    The first, so that a slip printed again carries the same proof. Raises LogDiffersError where the row is no longer
    what was sealed.
    """
    tree = Tree(look)
    try:
        index = tree.index_of(position)
    except UnknownPositionError:
        return None  # the tree has not taken the event in yet
    kept = checkpoints.covering(look, index, tree.size)
    if kept is None:
        return None
    path = inclusion_at(look, tree, position, kept.size)
    return ProofFile(
        position=position,
        index=path.index,
        size=path.size,
        leaf_bytes=base64.b64encode(leaf_bytes_of(look, position)).decode(),
        path=path.path,
        checkpoint=str(kept.note),
    )
