"""What accounting puts right in the drop and in the master game report of a day, on the count of that day.

Nothing recorded is changed: the first settled count stays, and every adjustment stands beside what it adjusts, with its
reason and the two people who agreed on it (N.J.A.C. 13:69D-1.34).
"""

from typing import Literal

from domain.events.base import Event

Figure = Literal["opener", "closer", "fills", "credits"]


class BoxCorrectionProposed(Event, frozen=True, kw_only=True):
    """Somebody says that a settled box held `now` minor units and not `was`; another person must agree."""

    TOPIC = "count.box_correction_proposed"
    approval: str
    drop: str
    was: int
    now: int
    reason: str


class BoxCorrected(Event, frozen=True, kw_only=True):
    """The counted drop of the session is `now - was` minor units more; proposer: who said so.

    difference: how far counted drop less recorded buy-ins moves, once all boxes of the session are counted; else None.
    """

    TOPIC = "count.box_corrected"
    approval: str
    proposer: str
    drop: str
    table: str
    session: str
    session_stream: str
    currency: str
    was: int
    now: int
    reason: str
    difference: int | None = None


class AdjustmentProposed(Event, frozen=True, kw_only=True):
    """The audit finds that a figure of a closed session should be `amount` minor units more (less: negative)."""

    TOPIC = "count.adjustment_proposed"
    approval: str
    table: str
    session: str
    session_stream: str
    currency: str
    figure: Figure
    amount: int
    reason: str


class FigureAdjusted(Event, frozen=True, kw_only=True):
    """An audit adjustment: the win of the session is `win` minor units more, the figure itself `amount`."""

    TOPIC = "count.figure_adjusted"
    approval: str
    proposer: str
    table: str
    session: str
    session_stream: str
    currency: str
    figure: Figure
    amount: int
    win: int
    reason: str


class AdjustmentRefused(Event, frozen=True, kw_only=True):
    """The correction or adjustment is not agreed to."""

    TOPIC = "count.adjustment_refused"
    approval: str
    reason: str
