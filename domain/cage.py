"""A cage window and one cashier's shift at it, as folds of their streams."""

from dataclasses import dataclass, field

from domain import streams
from domain.events.base import Event, Meta
from domain.events.cage import (
    ChipsRedeemed,
    ChipsSold,
    CreditTaken,
    FillServed,
    FillTakenBack,
    HandoverOffered,
    HandPaid,
    TransferArrived,
    TransferReceived,
    TransferSent,
    WindowClosed,
    WindowOpened,
    WindowRegistered,
    WindowReleased,
)


@dataclass(slots=True)
class Window:
    """open_stream None: nobody works it. number counts its shifts from 1."""

    open_stream: str | None = None
    number: int = 0


def evolve_window(state: Window, _meta: Meta, event: Event) -> Window:
    """The window's registry after the event."""
    if isinstance(event, WindowRegistered):
        state.open_stream = streams.cage(event.window, event.gaming_day, event.number)
        state.number = event.number
    elif isinstance(event, WindowReleased):
        state.open_stream = None
    return state


@dataclass(slots=True)
class CageShift:
    """cash, chips: what the window should hold, minor units. sent: transfers nobody has signed for yet."""

    opened: WindowOpened | None = None
    cashier: str = ""
    cash: int = 0
    chips: int = 0
    sent: dict[str, TransferSent] = field(default_factory=dict)
    transfers: int = 0
    offered: HandoverOffered | None = None
    closed: bool = False


def evolve(state: CageShift, meta: Meta, event: Event) -> CageShift:
    """The shift after the event."""
    cash, chips = change(event)
    state.cash += cash
    state.chips += chips
    if isinstance(event, WindowOpened):
        state.opened, state.cashier = event, meta.actor
    elif isinstance(event, TransferSent):
        state.sent[event.transfer] = event
        state.transfers += 1
    elif isinstance(event, TransferArrived):
        state.sent.pop(event.transfer)
    elif isinstance(event, HandoverOffered):
        state.offered = event
    elif isinstance(event, WindowClosed):
        state.closed = True
    return state


def change(event: Event) -> tuple[int, int]:
    """How far an event moves the cash and the chips that a window should hold, minor units. Closing moves neither."""
    match event:
        case WindowOpened():
            return event.cash_total, event.chips_total
        case ChipsSold():
            return event.amount, -event.amount
        case ChipsRedeemed():
            return -event.amount, event.amount
        case HandPaid():
            return -event.amount, 0
        case FillServed():
            return 0, -event.amount
        case FillTakenBack() | CreditTaken():
            return 0, event.amount
        case TransferSent():
            return -event.cash, -event.chips
        case TransferReceived():
            return event.cash, event.chips
    return 0, 0
