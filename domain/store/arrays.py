"""Columns of a batch as PostgreSQL arrays, laid out by hand.

One save passes its events as a handful of arrays. The driver's own conversion of lists looks at every element in Python
and costs as much as the rest of the save; here a column is one `struct.pack` or one join, sent in binary form.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import psycopg
from psycopg.adapt import Dumper
from psycopg.pq import Format

if TYPE_CHECKING:
    from collections.abc import Sequence

_INT8, _BYTEA, _TEXT = 20, 17, 25  # the object ids of the element types, fixed in PostgreSQL
_HEADER = struct.Struct(">iiIii")  # dimensions, has nulls, element type, length, lower bound
_EMPTY = struct.Struct(">iiI")
_LEN = struct.Struct(">i").pack


class Int8Array(bytes):
    """A bigint[] on the wire."""


class ByteaArray(bytes):
    """A bytea[] on the wire."""


class TextArray(bytes):
    """A text[] on the wire."""


def int8_array(values: Sequence[int]) -> Int8Array:
    """Lay out whole numbers of 64 bits."""
    if not values:
        return Int8Array(_EMPTY.pack(0, 0, _INT8))
    cells = [part for value in values for part in (8, value)]
    return Int8Array(_HEADER.pack(1, 0, _INT8, len(values), 1) + struct.pack(">" + "iq" * len(values), *cells))


def bytea_array(values: Sequence[bytes]) -> ByteaArray:
    """Lay out byte strings."""
    return ByteaArray(_cells(_BYTEA, values))


def text_array(values: Sequence[str]) -> TextArray:
    """Lay out texts."""
    return TextArray(_cells(_TEXT, [value.encode() for value in values]))


def _cells(element: int, values: Sequence[bytes]) -> bytes:
    if not values:
        return _EMPTY.pack(0, 0, element)
    parts = [_HEADER.pack(1, 0, element, len(values), 1)]
    for value in values:
        parts.append(_LEN(len(value)))
        parts.append(value)
    return b"".join(parts)


class _ArrayDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: bytes) -> bytes:
        return obj


class _Int8Dumper(_ArrayDumper):
    oid = 1016


class _ByteaDumper(_ArrayDumper):
    oid = 1001


class _TextDumper(_ArrayDumper):
    oid = 1009


def register() -> None:
    """Teach the driver to send the arrays, on every connection made from now on."""
    psycopg.adapters.register_dumper(Int8Array, _Int8Dumper)
    psycopg.adapters.register_dumper(ByteaArray, _ByteaDumper)
    psycopg.adapters.register_dumper(TextArray, _TextDumper)
