"""A log brought into an empty database as it was recorded elsewhere: the same positions, times and bytes.

Position and time of recording are part of every leaf, so rows go in verbatim, as the database's owner; the recorder
would give them new ones. The chain is computed anew on the way, and the same rows give the same head.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Final, LiteralString, NamedTuple

import msgspec
import psycopg
from msgspec import Struct

from domain import chain
from domain.codec import UnreadableEventError, decode
from domain.merkle import ProofError
from domain.proof import columns
from domain.request import IMPORTED
from domain.store.statements import CHANNEL, COMMIT_LOCK
from projections.reads.events import logged

BATCH: Final = 5_000
LOCK_MS: Final = 10_000
MOST_LINE: Final = 20_000_000

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class ImportRefusedError(Exception):
    """Nothing was brought in; the message says which line is wrong, or what is in the way."""


class Imported(NamedTuple):
    """What is in the log now: head is the chain's last link, in hex."""

    rows: int
    position: int
    head: str


class _Line(Struct):
    """What of a line is read: the fields of the event, and the bytes that everything in it was shown from."""

    data: msgspec.Raw
    leaf_bytes: str


class _Row(NamedTuple):
    position: int
    stream: str
    version: int
    topic: str
    state: bytes
    recorded_at: datetime
    leaf: bytes
    link: bytes


def import_log(conninfo: str, lines: Iterable[bytes], *, head: str | None = None) -> Imported:
    """Bring a whole JSON Lines export into an empty, migrated database, all of it or nothing.

    conninfo is of the database's owner or a superuser. head: the chain must end in this link. Raises
    ImportRefusedError, psycopg's errors.
    """
    with psycopg.connect(conninfo) as conn:
        conn.execute("SELECT set_config('lock_timeout', %s, true)", (f"{LOCK_MS}",))
        conn.execute("SELECT pg_advisory_xact_lock(%s)", (COMMIT_LOCK,))
        _require_empty(conn)
        rows = _rows(lines)
        done = Imported(0, 0, chain.GENESIS.hex())
        while batch := list(islice(rows, BATCH)):
            _copy(conn, batch)
            done = Imported(done.rows + len(batch), batch[-1].position, batch[-1].link.hex())
        if done.rows == 0:
            raise ImportRefusedError("the file holds no events")
        if head is not None and head != done.head:
            raise ImportRefusedError(f"the chain of the file ends in {done.head}, not in {head}: it is not that log")
        conn.execute(_GO_ON, (done.position,))
        conn.execute(_BROUGHT, (IMPORTED, done.head, done.position))
        conn.execute("SELECT pg_notify(%s, %s)", (CHANNEL, str(done.position)))
        return done


_EMPTY: LiteralString = """
SELECT EXISTS (SELECT FROM public.pitclerk_events), EXISTS (SELECT FROM public.pitclerk_chain),
       EXISTS (SELECT FROM public.pitclerk_answers), EXISTS (SELECT FROM views.positions WHERE at > 0)"""

_GO_ON: LiteralString = "SELECT setval(pg_get_serial_sequence('public.pitclerk_events', 'notification_id'), %s)"

_BROUGHT: LiteralString = """
INSERT INTO public.pitclerk_answers (identity, key, digest, status, answer, position, recorded_at)
VALUES (%s, %s, '', 201, '', %s, clock_timestamp())"""
"""An import is an act like others, once: its answer says up to where the answers of keyed saves stayed elsewhere."""

_EVENTS: LiteralString = """
COPY public.pitclerk_events (notification_id, originator_id, originator_version, topic, state, recorded_at)
FROM STDIN"""

_CHAIN: LiteralString = "COPY public.pitclerk_chain (position, leaf, link) FROM STDIN"


def _require_empty(conn: psycopg.Connection) -> None:
    found = conn.execute(_EMPTY).fetchone()
    assert found is not None, "a row of truths"
    names = ("the log", "the chain", "the kept answers", "the views")
    full = [name for name, there in zip(names, found, strict=True) if there]
    if full:
        raise ImportRefusedError(f"a log is only brought into an empty database: {', '.join(full)} hold something")


def _copy(conn: psycopg.Connection, batch: list[_Row]) -> None:
    with conn.cursor() as cursor:
        with cursor.copy(_EVENTS) as copy:
            for row in batch:
                copy.write_row((row.position, row.stream, row.version, row.topic, row.state, row.recorded_at))
        with cursor.copy(_CHAIN) as copy:
            for row in batch:
                copy.write_row((row.position, row.leaf, row.link))


def _rows(lines: Iterable[bytes]) -> Iterator[_Row]:
    """The rows of the lines, each held against the one before. Raises ImportRefusedError."""
    decoder = msgspec.json.Decoder(_Line)
    versions: dict[str, int] = {}
    position, recorded_at, link = 0, _EPOCH, chain.GENESIS
    for number, line in enumerate(lines, start=1):
        if line.isspace():
            continue
        try:
            row = _row(decoder, line, link)
        except (msgspec.DecodeError, ProofError, UnreadableEventError, OverflowError, binascii.Error) as error:
            raise ImportRefusedError(f"line {number}: {error}") from error
        if row.position <= position or row.recorded_at < recorded_at:
            raise ImportRefusedError(f"line {number}: position or time of recording goes back")
        if row.version != versions.get(row.stream, 0) + 1:
            raise ImportRefusedError(f"line {number}: version {row.version} of {row.stream} comes out of turn")
        versions[row.stream] = row.version
        position, recorded_at, link = row.position, row.recorded_at, row.link
        yield row


def _row(decoder: msgspec.json.Decoder[_Line], line: bytes, before: bytes) -> _Row:
    """One line. What it shows must be what its bytes say: people read the one, the database stores the other."""
    if len(line) > MOST_LINE:
        raise ProofError(f"a line has at most {MOST_LINE} bytes")
    read = decoder.decode(line)
    data = base64.b64decode(read.leaf_bytes, validate=True)
    position, stream, version, topic, state, micros = columns(data)
    decode(topic, state)
    at = _EPOCH + timedelta(microseconds=micros)
    event = logged((position, stream, version, topic, state, at))
    shown, says = msgspec.json.decode(line), msgspec.json.decode(msgspec.json.encode(event))
    others = [name for name in shown if name not in ("data", "leaf_bytes") and shown[name] != says.get(name)]
    if others or bytes(read.data) != bytes(event.data):
        raise ProofError(f"the line shows another {', '.join(others) or 'data'} than its leaf_bytes hold")
    leaf = chain.leaf_hash(data)
    return _Row(position, stream, version, topic, state, at, leaf, chain.link(before, leaf))
