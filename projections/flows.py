"""What a batch moves, summed by session and hour: the common part of hold, limits and floor, computed once a batch.

A late event counts in the session and hour of its business time, whatever stream it was recorded on.

What an event means in money is `domain.postings`' to say. Its rules are linear in the amounts, so the tray is asked
once a sum and not once an event: the legs of a sum are the sum of the legs (a property test holds postings to that).
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from domain.events.base import Meta
from domain.events.chips import BuyIn, CreditSent, FillReceived, TipDropped
from domain.events.correction import AmountCorrected, RulingMade
from domain.events.jackpot import JackpotPaid
from domain.events.late import LateReckoned
from domain.events.outcome import PayoutMade, RoundClosed, StakeReturned, StakeTaken
from domain.events.session import SessionClosed, SessionOpened
from domain.postings import tray_change
from projections.log_reader import Batch, hour_of

FLOW_EVENTS = (
    SessionOpened,
    SessionClosed,
    BuyIn,
    TipDropped,
    FillReceived,
    CreditSent,
    StakeTaken,
    StakeReturned,
    PayoutMade,
    JackpotPaid,
    RoundClosed,
    AmountCorrected,
    RulingMade,
    LateReckoned,
)
RULING = "ruling"
"""The kind under which payments that a ruling orders are counted."""

FLOW_TOPICS = frozenset(kind.TOPIC for kind in FLOW_EVENTS)


class Flow:
    """Sums of one session and hour, in minor units. Winnings are kept by (kind, paid_by), jackpots by paid_by."""

    __slots__ = (
        "buy_ins",
        "capped",
        "credits",
        "due",
        "fills",
        "hour",
        "jackpots",
        "over_short",
        "paid",
        "returned",
        "rounds",
        "site",
        "stream",
        "taken",
        "tips",
        "tray_closed",
        "tray_opened",
        "void_rounds",
        "void_staked",
    )

    def __init__(self, site: str, stream: str, hour: datetime) -> None:
        self.site = site
        self.stream = stream
        self.hour = hour
        self.taken: dict[str, int] = defaultdict(int)
        self.returned: dict[str, int] = defaultdict(int)
        self.due: dict[str, int] = defaultdict(int)
        self.capped: dict[str, int] = defaultdict(int)
        self.paid: dict[tuple[str, str], int] = defaultdict(int)
        self.jackpots: dict[str, int] = defaultdict(int)
        self.rounds = self.void_rounds = self.void_staked = 0
        self.buy_ins = self.fills = self.credits = self.tips = 0
        self.tray_opened = self.tray_closed = self.over_short = 0

    def kinds(self) -> set[str]:
        """Every kind of stake that moved."""
        return {*self.taken, *self.returned, *self.due, *(kind for kind, _ in self.paid)}

    def tray_of_kind(self, kind: str) -> int:
        """How far stakes taken and winnings paid of a kind move the tray."""
        moved = tray_change(_taken(kind, self.taken.get(kind, 0)))
        for (of, paid_by), paid in self.paid.items():
            if of == kind:
                moved += tray_change(_payout(kind, paid, paid_by))
        return moved

    def tray_of_jackpots(self) -> int:
        """How far jackpots paid at the table move the tray."""
        return sum(tray_change(_jackpot(paid_by, paid)) for paid_by, paid in self.jackpots.items())

    def tray_of_play(self) -> int:
        """How far play moves the tray: taken less what is paid from it."""
        return sum(map(self.tray_of_kind, self.kinds())) + self.tray_of_jackpots()

    def tray(self) -> int:
        """How far everything moves the tray."""
        edge = (
            tray_change(BuyIn(player="", amount=self.buy_ins, tender="cash"))
            + tray_change(FillReceived(slip="", chips=(), amount=self.fills))
            + tray_change(CreditSent(slip="", chips=(), amount=self.credits))
            + tray_change(TipDropped(amount=self.tips))
        )
        return self.tray_opened + self.tray_closed + edge + self.tray_of_play()


def _taken(kind: str, amount: int) -> StakeTaken:
    return StakeTaken(round="", kind=kind, amount=amount, clause="", reason="")


def _payout(kind: str, paid: int, paid_by: str) -> PayoutMade:
    return PayoutMade(round="", kind=kind, due=paid, paid=paid, clause="", odds="", paid_by=paid_by)


def _jackpot(paid_by: str, amount: int) -> JackpotPaid:
    return JackpotPaid(round="", box=0, progressive="", level=0, hit="", amount=amount, paid_by=paid_by)


class Flows:
    """The flows of a batch by (stream, hour)."""

    def __init__(self, batch: Batch) -> None:
        self.by_hour: dict[tuple[str, datetime], Flow] = {}
        self._stakes(batch)
        self._winnings(batch)
        self._rounds(batch)
        self._afterwards(batch)
        self._edge(batch)

    def _of(self, stream: str, meta: Meta) -> Flow:
        return self._at(meta.belongs_to or stream, meta.happened_at, meta.site)

    def _at(self, stream: str, moment: datetime, site: str) -> Flow:
        hour = hour_of(moment)
        flow = self.by_hour.get((stream, hour))
        if flow is None:
            flow = self.by_hour[stream, hour] = Flow(site, stream, hour)
        return flow

    # Consecutive events mostly belong to one save, that is to one stream and moment: the flow is looked up when one of
    # the two changes, not for every event. Late events of another session are of another moment.

    def _stakes(self, batch: Batch) -> None:
        last_stream, last_at = "", None
        for _, stream, _, meta, taken in batch.of(StakeTaken):
            if stream != last_stream or meta.happened_at != last_at:
                last_stream, last_at = stream, meta.happened_at
                sums = self._of(stream, meta).taken
            sums[taken.kind] += taken.amount
        last_stream, last_at = "", None
        for _, stream, _, meta, back in batch.of(StakeReturned):
            if stream != last_stream or meta.happened_at != last_at:
                last_stream, last_at = stream, meta.happened_at
                sums = self._of(stream, meta).returned
            sums[back.kind] += back.amount

    def _winnings(self, batch: Batch) -> None:
        last_stream, last_at = "", None
        for _, stream, _, meta, payout in batch.of(PayoutMade):
            if stream != last_stream or meta.happened_at != last_at:
                last_stream, last_at = stream, meta.happened_at
                flow = self._of(stream, meta)
            kind = payout.kind
            flow.due[kind] += payout.due
            flow.paid[kind, payout.paid_by] += payout.paid
            if payout.capped:
                flow.capped[kind] += payout.capped
        for _, stream, _, meta, jackpot in batch.of(JackpotPaid):
            self._of(stream, meta).jackpots[jackpot.paid_by] += jackpot.amount

    def _rounds(self, batch: Batch) -> None:
        for _, stream, _, meta, closed in batch.of(RoundClosed):
            flow = self._of(stream, meta)
            flow.rounds += 1
            if closed.void:
                flow.void_rounds += 1
                flow.void_staked += closed.staked

    def _afterwards(self, batch: Batch) -> None:
        """What is put right counts where its chips move: in the session and hour of the correction."""
        for _, stream, _, meta, correction in batch.of(AmountCorrected):
            flow = self._of(stream, meta)
            kind, more = correction.kind, correction.now - correction.was
            if correction.effect == "taken":
                flow.taken[kind] += more
            elif correction.effect == "returned":
                flow.returned[kind] += more
            elif correction.effect == "paid":
                flow.due[kind] += more
                flow.paid[kind, "tray"] += more
        for _, stream, _, meta, ruling in batch.of(RulingMade):
            flow = self._of(stream, meta)
            flow.due[RULING] += ruling.paid
            flow.paid[RULING, "tray"] += ruling.paid

    def _edge(self, batch: Batch) -> None:
        for _, stream, _, meta, bought in batch.of(BuyIn):
            self._of(stream, meta).buy_ins += bought.amount
        for _, stream, _, meta, fill in batch.of(FillReceived):
            self._of(stream, meta).fills += fill.amount
        for _, stream, _, meta, credit in batch.of(CreditSent):
            self._of(stream, meta).credits += credit.amount
        for _, stream, _, meta, tip in batch.of(TipDropped):
            self._of(stream, meta).tips += tip.amount
        for _, stream, _, meta, opened in batch.of(SessionOpened):
            self._of(stream, meta).tray_opened += tray_change(opened)
        for _, stream, _, meta, closed in batch.of(SessionClosed):
            flow = self._of(stream, meta)
            flow.tray_closed += tray_change(closed)
            flow.over_short += closed.over_short
        for *_, meta, late in batch.of(LateReckoned):
            # Over/short stands in the hour in which the closer was counted; so does what is learned of it.
            flow = self._at(late.session_stream, late.counted_at, meta.site)
            flow.tray_closed += tray_change(late)
            flow.over_short -= late.tray


def flows(batch: Batch) -> list[Flow]:
    """The flows of a batch; every fold that asks gets the same ones."""
    made: Flows = batch.once(Flows)
    return list(made.by_hour.values())
