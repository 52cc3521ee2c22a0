"""Moments: hits, resets and payments as the feed tells them, whether read from the log or from what it adds up to."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, NamedTuple

from msgspec.structs import replace

from api.feed.frames import Data, Frame, State, timestamp
from domain.events.base import Event, Meta
from domain.events.jackpot import JackpotHit, JackpotPaid
from domain.events.progressive import HitPaid
from domain.money import MICRO
from projections.reads.jackpots import HitView
from projections.sessions import table_of

Key = tuple[str, int]
"""Jackpot and level."""

TOPICS: Final = (JackpotHit.TOPIC, JackpotPaid.TOPIC, HitPaid.TOPIC)


class Moment(NamedTuple):
    """A hit, or (is_payment) an award that left the house. before, after: what the sign showed around a hit."""

    position: int
    is_payment: bool
    jackpot: str
    level: int
    at: datetime
    amount: int
    table: str
    before: int = 0
    after: int = 0
    waits: bool = False

    @property
    def key(self) -> Key:
        """The level it happened on."""
        return self.jackpot, self.level


def of_event(position: int, stream: str, meta: Meta, event: Event) -> Moment | None:
    """The moment that an event of the log is, if it is one.

    An award paid from a tray is said twice, on the table's stream and on the progressive's: the first one counts.
    """
    if isinstance(event, JackpotHit):
        before, after = event.meter_before_u // MICRO, event.meter_after_u // MICRO
        where = (position, False, event.progressive, event.level, meta.happened_at, event.award, table_of(stream))
        return Moment(*where, before, after, event.pending)
    if isinstance(event, JackpotPaid):
        table = table_of(stream)
        return Moment(position, True, event.progressive, event.level, meta.happened_at, event.amount, table)
    if isinstance(event, HitPaid) and event.paid_by != "tray":
        return Moment(position, True, event.progressive, event.level, meta.happened_at, event.amount, event.table)
    return None


def of_views(hits: Iterable[HitView], paid: Iterable[HitView]) -> list[Moment]:
    """The moments of hits and payments as the views have them, in the order of the log."""
    found = [
        Moment(
            hit.position,
            False,
            hit.jackpot,
            hit.level,
            hit.at,
            hit.award,
            hit.table,
            int(hit.meter_before_u) // MICRO,
            int(hit.meter_after_u) // MICRO,
            hit.share_ppm is not None,  # a share of the meter waits to be verified, a fixed prize is paid at once
        )
        for hit in hits
    ]
    for hit in paid:
        assert hit.paid is not None, "a payment has its amount"
        assert hit.paid_position is not None, "and its position"
        at = hit.paid_at or hit.at
        found.append(Moment(hit.paid_position, True, hit.jackpot, hit.level, at, hit.paid, hit.table))
    return sorted(found, key=lambda moment: moment.position)


def frames_of(moments: Iterable[Moment], shown: Mapping[Key, int], now: Mapping[Key, Data]) -> list[Frame]:
    """The moments as frames. shown: what the signs showed before, as far as known; now: the newest picture."""
    showing = dict(shown)
    frames: list[Frame] = []
    for moment in moments:
        newest = now.get(moment.key)
        currency = newest.currency if newest is not None else ""
        if moment.is_payment:
            # A payment moves no meter: the sign goes on showing what it showed, and another hit may still wait.
            state: State = newest.state if newest is not None else "NORMAL"
            amount = showing.get(moment.key, newest.amount if newest is not None else 0)
            frames.append(Frame("paid", _data(moment, amount, currency, state, None)))
            continue
        showing[moment.key] = moment.after
        hit = _data(moment, moment.before, currency, "PENDING" if moment.waits else "NORMAL", moment.after)
        frames.append(Frame("hit", hit))
        if moment.before != moment.after:
            frames.append(Frame("reset", replace(hit, amount=moment.after, next_amount=None)))
    return frames


def _data(moment: Moment, amount: int, currency: str, state: State, next_amount: int | None) -> Data:
    return Data(
        jackpot=moment.jackpot,
        level=moment.level,
        amount=amount,
        currency=currency,
        position=moment.position,
        as_of=timestamp(moment.at),
        state=state,
        next_amount=next_amount,
        hit_amount=moment.amount,
        table=moment.table,
    )
