"""The chain's bytes are a promise to auditors: pinned here, written out by hand."""

from __future__ import annotations

import hashlib
import struct
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import chain

Row = tuple[int, str, int, str, bytes, datetime]

AT = datetime(2026, 3, 14, 21, 30, 0, 123456, tzinfo=UTC)
ROW = (7, "table/CS07/2026-03-14/1", 3, "table.ante_placed", b'{"v":1}', AT)


def by_hand(row: Row) -> bytes:
    """Write the leaf bytes again from the description alone."""
    position, stream, version, topic, state, at = row
    micros = round((at - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(microseconds=1))
    parts = [
        struct.pack(">q", position),
        stream.encode(),
        struct.pack(">q", version),
        topic.encode(),
        state,
        struct.pack(">q", micros),
    ]
    return b"".join(struct.pack(">I", len(part)) + part for part in parts)


def test_the_leaf_bytes_are_as_described() -> None:
    assert chain.leaf_bytes(*ROW) == by_hand(ROW)


def test_the_hashes_are_pinned() -> None:
    leaf = chain.leaf_hash(chain.leaf_bytes(*ROW))
    assert leaf.hex() == "8c79c4d94cd55eae4feb8bc2942443772067296b6955f48dd7258d9f1a4bc7cf"
    assert chain.link(chain.GENESIS, leaf).hex() == "fb17e9f2341846a2a782f693a489a52800b3ad0da1c3b4c6f220d433f7b4a483"


def test_the_hashes_are_as_described() -> None:
    data = chain.leaf_bytes(*ROW)
    leaf = hashlib.sha256(b"\x00" + data).digest()
    assert chain.leaf_hash(data) == leaf
    assert chain.link(b"\x07" * 32, leaf) == hashlib.sha256(b"\x02" + b"\x07" * 32 + leaf).digest()


def test_the_time_is_the_instant_not_its_zone() -> None:
    elsewhere = AT.astimezone(timezone(timedelta(hours=2)))
    assert chain.leaf_bytes(*ROW[:5], elsewhere) == chain.leaf_bytes(*ROW)


def test_a_time_without_zone_is_refused() -> None:
    with pytest.raises(TypeError):
        chain.micros(AT.replace(tzinfo=None))


rows = st.tuples(
    st.integers(1, 2**63 - 1),
    st.text(max_size=20),
    st.integers(1, 2**63 - 1),
    st.text(max_size=20),
    st.binary(max_size=20),
    st.datetimes(timezones=st.just(UTC)),
)


@given(rows, rows)
def test_different_rows_have_different_bytes(one: Row, other: Row) -> None:
    assert (chain.leaf_bytes(*one) == chain.leaf_bytes(*other)) == (one == other)


@given(rows)
def test_any_row_is_as_described(row: Row) -> None:
    position, stream, version, topic, state, at = row
    assert chain.leaf_bytes_at(position, stream, version, topic, state, chain.micros(at)) == chain.leaf_bytes(*row)
    assert chain.leaf_bytes(*row)[4:12] == struct.pack(">q", position)


@given(st.lists(rows, max_size=8))
def test_many_leaves_are_those_of_one_by_one(several: list[Row]) -> None:
    times = [chain.micros(row[5]) for row in several]
    assert chain.leaves([row[:5] for row in several], times) == [
        chain.leaf_hash(chain.leaf_bytes(*row)) for row in several
    ]
