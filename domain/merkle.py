"""The Merkle tree over the log (RFC 6962 section 2.1, RFC 9162 section 2.1): roots, proofs and their verification.

    leaf  = SHA-256(0x00 || leaf bytes)          domain.chain.leaf_hash
    node  = SHA-256(0x01 || left || right)
    root  = MTH(D[n]): split at the largest power of two below n

The leaves are the log's events in the order of their positions; `index` counts them from 0 (positions have gaps).
Everything here is pure: proofs are made from the hashes of perfect subtrees, which the caller reads from wherever it
keeps them, a handful for a tree of any size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

HASH_BYTES = 32

EMPTY_ROOT = sha256(b"").digest()
"""The root of a tree without leaves."""


@dataclass(frozen=True, slots=True)
class Node:
    """A perfect subtree: the leaves from index * 2**level up to, not including, (index + 1) * 2**level."""

    level: int
    index: int


Read = Callable[[Sequence[Node]], Sequence[bytes]]
"""Gives the hashes of perfect subtrees, in the order they were asked for."""

Span = tuple[int, int]
"""Leaves from the first up to, not including, the second; the first is a multiple of a power of two >= the length."""


class ProofError(ValueError):
    """A proof does not prove what it should, or cannot exist."""


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node over two."""
    return sha256(b"\x01" + left + right).digest()


def parents(hashes: bytes, levels: int) -> bytes:
    """The hashes so many levels above hashes that stand one behind the other, in whole groups of 2**levels."""
    for _ in range(levels):
        hashes = b"".join([sha256(b"\x01" + hashes[at : at + 64]).digest() for at in range(0, len(hashes), 64)])
    return hashes


class CompactRange:
    """A tree that only grows: it keeps one hash for each bit set in its size."""

    __slots__ = ("_peaks", "size")

    def __init__(self) -> None:
        self.size = 0
        self._peaks: list[bytes] = []

    def append(self, leaf: bytes) -> None:
        """Add one leaf hash."""
        peaks, carry = self._peaks, self.size
        while carry & 1:
            leaf = sha256(b"\x01" + peaks.pop() + leaf).digest()
            carry >>= 1
        peaks.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        """The root of the tree as it is now."""
        return fold(self._peaks)

    def copy(self) -> CompactRange:
        """A tree that grows apart from this one."""
        other = CompactRange()
        other.size, other._peaks = self.size, self._peaks.copy()
        return other


def fold(peaks: Sequence[bytes]) -> bytes:
    """The hash over perfect subtrees that grow smaller from left to right."""
    if not peaks:
        return EMPTY_ROOT
    result = peaks[-1]
    for left in reversed(peaks[:-1]):
        result = node_hash(left, result)
    return result


def root_of(leaves: Iterable[bytes]) -> bytes:
    """The root over leaf hashes."""
    tree = CompactRange()
    for leaf in leaves:
        tree.append(leaf)
    return tree.root()


def perfect_nodes(span: Span) -> list[Node]:
    """The perfect subtrees that a span consists of, from left to right."""
    low, high = span
    nodes = []
    while low < high:
        level = (high - low).bit_length() - 1
        nodes.append(Node(level, low >> level))
        low += 1 << level
    return nodes


def root_at(size: int, read: Read) -> bytes:
    """The root over the first `size` leaves, from stored nodes."""
    return fold(read(perfect_nodes((0, size))))


def inclusion_proof(index: int, size: int, read: Read) -> list[bytes]:
    """PATH(m, D[n]) of RFC 6962 section 2.1.1, from stored nodes. Raises ProofError unless index < size."""
    if not 0 <= index < size:
        raise ProofError(f"leaf {index} is not in a tree of {size} leaves")
    return _hashes(_inclusion_spans(index, 0, size), read)


def consistency_proof(first: int, second: int, read: Read) -> list[bytes]:
    """PROOF(m, D[n]) of RFC 6962 section 2.1.2, from stored nodes. Raises ProofError unless 0 < first <= second."""
    if not 0 < first <= second:
        raise ProofError(f"no proof leads from a tree of {first} leaves to one of {second}")
    return _hashes(_consistency_spans(first, 0, second, known=True), read)


def _inclusion_spans(index: int, low: int, high: int) -> list[Span]:
    if high - low == 1:
        return []
    middle = low + _split(high - low)
    if index < middle:
        return [*_inclusion_spans(index, low, middle), (middle, high)]
    return [*_inclusion_spans(index, middle, high), (low, middle)]


def _consistency_spans(first: int, low: int, high: int, *, known: bool) -> list[Span]:
    """SUBPROOF; `first` is counted from leaf 0 of the whole tree. known: the verifier has this subtree's hash."""
    if first == high:
        return [] if known else [(low, high)]
    middle = low + _split(high - low)
    if first <= middle:
        return [*_consistency_spans(first, low, middle, known=known), (middle, high)]
    return [*_consistency_spans(first, middle, high, known=False), (low, middle)]


def _split(size: int) -> int:
    """The largest power of two below size."""
    return 1 << ((size - 1).bit_length() - 1)


def _hashes(spans: Sequence[Span], read: Read) -> list[bytes]:
    """The hashes of spans, with a single read."""
    groups = [perfect_nodes(span) for span in spans]
    found = iter(read([node for group in groups for node in group]))
    return [fold([next(found) for _ in group]) for group in groups]


def verify_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> None:
    """RFC 9162 section 2.1.3.2. Raises ProofError unless the leaf is the one at `index` under `root`."""
    if not 0 <= index < size:
        raise ProofError(f"leaf {index} is not in a tree of {size} leaves")
    at, last, result = index, size - 1, leaf
    for step in path:
        if last == 0:
            raise ProofError("the path is longer than the tree is high")
        if at & 1 or at == last:
            result = node_hash(step, result)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            result = node_hash(result, step)
        at, last = at >> 1, last >> 1
    if last != 0:
        raise ProofError("the path is shorter than the tree is high")
    if result != root:
        raise ProofError("the path leads to another root")


def verify_consistency(first: int, second: int, first_root: bytes, second_root: bytes, path: Sequence[bytes]) -> None:
    """RFC 9162 section 2.1.4.2. Raises ProofError unless the second tree begins with the whole first one."""
    if not 0 < first <= second:
        raise ProofError(f"no proof leads from a tree of {first} leaves to one of {second}")
    if first == second:
        if path or first_root != second_root:
            raise ProofError("two trees of one size are equal, or one of them is false")
        return
    steps = list(path) if first & (first - 1) else [first_root, *path]
    if not steps:
        raise ProofError("the proof is empty")
    old, new = _climb(first - 1, second - 1, steps)
    if old != first_root:
        raise ProofError("the proof does not begin at the first root")
    if new != second_root:
        raise ProofError("the proof does not end at the second root")


def _climb(at: int, last: int, steps: Sequence[bytes]) -> tuple[bytes, bytes]:
    """The two roots that a consistency proof leads to, from the last leaves of the two trees."""
    while at & 1:
        at, last = at >> 1, last >> 1
    old = new = steps[0]
    for step in steps[1:]:
        if last == 0:
            raise ProofError("the proof is longer than the tree is high")
        if at & 1 or at == last:
            old, new = node_hash(step, old), node_hash(step, new)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            new = node_hash(new, step)
        at, last = at >> 1, last >> 1
    if last != 0:
        raise ProofError("the proof is shorter than the tree is high")
    return old, new
