"""The log itself, by position: for auditors, and for the story of a round.

Rows are shown as they are stored, so events that this program cannot fold can still be read.
"""

from __future__ import annotations

import base64
from datetime import datetime
from typing import Any, LiteralString

import msgspec
import psycopg
from msgspec import UNSET, Struct, UnsetType
from psycopg import sql

from domain.chain import leaf_bytes
from projections.reads.snapshot import Snapshot, conditions, snapshot, utc


class LoggedEvent(Struct, omit_defaults=True):
    """One stored event. data: its fields as recorded; leaf_bytes: base64 of what chain and tree hash, if asked for."""

    position: int
    event_id: str | None
    stream: str
    version: int
    type: str
    recorded_at: datetime
    happened_at: str | None
    actor: str | None
    gaming_day: str | None
    approver: str | None
    late: bool
    data: msgspec.Raw
    leaf_bytes: str | UnsetType = UNSET


class Events(Struct):
    """next: the `after` of the next page; null at the end of the log."""

    events: list[LoggedEvent]
    next: int | None


class _Stored(Struct):
    """A row's state, read without judging it."""

    meta: dict[str, Any]
    data: msgspec.Raw


_DECODER = msgspec.json.Decoder(_Stored)

_EVENTS: LiteralString = """
SELECT notification_id, originator_id, originator_version, topic, state, recorded_at
FROM public.pitclerk_events {} ORDER BY notification_id LIMIT %s"""


def events(
    conn: psycopg.Connection[Any],
    *,
    after: int = 0,
    limit: int = 100,
    table: str | None = None,
    round_id: str | None = None,
    type_: str | None = None,
    raw: bool = False,
) -> Events:
    """Events after a position, in the order of the log. type_: a whole topic, such as `table.payout_made`."""
    with snapshot(conn) as look:
        if round_id is not None:
            found = [e for e in of_round(look, round_id, raw=raw) if e.position > after]
            found = [e for e in found if type_ in (None, e.type) and (table is None or _is_of(e.stream, table))]
        else:
            found = _page(look, after, limit + 1, table, type_, raw=raw)
    page = found[:limit]
    return Events(page, page[-1].position if len(found) > limit else None)


def _page(
    look: Snapshot, after: int, limit: int, table: str | None, type_: str | None, *, raw: bool
) -> list[LoggedEvent]:
    pattern = None if table is None else f"{_escaped(f'table/{table}')}/%"
    where, values = conditions([("notification_id > %s", after), ("topic = %s", type_)])
    if table is not None:
        where = sql.SQL("{} AND (originator_id = %s OR originator_id LIKE %s)").format(where)
        values += [f"table/{table}", pattern]
    rows = look.rows(sql.SQL(_EVENTS).format(where), [*values, limit])
    return [logged(row, raw=raw) for row in rows]


def _is_of(stream: str, table: str) -> bool:
    return stream == f"table/{table}" or stream.startswith(f"table/{table}/")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_")


_PLACE = "SELECT stream, first_version, last_version FROM views.rounds WHERE round = %s"
_AFTERWARDS = """
SELECT paid_position FROM views.jackpot_hits WHERE round = %(round)s AND paid_position IS NOT NULL
UNION SELECT position FROM views.round_notes WHERE round = %(round)s"""
_MOST = 100_000


def of_round(look: Snapshot, round_id: str, *, raw: bool = False) -> list[LoggedEvent]:
    """Every event that names the round, later payments and corrections included; none for an unknown round."""
    found: dict[int, LoggedEvent] = {}
    for stream, first, last in look.rows(_PLACE, (round_id,)):
        parts: list[tuple[LiteralString, object]] = [
            ("originator_id = %s", stream),
            ("originator_version >= %s", first),
            ("originator_version <= %s", last),
        ]
        where, values = conditions(parts)
        for row in look.rows(sql.SQL(_EVENTS).format(where), [*values, _MOST]):
            event = logged(row, raw=raw)
            if _names(event, round_id):
                found[event.position] = event
    later = [position for (position,) in look.rows(_AFTERWARDS, {"round": round_id})]
    if found and later:
        where, values = conditions([("notification_id = ANY(%s)", later)])
        for row in look.rows(sql.SQL(_EVENTS).format(where), [*values, _MOST]):
            found[row[0]] = logged(row, raw=raw)
    return [found[position] for position in sorted(found)]


class _Named(Struct):
    round: str | None = None


def _names(event: LoggedEvent, round_id: str) -> bool:
    try:
        return msgspec.json.decode(event.data, type=_Named).round == round_id
    except msgspec.DecodeError:
        return False


def logged(row: tuple[Any, ...], *, raw: bool = False) -> LoggedEvent:
    """A stored row as it is shown: (position, stream, version, topic, state, recorded_at)."""
    position, stream, version, topic, state, recorded_at = row
    try:
        stored = _DECODER.decode(state)
        meta, data = stored.meta, stored.data
    except msgspec.DecodeError:
        meta, data = {}, msgspec.Raw(msgspec.json.encode({"unreadable": base64.b64encode(state).decode()}))
    leaf: str | UnsetType = UNSET
    if raw:
        leaf = base64.b64encode(leaf_bytes(position, stream, version, topic, bytes(state), recorded_at)).decode()
    return LoggedEvent(
        position=position,
        event_id=meta.get("event_id"),
        stream=stream,
        version=version,
        type=topic,
        recorded_at=utc(recorded_at) or recorded_at,
        happened_at=meta.get("happened_at"),
        actor=meta.get("actor"),
        gaming_day=meta.get("gaming_day"),
        approver=meta.get("approver"),
        late=bool(meta.get("late", False)),
        data=data,
        leaf_bytes=leaf,
    )
