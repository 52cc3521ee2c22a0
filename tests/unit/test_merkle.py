"""The Merkle tree: the vectors of the certificate-transparency reference, and a second, slow reading of RFC 6962."""

from __future__ import annotations

import random
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.merkle import (
    EMPTY_ROOT,
    CompactRange,
    ProofError,
    Read,
    consistency_proof,
    inclusion_proof,
    root_at,
    root_of,
    verify_consistency,
    verify_inclusion,
)
from domain.tiles import HEIGHT, WIDTH, Grower, Tile, TileKey, edge_keys, leaf_place, reader, tiles_for

INPUTS = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
A, B, C = (
    "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
    "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
)
D, E = (
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
)
PATHS = [
    (0, 1, []),
    (0, 8, [A, B, C]),
    (5, 8, [D, E, ROOTS[4]]),
    (2, 3, [ROOTS[2]]),
    (1, 5, [ROOTS[1], B, D]),
    (7, 8, ["b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f", *[
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a", ROOTS[4]]]),
]  # fmt: skip
CONSISTENT = [
    (1, 1, []),
    (1, 8, [A, B, C]),
    (6, 8, ["0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a", E, ROOTS[4]]),
    (2, 5, [B, D]),
]
LEAVES = [sha256(b"\0" + bytes.fromhex(text)).digest() for text in INPUTS]


def stored(leaves: list[bytes]) -> Read:
    """A reader of a tree that was stored in one go."""
    tiles = Grower().append(leaves, range(len(leaves)))
    return reader({tile.key: tile.hashes for tile in tiles})


def test_the_known_roots() -> None:
    tree = CompactRange()
    for leaf, (before, after) in zip(LEAVES, pairwise(ROOTS), strict=True):
        assert tree.root().hex() == before
        tree.append(leaf)
        assert tree.root().hex() == after
    assert EMPTY_ROOT.hex() == ROOTS[0]
    assert [root_at(size, stored(LEAVES)).hex() for size in range(9)] == ROOTS


@pytest.mark.parametrize(("index", "size", "path"), PATHS)
def test_the_known_inclusion_proofs(index: int, size: int, path: list[str]) -> None:
    made = inclusion_proof(index, size, stored(LEAVES))
    assert [one.hex() for one in made] == path
    verify_inclusion(LEAVES[index], index, size, made, bytes.fromhex(ROOTS[size]))


@pytest.mark.parametrize(("first", "second", "path"), CONSISTENT)
def test_the_known_consistency_proofs(first: int, second: int, path: list[str]) -> None:
    made = consistency_proof(first, second, stored(LEAVES))
    assert [one.hex() for one in made] == path
    verify_consistency(first, second, bytes.fromhex(ROOTS[first]), bytes.fromhex(ROOTS[second]), made)


# RFC 6962 section 2.1 word for word, over lists of leaf hashes; and a verifier that rebuilds the root by the same
# recursion from the proof, instead of walking bits.


def mth(leaves: list[bytes]) -> bytes:
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = below(len(leaves))
    return sha256(b"\x01" + mth(leaves[:k]) + mth(leaves[k:])).digest()


def below(n: int) -> int:
    k = 1
    while 2 * k < n:
        k *= 2
    return k


def path_of(m: int, leaves: list[bytes]) -> list[bytes]:
    if len(leaves) == 1:
        return []
    k = below(len(leaves))
    if m < k:
        return [*path_of(m, leaves[:k]), mth(leaves[k:])]
    return [*path_of(m - k, leaves[k:]), mth(leaves[:k])]


def subproof(m: int, leaves: list[bytes], whole: bool) -> list[bytes]:
    if m == len(leaves):
        return [] if whole else [mth(leaves)]
    k = below(len(leaves))
    if m <= k:
        return [*subproof(m, leaves[:k], whole), mth(leaves[k:])]
    return [*subproof(m - k, leaves[k:], False), mth(leaves[:k])]


def rebuilt(leaf: bytes, m: int, n: int, path: list[bytes]) -> bytes:
    """The root that a path leads to, from the top of the tree downwards."""
    if n == 1:
        assert not path
        return leaf
    *lower, side = path
    k = below(n)
    pair = (rebuilt(leaf, m, k, lower), side) if m < k else (side, rebuilt(leaf, m - k, n - k, lower))
    return sha256(b"\x01" + b"".join(pair)).digest()


def some_leaves(count: int, seed: int = 1) -> list[bytes]:
    dice = random.Random(seed)
    return [dice.randbytes(32) for _ in range(count)]


@given(st.integers(1, 300), st.data())
def test_proofs_are_those_of_the_definition(size: int, data: st.DataObject) -> None:
    leaves, index = some_leaves(300), data.draw(st.integers(0, size - 1))
    first = data.draw(st.integers(1, size))
    read, root = stored(leaves), mth(leaves[:size])
    assert root_at(size, read) == root == root_of(leaves[:size])
    path = inclusion_proof(index, size, read)
    assert path == path_of(index, leaves[:size])
    assert rebuilt(leaves[index], index, size, path) == root
    verify_inclusion(leaves[index], index, size, path, root)
    steps = consistency_proof(first, size, read)
    assert steps == subproof(first, leaves[:size], True)
    verify_consistency(first, size, mth(leaves[:first]), root, steps)


@given(st.integers(2, 70), st.data())
def test_a_proof_with_anything_wrong_proves_nothing(size: int, data: st.DataObject) -> None:
    leaves, index = some_leaves(70), data.draw(st.integers(0, size - 1))
    read, root, path = stored(leaves), mth(leaves[:size]), path_of(index, leaves[:size])
    at = data.draw(st.integers(0, len(path) - 1))
    wrong: list[tuple[bytes, int, int, list[bytes], bytes]] = [
        (leaves[index], index, size, [*path[:at], path[at][::-1], *path[at + 1 :]], root),
        (leaves[index], index, size, path[:at] + path[at + 1 :], root),
        (leaves[index], index, size, [*path, bytes(32)], root),
        (leaves[index][::-1], index, size, path, root),
        (leaves[index], index, size, path, root[::-1]),
        (leaves[index], size, size, path, root),
        (leaves[index], -1, size, path, root),
    ]
    other = data.draw(st.integers(0, size - 1))
    if other != index:
        wrong.append((leaves[index], other, size, path, root))
    for arguments in wrong:
        with pytest.raises(ProofError):
            verify_inclusion(*arguments)
    first = data.draw(st.integers(1, size - 1))
    steps = consistency_proof(first, size, read)
    at = data.draw(st.integers(0, len(steps) - 1))
    old = mth(leaves[:first])
    for first_root, second_root, proof in (
        (old[::-1], root, steps),
        (old, root[::-1], steps),
        (old, root, steps[:at] + steps[at + 1 :]),
        (old, root, [*steps, bytes(32)]),
        (old, root, [*steps[:at], steps[at][::-1], *steps[at + 1 :]]),
    ):
        with pytest.raises(ProofError):
            verify_consistency(first, size, first_root, second_root, proof)


@pytest.mark.parametrize(("first", "second"), [(0, 8), (-1, 8), (9, 8)])
def test_there_is_no_proof_between_such_trees(first: int, second: int) -> None:
    with pytest.raises(ProofError):
        consistency_proof(first, second, stored(LEAVES))
    with pytest.raises(ProofError):
        verify_consistency(first, second, bytes(32), bytes(32), [])


@pytest.mark.parametrize(("index", "size"), [(8, 8), (-1, 8), (0, 0)])
def test_there_is_no_proof_of_such_a_leaf(index: int, size: int) -> None:
    with pytest.raises(ProofError):
        inclusion_proof(index, size, stored(LEAVES))


def test_two_trees_of_one_size_are_the_same_tree() -> None:
    verify_consistency(8, 8, bytes(32), bytes(32), [])
    for second_root, path in ((bytes(31) + b"\x01", []), (bytes(32), [bytes(32)])):
        with pytest.raises(ProofError):
            verify_consistency(8, 8, bytes(32), second_root, path)


@given(st.lists(st.sampled_from([1, 2, 31, 32, 33, 64, 100, 1023, 1024, 1025]), min_size=1, max_size=12))
def test_tiles_are_the_same_however_leaves_come(batches: list[int]) -> None:
    count = sum(batches)
    leaves, positions = some_leaves(count), [3 * n + 1 for n in range(count)]
    at_once = {tile.key: tile for tile in Grower().append(leaves, positions)}
    tiles: dict[TileKey, Tile] = {}
    done = 0
    for batch in batches:  # as if the process had been started anew each time
        grower = Grower(done, [tiles[key] for key in edge_keys(done)])
        end = done + batch
        tiles.update({tile.key: tile for tile in grower.append(leaves[done:end], positions[done:end])})
        done = end
        assert grower.root() == root_of(leaves[:done])
    assert tiles == at_once
    for index in (0, count // 2, count - 1):
        key, place = leaf_place(index)
        assert tiles[key].position(place) == positions[index]
        assert tiles[key].place_of(positions[index]) == place
        assert tiles[key].place_of(positions[index] + 1) is None


def test_a_proof_in_a_large_tree_reads_a_few_tiles() -> None:
    """Ten million leaves: which tiles are read is arithmetic, no tree is needed."""
    asked: set[TileKey] = set()

    def read(nodes: object) -> list[bytes]:
        asked.update(tiles_for(nodes))  # type: ignore[arg-type]
        return [bytes(32)] * len(nodes)  # type: ignore[arg-type]

    size = 10_000_000
    inclusion_proof(1_234_567, size, read)
    consistency_proof(1_234_567, size, read)
    assert len(asked) <= 2 * (size.bit_length() // HEIGHT + 1) + 2
    assert all(key.tile * WIDTH ** (key.level + 1) < size for key in asked)
