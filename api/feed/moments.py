"""Moments: hits, payments and rejections as the feed tells them, read from the log or from what it adds up to."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, NamedTuple

from msgspec.structs import replace

from api.feed.frames import Data, Frame, State, timestamp
from domain.events.base import Event, Meta
from domain.events.jackpot import JackpotHit, JackpotPaid
from domain.events.progressive import HitPaid, HitRejected
from domain.money import MICRO
from projections.reads.jackpot_hits import HitView
from projections.sessions import table_of

Key = tuple[str, int]
"""Jackpot and level."""

TOPICS: Final = (JackpotHit.TOPIC, JackpotPaid.TOPIC, HitPaid.TOPIC, HitRejected.TOPIC)


class Moment(NamedTuple):
    """A hit, or (is_payment) an award that left the house, or (is_rejection) a hit that was none.

    before, after: what the sign showed around a hit; after a rejection, the meter that was put back.
    """

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
    is_rejection: bool = False

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
    if isinstance(event, HitRejected):
        table = event.hit.rsplit(".", 2)[0].rsplit("-", 5)[0]
        after = event.meter_after_u // MICRO
        where = (position, False, event.progressive, event.level, meta.happened_at, event.award, table)
        return Moment(*where, after=after, is_rejection=True)
    return None


def of_views(hits: Iterable[HitView], paid: Iterable[HitView], rejected: Iterable[HitView] = ()) -> list[Moment]:
    """The moments of hits, payments and rejections as the views have them, in the order of the log."""
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
    for hit in rejected:
        assert hit.rejected_position is not None, "a rejection has its position"
        assert hit.restored_to is not None, "and says what it restores"
        at = hit.rejected_at or hit.at
        where = (hit.rejected_position, False, hit.jackpot, hit.level, at, hit.award, hit.table)
        found.append(Moment(*where, after=hit.restored_to, is_rejection=True))
    return sorted(found, key=lambda moment: moment.position)


def frames_of(moments: Iterable[Moment], shown: Mapping[Key, int], now: Mapping[Key, Data]) -> list[Frame]:
    """The moments as frames. shown: what the signs showed before, as far as known; now: the newest picture."""
    showing = dict(shown)
    frames: list[Frame] = []
    for moment in moments:
        newest = now.get(moment.key)
        currency = newest.currency if newest is not None else ""
        if moment.is_rejection:
            showing[moment.key] = moment.after
            frames.append(Frame("reset", _restored(moment, currency, newest)))
            continue
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


def _restored(moment: Moment, currency: str, newest: Data | None) -> Data:
    """The sign goes on from the meter that was put back; no award is named, and another hit may still wait."""
    state: State = newest.state if newest is not None else "NORMAL"
    return replace(_data(moment, moment.after, currency, state, None), hit_amount=None)


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
