"""Figures that an event tells although they follow from its own other fields: added up again, and demanded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from domain.events.adjustment import FigureAdjusted
from domain.events.base import Event, chips_total
from domain.events.cage import HandoverOffered, WindowClosed, WindowOpened
from domain.events.chips import CreditSent, FillReceived
from domain.events.correction import RulingMade
from domain.events.count import BoxCounted
from domain.events.progressive import MeterAdjusted
from domain.events.session import SessionClosed, SessionOpened, SessionReleased
from domain.events.slips import SlipRequested
from domain.events.tray import OpenerDiffered, TrayCounted

Figures = dict[str, int]

WIN_OF: Final = {"opener": -1, "fills": -1, "closer": 1, "credits": 1}
"""How the win of a session moves with each of its figures."""


def _window(e: WindowOpened | HandoverOffered) -> Figures:
    return {"cash_total": chips_total(e.cash), "chips_total": chips_total(e.chips)}


def _window_closed(e: WindowClosed) -> Figures:
    cash, chips = chips_total(e.cash), chips_total(e.chips)
    over = cash + chips - e.expected_cash - e.expected_chips
    return {"cash_total": cash, "chips_total": chips, "over_short": over}


def _tray(e: TrayCounted) -> Figures:
    total = chips_total(e.chips)
    return {"total": total, "difference": total - e.expected}


_FOLLOWS: Final[dict[type[Event], Callable[[Any], Figures]]] = {
    SessionOpened: lambda e: {"opener_total": chips_total(e.opener)},
    SessionClosed: lambda e: {"closer_total": chips_total(e.closer)},
    SessionReleased: lambda e: {"closer_total": chips_total(e.closer)},
    FillReceived: lambda e: {"amount": chips_total(e.chips)},
    CreditSent: lambda e: {"amount": chips_total(e.chips)},
    TrayCounted: _tray,
    OpenerDiffered: lambda e: {"difference": chips_total(e.counted) - chips_total(e.carried)},
    RulingMade: lambda e: {"paid": sum(payment.amount for payment in e.payments)},
    SlipRequested: lambda e: {"amount": chips_total(e.chips)},
    BoxCounted: lambda e: {"total": chips_total(e.cash)},
    FigureAdjusted: lambda e: {"win": WIN_OF[e.figure] * e.amount},
    WindowOpened: _window,
    HandoverOffered: _window,
    WindowClosed: _window_closed,
    MeterAdjusted: lambda e: {"after_u": e.before_u + e.amount_u},
}

TOTALLED: Final = frozenset(_FOLLOWS)


def amiss(event: Event) -> Figures:
    """The figures as they follow, where any of them is recorded otherwise; empty where the event is in order."""
    follows = _FOLLOWS.get(type(event))
    if follows is None:
        return {}
    figures = follows(event)
    return figures if any(getattr(event, name) != of for name, of in figures.items()) else {}
