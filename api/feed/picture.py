"""Reading the meters: the newest picture, and the moments (hits, resets, payments) that led to it.

Both come from the jackpot projection in one snapshot, which is true at exactly one position of the log.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from msgspec.structs import replace
from psycopg import Connection

from api.feed.frames import Data, Frame, State, timestamp
from domain.money import MICRO
from projections.reads import jackpots as views
from projections.reads.jackpots import HitView, JackpotView

Key = tuple[str, int]
"""Jackpot and level."""

PAGE: Final = 500  # hits and payments a read


class Picture(NamedTuple):
    """Every level as it stands at `position`."""

    position: int
    as_of: str
    levels: Mapping[Key, Data]


EMPTY: Final = Picture(0, timestamp(datetime(1970, 1, 1, tzinfo=UTC)), {})


class Pictures:
    """Takes pictures one after another, each from what has changed since the last."""

    def __init__(self) -> None:
        self.last: Picture = EMPTY
        self._jackpots: dict[str, JackpotView] = {}
        self._tables: dict[str, str] = {}

    def next(self, conn: Connection[Any]) -> tuple[Picture, list[Frame]]:
        """The picture now, and the moments since the last one (none before the first: nobody has seen anything)."""
        if self.last is EMPTY:
            found = views.jackpots(conn)
            self._jackpots = {jackpot.id: jackpot for jackpot in found.jackpots}
            self.last = self._picture(conn, found.position)
            return self.last, []
        last, after = self.last, self.last.position
        hits, paid = list[HitView](), list[HitView]()
        while True:
            page = views.changes(conn, after, limit=PAGE)
            if page.position < last.position:
                return last, []  # a rebuilt projection stands further back: displays never go back with it
            upto = _complete_upto(page)
            self._jackpots.update((jackpot.id, jackpot) for jackpot in page.jackpots)
            self._tables.update((hit.hit, hit.table) for hit in page.hits if hit.state == "pending")
            hits += [hit for hit in page.hits if hit.position <= upto]
            paid += [hit for hit in page.paid if (hit.paid_position or 0) <= upto]
            if upto == page.position:
                break
            after = upto
        self.last = self._picture(conn, page.position)
        shown = {key: data.amount for key, data in last.levels.items()}
        return self.last, moments_of(hits, paid, shown, self.last)

    def _picture(self, conn: Connection[Any], position: int) -> Picture:
        now = timestamp(datetime.now(UTC))
        waiting = {hit for jackpot in self._jackpots.values() for hit in jackpot.pending}
        if waiting - self._tables.keys():
            self._tables = {hit.hit: hit.table for hit in views.hits(conn, state="pending", limit=PAGE).hits}
        levels: dict[Key, Data] = {}
        for jackpot in self._jackpots.values():
            won = {int(hit.rpartition(".")[2]): hit for hit in jackpot.pending}
            for level in jackpot.levels:
                hit = won.get(level.level)
                levels[jackpot.id, level.level] = Data(
                    jackpot=jackpot.id,
                    level=level.level,
                    amount=level.display,
                    currency=jackpot.currency,
                    position=position,
                    as_of=now,
                    state=_state(jackpot.state, hit),
                    hit_amount=None if hit is None else jackpot.pending[hit],
                    table=None if hit is None else self._tables.get(hit),
                )
        return Picture(position, now, levels)


def _state(of_jackpot: str, hit: str | None) -> State:
    if of_jackpot == "STOPPED":
        return "STOPPED"
    return "NORMAL" if hit is None else "PENDING"


def missed_moments(conn: Connection[Any], after: int, upto: int, now: Picture) -> list[Frame]:
    """The moments of some whole positions after `after`, none beyond `upto`; empty only if there are none at all."""
    page = views.changes(conn, after, limit=PAGE)
    upto = min(upto, _complete_upto(page))
    hits = [hit for hit in page.hits if hit.position <= upto]
    paid = [hit for hit in page.paid if (hit.paid_position or 0) <= upto]
    return moments_of(hits, paid, {}, now)


def _complete_upto(page: views.JackpotChanges) -> int:
    """Up to where the page holds everything: a full list may have been cut short after its last position."""
    upto = page.position
    if len(page.hits) == PAGE:
        upto = min(upto, page.hits[-1].position)
    if len(page.paid) == PAGE:
        upto = min(upto, page.paid[-1].paid_position or upto)
    return upto


def moments_of(hits: Sequence[HitView], paid: Sequence[HitView], shown: dict[Key, int], now: Picture) -> list[Frame]:
    """Hits and payments as frames in the order of the log. shown: what the signs showed before, as far as known."""
    moments = [(hit.position, hit, False) for hit in hits] + [(hit.paid_position or 0, hit, True) for hit in paid]
    frames: list[Frame] = []
    for _, hit, is_payment in sorted(moments, key=lambda moment: (moment[0], moment[2])):
        frames += [_payment(hit, shown, now)] if is_payment else _hit(hit, shown)
    return frames


def _hit(hit: HitView, shown: dict[Key, int]) -> list[Frame]:
    before, after = int(hit.meter_before_u) // MICRO, int(hit.meter_after_u) // MICRO
    shown[hit.jackpot, hit.level] = after
    data = Data(
        jackpot=hit.jackpot,
        level=hit.level,
        amount=before,
        currency=hit.currency,
        position=hit.position,
        as_of=timestamp(hit.at),
        state="PENDING" if _was_pending(hit) else "NORMAL",
        next_amount=after,
        hit_amount=hit.award,
        table=hit.table,
    )
    if before == after:
        return [Frame("hit", data)]
    return [Frame("hit", data), Frame("reset", replace(data, amount=after, next_amount=None))]


def _was_pending(hit: HitView) -> bool:
    """Whether the hit waited when it was made: fixed prizes are paid at once, at the very next position or so."""
    return hit.share_ppm is not None


def _payment(hit: HitView, shown: dict[Key, int], now: Picture) -> Frame:
    """A payment moves no meter: the sign goes on showing what it showed, and another hit may still wait."""
    level = now.levels.get((hit.jackpot, hit.level))
    data = Data(
        jackpot=hit.jackpot,
        level=hit.level,
        amount=shown.get((hit.jackpot, hit.level), int(hit.meter_after_u) // MICRO),
        currency=hit.currency,
        position=hit.paid_position or hit.position,
        as_of=timestamp(hit.paid_at or hit.at),
        state="NORMAL" if level is None else level.state,
        hit_amount=hit.paid,
        table=hit.table,
    )
    return Frame("paid", data)
