"""What is learned of a session after its closer: recorded at the table's open one, it belongs to the earlier one."""

from datetime import datetime

from domain.events.base import Event


class LateReckoned(Event, frozen=True, kw_only=True):
    """Closes a save of late events that belong to an earlier session of the table; stands behind them on their stream.

    tray: how far they move a tray, minor units. Their chips had moved before that session's closer was counted (at
    `counted_at`), so they are no part of this tray, and that session was over by so much less than it was held to be.
    events: how many events of the save stand before this one.
    """

    TOPIC = "table.late_reckoned"
    session: str
    session_stream: str
    counted_at: datetime
    tray: int
    events: int


class BuyInLearned(Event, frozen=True, kw_only=True):
    """On the count of the day it belongs to: a buy-in that nobody had recorded when its session closed.

    difference: what the boxes' counts had held to be more than the recorded buy-ins and is recorded now, minor units;
    0 while a box of the session is not counted yet.
    """

    TOPIC = "count.buy_in_learned"
    session: str
    session_stream: str
    currency: str
    amount: int
    difference: int
