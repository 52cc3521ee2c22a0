"""One decision in the making: what it read, and what it will record if nothing refuses it.

An act sees streams only through its work. Every stream it reads is checked under the commit lock to stand where it
stood when it was read, so a decision never rests on settings that have moved meanwhile.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Protocol, TypeVar

from domain import streams
from domain.cage import CageShift, Window
from domain.counts import CountBook
from domain.displays import Displays
from domain.engine import RoundState
from domain.engine.limits import Limits
from domain.events.base import Event, Meta
from domain.house import House
from domain.inbox import Inbox
from domain.prints import Prints
from domain.program import Program
from domain.progressive.config import Progressive
from domain.progressive.games import Games
from domain.progressive.meters import Meters
from domain.progressive.port import ProgressivePort
from domain.refusals import Refusal
from domain.request import Request
from domain.ruleset import Ruleset
from domain.shoe import Draw
from domain.slips import SlipBook
from domain.table.registry import Registry
from domain.table.session import TableSession

T = TypeVar("T")

SecondOpinion = Callable[[Ruleset, Limits, Sequence[Event]], str | None]
"""Looks at a round, opening to close, before it is recorded; what it has against the settlement, or None."""


class Streams(Protocol):
    """Where a work reads: the folded state of a stream and the version it stands at (0: it does not exist)."""

    def load(self, stream: str) -> tuple[int, object]: ...

    def events(self, stream: str) -> Iterable[tuple[Meta, Event]]: ...

    def ruleset(self, digest: str) -> Ruleset: ...


class Work:
    """Reads for one request, and the events to record, in order.

    now: business time of the request (UTC). draw: the house shoe. meters None: not yet under the commit lock.
    """

    def __init__(
        self,
        source: Streams,
        request: Request,
        *,
        site: str,
        clock_now: datetime,
        draw: Draw,
        meters: Mapping[str, Meters] | None,
        second_opinion: SecondOpinion | None = None,
    ) -> None:
        self._source = source
        self._meters = meters
        self._second_opinion = second_opinion
        self.request = request
        self.site = site
        self.clock_now = clock_now
        self.now = request.at or clock_now
        self.draw = draw
        self.reads: dict[str, int] = {}
        self.records: list[tuple[str, Meta, Event]] = []

    # What stands now

    def house(self) -> House:
        return self._load(streams.HOUSE, House)

    def program(self) -> Program:
        return self._load(streams.PROGRAM, Program)

    def registry(self, table: str) -> Registry:
        return self._load(streams.registry(table), Registry)

    def progressive(self, progressive_id: str) -> Progressive:
        return self._load(streams.progressive(progressive_id), Progressive)

    def games(self, progressive_id: str) -> Games:
        return self._load(streams.games(progressive_id), Games)

    def slips(self, kind: str, gaming_day: str) -> SlipBook:
        return self._load(streams.slips(kind, gaming_day), SlipBook)

    def prints(self, kind: str, slip: str) -> Prints:
        return self._load(streams.prints(kind, slip), Prints)

    def displays(self, hit: str) -> Displays:
        return self._load(streams.displays(hit), Displays)

    def window(self, window: str) -> Window:
        return self._load(streams.window(window), Window)

    def cage_shift(self, stream: str) -> CageShift:
        return self._load(stream, CageShift)

    def inbox(self, gaming_day: str) -> Inbox:
        return self._load(streams.inbox(gaming_day), Inbox)

    def people_of(self, stream: str, version: int) -> set[str]:
        """Who acted, approved and proposed an event of a stream; nobody: it has none of this version.

        What was approved names its approval, and so does the proposal before it. For rare looks back.
        """
        proposers: dict[str, str] = {}
        for at, (meta, event) in enumerate(self._source.events(stream), 1):
            approval = getattr(event, "approval", None)
            if at == version:
                return {meta.actor, meta.approver or meta.actor, proposers.get(approval or "", meta.actor)}
            if approval is not None:
                proposers.setdefault(approval, meta.actor)
        return set()

    def is_recorded(self, stream: str, wanted: Callable[[Event], bool]) -> bool:
        """Whether a stream has such an event. For rare looks back: it reads the stream."""
        return any(wanted(event) for _, event in self._source.events(stream))

    def counts(self, gaming_day: str) -> CountBook:
        return self._load(streams.count(gaming_day), CountBook)

    def ruleset(self, digest: str) -> Ruleset:
        return self._source.ruleset(digest)

    def open_session(self, table: str) -> tuple[str, TableSession]:
        """The open session's stream and state. Refuses `table_closed`."""
        stream = self.registry(table).open_stream
        if stream is None:
            raise Refusal("table_closed", f"table {table} has no open session; open the table first")
        return stream, self._load(stream, TableSession)

    def session(self, stream: str) -> TableSession:
        """A session, open or closed, by its stream."""
        return self._load(stream, TableSession)

    def port(self, session: TableSession) -> ProgressivePort | None:
        """The door to the session's progressive; None where the table is linked to none."""
        progressive_id = session.opened.progressive
        if progressive_id is None:
            return None
        progressive = self.progressive(progressive_id)
        assert progressive.opened is not None, "a table opens only on a running progressive"
        version = self.reads[streams.progressive(progressive_id)]
        meters = None if self._meters is None else self._meters[progressive_id]
        return ProgressivePort(progressive_id, progressive.terms, version, meters)

    def meters(self, progressive_id: str) -> Meters | None:
        """The meters at the head of the log; None while the commit lock is not held."""
        return None if self._meters is None else self._meters.get(progressive_id)

    def expect_new(self, stream: str) -> None:
        """The stream must not exist yet when the save is made."""
        self.reads[stream] = 0

    def _load(self, stream: str, kind: type[T]) -> T:
        version, state = self._source.load(stream)
        self.reads[stream] = version
        assert isinstance(state, kind), f"{stream} holds another kind of stream"
        return state

    # What happens

    def agreed(self, state: RoundState, events: Sequence[Event]) -> None:
        """Ask for the second opinion on a round that is about to be paid. Refuses `shadow_disagrees`."""
        if self._second_opinion is None:
            return
        objection = self._second_opinion(state.ruleset, state.limits, events)
        if objection is not None:
            raise Refusal("shadow_disagrees", f"round {state.round_id} is not paid: {objection}")

    def record(
        self,
        stream: str,
        events: list[Event],
        *,
        gaming_day: str | None = None,
        shift: str | None = None,
        late: bool = False,
        approver: str | None = None,
        belongs_to: str | None = None,
    ) -> None:
        """Record events on a stream the work has read, in order, all with this request's who and when."""
        assert stream in self.reads, f"{stream} was not read before writing"
        for event in events:
            meta = Meta(
                event_id="",
                site=self.site,
                happened_at=self.now,
                actor=self.request.actor,
                gaming_day=gaming_day,
                shift=shift,
                device=self.request.device,
                approver=approver,
                key=self.request.key,
                late=late,
                belongs_to=belongs_to,
            )
            self.records.append((stream, meta, event))

    def table_history(self, table: str, first: int) -> Iterator[tuple[Meta, Event]]:
        """The events of the table's sessions from number `first` to the open one, in order. For rare looks back."""
        sessions = self.registry(table).streams
        for number in sorted(number for number in sessions if number >= first):
            yield from self._source.events(sessions[number])

    def record_at_table(
        self, stream: str, session: TableSession, events: list[Event], *, approved: bool = False
    ) -> None:
        """Record on a session's stream, under its gaming day and shift; flagged late if time runs backwards.

        approved: this request is the second person's, so its actor is the approver too.
        """
        late = self.request.at is not None and session.last_at is not None and self.now < session.last_at
        opened = session.opened
        approver = self.request.actor if approved else None
        self.record(stream, events, gaming_day=opened.gaming_day, shift=opened.shift, late=late, approver=approver)
