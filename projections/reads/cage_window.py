"""One cage window as its cashier sees it: the open shift, what is on its way to and from it, the shifts before."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, LiteralString

import psycopg
from msgspec import Struct

from domain.cage import CageShift, change, evolve
from domain.codec import decode
from domain.events.base import Chips, Event
from domain.events.cage import (
    ChipsRedeemed,
    ChipsSold,
    CreditTaken,
    FillServed,
    FillTakenBack,
    HandPaid,
    TransferReceived,
    TransferSent,
    WindowClosed,
    WindowOpened,
)
from projections.cage import Cage
from projections.reads.cage import CageRow
from projections.reads.cage import cage as shifts
from projections.reads.snapshot import Snapshot, snapshot, utc

MOST_MOVES: Final = 50
MOST_EARLIER: Final = 10
MOST_TRANSIT: Final = 100

_KINDS: Final[dict[type[Event], str]] = {
    WindowOpened: "opened",
    ChipsSold: "sold",
    ChipsRedeemed: "redeemed",
    HandPaid: "hand_paid",
    FillServed: "fill",
    FillTakenBack: "fill_back",
    CreditTaken: "credit",
    TransferSent: "sent",
    TransferReceived: "received",
}


class Move(Struct):
    """What moved the window's cash or chips, and by how much, minor units. about: player, hit, slip or transfer."""

    kind: str
    cash: int
    chips: int
    about: str | None
    at: datetime
    position: int


class Transit(Struct):
    """A transfer that nobody has signed for; amounts in minor units. sender, receiver: windows."""

    transfer: str
    sender: str
    receiver: str
    cash: int
    chips: int
    by: str


class Counted(Struct):
    """Cash and chips by denomination."""

    cash: list[Chips]
    chips: list[Chips]


class WindowView(Struct):
    """shift: the open one, None while nobody works the window. moves: the newest first. earlier: closed shifts."""

    position: int
    window: str
    shift: CageRow | None
    opening: Counted | None
    moves: list[Move]
    incoming: list[Transit]
    outgoing: list[Transit]
    earlier: list[CageRow]


class ShiftRecord(Struct):
    """One shift at a window, with the counts at its beginning and, once closed, at its end."""

    position: int
    shift: CageRow
    opening: Counted
    closing: Counted | None


_OPEN: LiteralString = """
SELECT window_name, stream, cashier FROM views.cage_shifts
WHERE state <> 'closed' AND (window_name = %s OR in_transit > 0) ORDER BY opened_at LIMIT %s"""
_EARLIER: LiteralString = """
SELECT cage_shift FROM views.cage_shifts WHERE window_name = %s AND state = 'closed' ORDER BY opened_at DESC LIMIT %s"""
_STREAM: LiteralString = """
SELECT topic, state, notification_id FROM public.pitclerk_events WHERE originator_id = %s ORDER BY originator_version"""


def window(conn: psycopg.Connection[Any], name: str) -> WindowView:
    """The window as it stands; one that was never opened has no shift."""
    rows = {row.cage_shift: row for row in shifts(conn, window=name).rows}
    with snapshot(conn) as look:
        own: list[Move] = []
        opening: Counted | None = None
        transit: list[Transit] = []
        for of, stream, cashier in look.rows(_OPEN, (name, MOST_TRANSIT)):
            shift, moves = _folded(look, stream)
            transit += [
                Transit(sent.transfer, of, sent.to, sent.cash, sent.chips, cashier) for sent in shift.sent.values()
            ]
            if of == name:
                own = moves
                assert shift.opened is not None, "a shift's stream begins with its opening"
                opening = Counted(list(shift.opened.cash), list(shift.opened.chips))
        earlier = [rows[shift] for (shift,) in look.rows(_EARLIER, (name, MOST_EARLIER)) if shift in rows]
        return WindowView(
            position=look.position(Cage),
            window=name,
            shift=next((row for row in rows.values() if row.state != "closed"), None),
            opening=opening,
            moves=own[::-1][:MOST_MOVES],
            incoming=[one for one in transit if one.receiver == name],
            outgoing=[one for one in transit if one.sender == name],
            earlier=earlier,
        )


_ONE: LiteralString = "SELECT window_name, stream FROM views.cage_shifts WHERE cage_shift = %s"


def shift_record(conn: psycopg.Connection[Any], cage_shift: str) -> ShiftRecord | None:
    """One shift with its counts; None for one that never was."""
    with snapshot(conn) as look:
        found = look.rows(_ONE, (cage_shift,))
    if not found:
        return None
    of, stream = found[0]
    row = next((row for row in shifts(conn, window=of).rows if row.cage_shift == cage_shift), None)
    if row is None:
        return None
    with snapshot(conn) as look:
        opening, closing = Counted([], []), None
        for topic, state, _ in look.rows(_STREAM, (stream,)):
            event = decode(topic, bytes(state))[1]
            if isinstance(event, WindowOpened):
                opening = Counted(list(event.cash), list(event.chips))
            elif isinstance(event, WindowClosed):
                closing = Counted(list(event.cash), list(event.chips))
        return ShiftRecord(look.position(Cage), row, opening, closing)


def _folded(look: Snapshot, stream: str) -> tuple[CageShift, list[Move]]:
    shift, moves = CageShift(), list[Move]()
    for topic, state, position in look.rows(_STREAM, (stream,)):
        meta, event = decode(topic, bytes(state))
        shift = evolve(shift, meta, event)
        kind = _KINDS.get(type(event))
        if kind is not None:
            cash, chips = change(event)
            at = utc(meta.happened_at) or meta.happened_at
            moves.append(Move(kind, cash, chips, _about(event), at, position))
    return shift, moves


def _about(event: Event) -> str | None:
    if isinstance(event, ChipsSold | ChipsRedeemed):
        return event.player
    if isinstance(event, HandPaid):
        return event.hit
    if isinstance(event, FillServed | FillTakenBack | CreditTaken):
        return event.slip
    if isinstance(event, TransferSent | TransferReceived):
        return event.transfer
    return None
