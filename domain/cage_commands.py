"""What a cashier may ask for at a cage window, as strict shapes like those of `domain.commands`."""

from typing import Annotated

from msgspec import Meta

from domain.commands import Amount, Command, Day, Name, Player
from domain.events.base import Chips


class OpenWindow(Command, frozen=True, kw_only=True):
    """A cashier's shift begins with the imprest, counted: cash and chips by denomination."""

    cash: Annotated[tuple[Chips, ...], Meta(max_length=40)] = ()
    chips: Annotated[tuple[Chips, ...], Meta(max_length=40)] = ()
    gaming_day: Day | None = None
    shift: Name | None = None


class TradeChips(Command, frozen=True, kw_only=True):
    """Chips for cash, or cash for chips, of the same worth."""

    amount: Amount
    player: Player | None = None


class HandPay(Command, frozen=True, kw_only=True):
    """Pay a pending jackpot hit from this window's cash."""

    progressive: Name
    hit: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.-]{1,100}$")]
    player: Player | None = None


class SendTransfer(Command, frozen=True, kw_only=True):
    """Cash and chips, in minor units, to another window."""

    to: Name
    cash: Annotated[int, Meta(ge=0, le=10**12)] = 0
    chips: Annotated[int, Meta(ge=0, le=10**12)] = 0


class ReceiveTransfer(Command, frozen=True, kw_only=True):
    """What the receiver counts."""

    cash: Annotated[int, Meta(ge=0, le=10**12)] = 0
    chips: Annotated[int, Meta(ge=0, le=10**12)] = 0


class CountWindow(Command, frozen=True, kw_only=True):
    """The window counted: to close it, to hand it over, or to take it over."""

    cash: Annotated[tuple[Chips, ...], Meta(max_length=40)] = ()
    chips: Annotated[tuple[Chips, ...], Meta(max_length=40)] = ()
