"""Chips that cross the table's edge outside play."""

from domain.events.base import Chips, Event


class BuyIn(Event, frozen=True, kw_only=True):
    """A player's tender into the drop box, chips of the same value from the tray to the player."""

    TOPIC = "table.buy_in"
    player: str
    amount: int
    tender: str


class TipDropped(Event, frozen=True, kw_only=True):
    """A tip into the toke box: never table win, and it does not move the tray."""

    TOPIC = "table.tip_dropped"
    amount: int
    player: str | None = None


class FillReceived(Event, frozen=True, kw_only=True):
    """Chips of a fill, verified into the tray; `slip` names the slip with its signatures."""

    TOPIC = "table.fill_received"
    slip: str
    chips: tuple[Chips, ...]
    amount: int


class CreditSent(Event, frozen=True, kw_only=True):
    """Chips of a credit, gone from the tray to the cage."""

    TOPIC = "table.credit_sent"
    slip: str
    chips: tuple[Chips, ...]
    amount: int
