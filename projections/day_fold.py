"""The figures of some sessions by a fold of their own streams, up to any position: what was known when, and why.

The views answer what is known now. This answers the same for any position of the log, from the same sums (`flows`) and
the same formula (`figures`); a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct

from domain.events.adjustment import BoxCorrected, FigureAdjusted
from domain.events.count import BoxMounted, BoxSettled
from domain.events.session import SessionClosed, SessionOpened
from projections.figures import Extent, Figures, Sums, figures
from projections.flows import FLOW_TOPICS, Flow, flows
from projections.log_reader import Batch

OF_COUNTS = (BoxMounted, BoxSettled, BoxCorrected, FigureAdjusted)
FOLD_TOPICS = FLOW_TOPICS | {kind.TOPIC for kind in OF_COUNTS}


class Play(Struct):
    """The sums, and what was staked: handle = taken + returned; paid holds the jackpots paid at the table too."""

    sums: Sums
    handle: int = 0
    taken: int = 0
    paid: int = 0

    def add(self, other: Play) -> None:
        """Add another's sums."""
        for name in Sums.__struct_fields__:
            setattr(self.sums, name, getattr(self.sums, name) + getattr(other.sums, name))
        self.handle += other.handle
        self.taken += other.taken
        self.paid += other.paid


class SessionFold(Struct):
    """One session so far. closer None: not counted yet. boxes: drop boxes mounted at it, settled: those
    counted, the last of them at counted_at."""

    opened: SessionOpened
    play: Play
    closer: int | None = None
    boxes: int = 0
    settled: int = 0
    contents: int = 0
    counted_at: datetime | None = None

    @property
    def all_counted(self) -> bool:
        return 0 < self.boxes == self.settled

    def extent(self, *, audited: bool) -> Extent:
        """How far this one session is known."""
        return Extent(
            sessions=1,
            open_sessions=int(self.closer is None),
            counted_sessions=int(self.all_counted),
            audited_sessions=int(audited),
            opener=self.opened.opener_total,
            closer=self.closer or 0,
        )


class Group(Struct):
    """Sessions added up."""

    play: Play
    extent: Extent

    def figures(self) -> Figures:
        """Win, drop, hold and grade, by the one formula."""
        return figures(self.play.sums, self.extent, self.play.handle)


class DayFold:
    """Takes the events of sessions' streams and of their counts, in the order of the log."""

    def __init__(self) -> None:
        self.sessions: dict[str, SessionFold] = {}

    def take(self, batch: Batch) -> None:
        """Fold one batch."""
        for _, stream, _, _, opened in batch.of(SessionOpened):
            self.sessions[stream] = SessionFold(opened, Play(Sums()))
        for _, stream, _, _, closed in batch.of(SessionClosed):
            self.sessions[stream].closer = closed.closer_total
        for *_, mounted in batch.of(BoxMounted):
            if mounted.session_stream in self.sessions:
                self.sessions[mounted.session_stream].boxes += 1
        for *_, meta, settled in batch.of(BoxSettled):
            if settled.session_stream in self.sessions:
                session = self.sessions[settled.session_stream]
                session.settled += 1
                session.counted_at = max(session.counted_at or meta.happened_at, meta.happened_at)
                session.contents += settled.total
        for *_, corrected in batch.of(BoxCorrected):
            if corrected.session_stream in self.sessions:
                self.sessions[corrected.session_stream].contents += corrected.now - corrected.was
        for *_, adjusted in batch.of(FigureAdjusted):
            if adjusted.session_stream in self.sessions:
                self.sessions[adjusted.session_stream].play.sums.adjusted += adjusted.win
        for flow in flows(batch):
            if flow.stream in self.sessions:
                self.sessions[flow.stream].play.add(play_of(flow))

    def added_up(self, streams: Iterator[str] | list[str], *, audited: bool) -> Group:
        """These sessions as one group; of those whose drop is all counted, the count with it."""
        group = Group(Play(Sums()), Extent())
        for stream in streams:
            session = self.sessions[stream]
            group.play.add(session.play)
            if session.all_counted:
                group.play.sums.counted += session.contents
                group.play.sums.counted_of += session.play.sums.buy_ins
            extent = session.extent(audited=audited)
            for name in Extent.__struct_fields__:
                setattr(group.extent, name, getattr(group.extent, name) + getattr(extent, name))
        return group


def play_of(flow: Flow) -> Play:
    """What one session's hour adds."""
    taken = sum(flow.taken.values())
    jackpots = sum(flow.jackpots.values())
    sums = Sums(
        rounds=flow.rounds,
        void_rounds=flow.void_rounds,
        void_staked=flow.void_staked,
        buy_ins=flow.buy_ins,
        fills=flow.fills,
        credits=flow.credits,
        tips=flow.tips,
        jackpot_paid=jackpots,
        tray_play=flow.tray_of_play(),
        over_short=flow.over_short,
    )
    return Play(sums, handle=taken + sum(flow.returned.values()), taken=taken, paid=sum(flow.paid.values()) + jackpots)
