"""The one place that says what an event means in money: event -> balanced double-entry legs.

A leg is (account, amount) in millionths of a minor unit: positive is a debit, negative a credit, and the legs of one
event sum to zero. Journal, expected tray, hold and jackpot liability all read this and nothing else.

| account | what it holds |
|---|---|
| tray | chips in the table's tray |
| float | the table's bank between sessions, the other side of opener and closer |
| cage | the cage's main bank: chips for fills, cash that was counted |
| drop_box | tender taken for chips at the table |
| window_cash, window_chips | what cashiers hold at their windows |
| cage_transit | between two windows; zero once everything sent has been received |
| cage_over_short | closing count of windows less what they should hold |
| drop_difference | drop as counted less the buy-ins recorded for it |
| audit_adjustment | what the audit adjusts in win, apart from what is counted and recorded |
| win.<kind> | stakes taken less winnings paid, by kind of stake (a credit is the house's gain) |
| over_short | closer less expected tray |
| jackpot_cost | what jackpots cost the house: increments accrued, the base and the prizes it paid for hits |
| jackpot_liability | what is owed to future winners: increments and reserve, never the house's own base (ASC 924) |
| jackpot_due | awards hit and not yet paid |
| jackpot_transit | funds on their way from one progressive to another; zero after every transfer |
"""

from collections.abc import Callable

from domain.events.adjustment import BoxCorrected, FigureAdjusted
from domain.events.base import Event
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
from domain.events.chips import BuyIn, CreditSent, FillReceived
from domain.events.correction import AmountCorrected, RulingMade
from domain.events.count import BoxSettled
from domain.events.jackpot import JackpotContributed, JackpotHit, JackpotPaid
from domain.events.late import BuyInLearned, LateReckoned
from domain.events.outcome import PayoutMade, StakeTaken
from domain.events.progressive import FundsReceived, FundsSent, HitPaid, HitRejected, MeterAdjusted
from domain.events.session import SessionClosed, SessionOpened
from domain.money import MICRO

Legs = tuple[tuple[str, int], ...]

TRAY = "tray"
FLOAT = "float"
CAGE = "cage"
DROP_BOX = "drop_box"
OVER_SHORT = "over_short"
JACKPOT_COST = "jackpot_cost"
JACKPOT_LIABILITY = "jackpot_liability"
JACKPOT_DUE = "jackpot_due"
JACKPOT_TRANSIT = "jackpot_transit"
WINDOW_CASH = "window_cash"
WINDOW_CHIPS = "window_chips"
CAGE_TRANSIT = "cage_transit"
CAGE_OVER_SHORT = "cage_over_short"
DROP_DIFFERENCE = "drop_difference"
AUDIT_ADJUSTMENT = "audit_adjustment"


def _move(debit: str, credit: str, amount: int) -> Legs:
    return ((debit, amount * MICRO), (credit, -amount * MICRO))


def _paid_from(paid_by: str) -> str:
    return TRAY if paid_by == "tray" else CAGE


def _opened(e: SessionOpened) -> Legs:
    return _move(TRAY, FLOAT, e.opener_total)


def _closed(e: SessionClosed) -> Legs:
    return (
        (FLOAT, e.closer_total * MICRO),
        (TRAY, -e.expected * MICRO),
        (OVER_SHORT, (e.expected - e.closer_total) * MICRO),
    )


def _contributed(e: JackpotContributed) -> Legs:
    total = sum(s.increment_u + s.reserve_u for s in e.shares)
    return ((JACKPOT_COST, total), (JACKPOT_LIABILITY, -total))


def _hit(e: JackpotHit) -> Legs:
    if e.charged_to == "house":
        return _move(JACKPOT_COST, JACKPOT_DUE, e.award)
    award_u = e.award * MICRO
    return ((JACKPOT_LIABILITY, award_u - e.base_u), (JACKPOT_COST, e.base_u), (JACKPOT_DUE, -award_u))


def _rejected(e: HitRejected) -> Legs:
    award_u = e.award * MICRO
    return ((JACKPOT_DUE, award_u), (JACKPOT_LIABILITY, e.base_u - award_u), (JACKPOT_COST, -e.base_u))


def _sent(e: FundsSent) -> Legs:
    owed_u = e.display_u + e.reserve_u + e.overflow_u + e.residue_u - e.base_u
    return ((JACKPOT_LIABILITY, owed_u), (JACKPOT_TRANSIT, -owed_u))


def _received(e: FundsReceived) -> Legs:
    owed_u = e.display_u + e.reserve_u - e.base_u
    return ((JACKPOT_TRANSIT, owed_u), (JACKPOT_LIABILITY, -owed_u))


def _corrected(e: AmountCorrected) -> Legs:
    if e.effect == "taken":
        return _move(TRAY, f"win.{e.kind}", e.now - e.was)
    if e.effect == "paid":
        return _move(f"win.{e.kind}", TRAY, e.now - e.was)
    return ()


def _settled(e: BoxSettled) -> Legs:
    found = e.difference or 0
    return _move(CAGE, DROP_BOX, e.total) + (_move(DROP_BOX, DROP_DIFFERENCE, found) if found else ())


def _box_corrected(e: BoxCorrected) -> Legs:
    found = e.difference or 0
    return _move(CAGE, DROP_BOX, e.now - e.was) + (_move(DROP_BOX, DROP_DIFFERENCE, found) if found else ())


def _adjusted(e: FigureAdjusted) -> Legs:
    """An opener or closer is out against the table's bank, a fill or credit against the cage's."""
    return _move(FLOAT if e.figure in ("opener", "closer") else CAGE, AUDIT_ADJUSTMENT, e.win)


def _window_opened(e: WindowOpened) -> Legs:
    return _move(WINDOW_CASH, CAGE, e.cash_total) + _move(WINDOW_CHIPS, CAGE, e.chips_total)


def _window_closed(e: WindowClosed) -> Legs:
    return (
        (CAGE, (e.cash_total + e.chips_total) * MICRO),
        (WINDOW_CASH, -e.expected_cash * MICRO),
        (WINDOW_CHIPS, -e.expected_chips * MICRO),
        (CAGE_OVER_SHORT, -e.over_short * MICRO),
    )


def _transfer_sent(e: TransferSent) -> Legs:
    return _move(CAGE_TRANSIT, WINDOW_CASH, e.cash) + _move(CAGE_TRANSIT, WINDOW_CHIPS, e.chips)


def _transfer_received(e: TransferReceived) -> Legs:
    return _move(WINDOW_CASH, CAGE_TRANSIT, e.cash) + _move(WINDOW_CHIPS, CAGE_TRANSIT, e.chips)


_RULES: dict[type[Event], Callable[..., Legs]] = {
    SessionOpened: _opened,
    SessionClosed: _closed,
    BuyIn: lambda e: _move(DROP_BOX, TRAY, e.amount),
    FillReceived: lambda e: _move(TRAY, CAGE, e.amount),
    CreditSent: lambda e: _move(CAGE, TRAY, e.amount),
    StakeTaken: lambda e: _move(TRAY, f"win.{e.kind}", e.amount),
    PayoutMade: lambda e: _move(f"win.{e.kind}", _paid_from(e.paid_by), e.paid),
    JackpotContributed: _contributed,
    JackpotHit: _hit,
    JackpotPaid: lambda e: _move(JACKPOT_DUE, _paid_from(e.paid_by), e.amount),
    AmountCorrected: _corrected,
    RulingMade: lambda e: _move("win.ruling", TRAY, e.paid),
    BoxSettled: _settled,
    BoxCorrected: _box_corrected,
    FigureAdjusted: _adjusted,
    WindowOpened: _window_opened,
    WindowClosed: _window_closed,
    ChipsSold: lambda e: _move(WINDOW_CASH, WINDOW_CHIPS, e.amount),
    ChipsRedeemed: lambda e: _move(WINDOW_CHIPS, WINDOW_CASH, e.amount),
    # The hit's own payment took the award out of the main bank; the window's cash makes it good.
    HandPaid: lambda e: _move(CAGE, WINDOW_CASH, e.amount),
    # The table's side of a slip is booked against the main bank; a window that serves it makes that good, or takes it.
    FillServed: lambda e: _move(CAGE, WINDOW_CHIPS, e.amount),
    FillTakenBack: lambda e: _move(WINDOW_CHIPS, CAGE, e.amount),
    CreditTaken: lambda e: _move(WINDOW_CHIPS, CAGE, e.amount),
    TransferSent: _transfer_sent,
    TransferReceived: _transfer_received,
    # Chips that had moved before an earlier closer: no part of this tray, and that closer was so much less over.
    LateReckoned: lambda e: _move(OVER_SHORT, TRAY, e.tray),
    BuyInLearned: lambda e: _move(DROP_DIFFERENCE, DROP_BOX, e.difference) if e.difference else (),
    HitRejected: _rejected,
    MeterAdjusted: lambda e: ((JACKPOT_COST, e.amount_u), (JACKPOT_LIABILITY, -e.amount_u)),
    FundsSent: _sent,
    FundsReceived: _received,
    HitPaid: lambda e: _move(JACKPOT_DUE, CAGE, e.amount) if e.paid_by == "cage" else (),
}


def legs(event: Event) -> Legs:
    """The balanced legs of an event; empty for one that moves no money."""
    rule = _RULES.get(type(event))
    return rule(event) if rule else ()


def tray_change(event: Event) -> int:
    """How far the event moves the table's tray, in minor units."""
    rule = _RULES.get(type(event))
    if rule is None:
        return 0
    return sum(amount for account, amount in rule(event) if account == TRAY) // MICRO
