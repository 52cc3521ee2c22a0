"""The one place that says what an event means in money: event -> balanced double-entry legs.

A leg is (account, amount) in millionths of a minor unit: positive is a debit, negative a credit, and the legs of one
event sum to zero. Journal, expected tray, hold and jackpot liability all read this and nothing else.

| account | what it holds |
|---|---|
| tray | chips in the table's tray |
| float | the table's bank between sessions, the other side of opener and closer |
| cage | chips in the cage |
| drop_box | tender taken for chips at the table |
| win.<kind> | stakes taken less winnings paid, by kind of stake (a credit is the house's gain) |
| over_short | closer less expected tray |
| jackpot_cost | what jackpots cost the house: increments accrued, the base and the prizes it paid for hits |
| jackpot_liability | what is owed to future winners: increments and reserve, never the house's own base (ASC 924) |
| jackpot_due | awards hit and not yet paid |
| jackpot_transit | funds on their way from one progressive to another; zero after every transfer |
"""

from collections.abc import Callable

from domain.events.base import Event
from domain.events.chips import BuyIn, CreditSent, FillReceived
from domain.events.correction import AmountCorrected, RulingMade
from domain.events.jackpot import JackpotContributed, JackpotHit, JackpotPaid
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
