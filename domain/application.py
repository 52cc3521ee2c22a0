"""One way in: a request and an act become a decision, and the decision one save, or nothing.

`handle` reads the streams from a cache, lets the act decide, and saves the events together with the answer. The save
checks under the commit lock that every stream the act read has not moved; if one has, it is read again and the act
decides anew. A refusal counts only when the streams it rests on are at their head, and a request whose answer is
already stored is answered with it, whatever the act would say now.
"""

import secrets
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Self

import msgspec
from eventsourcing.persistence import InfrastructureFactory, StoredEvent
from eventsourcing.utils import Environment

from domain.cache import StreamCache
from domain.codec import encode
from domain.events.base import Event, Meta
from domain.progressive.checkpoint import MetersAtHead
from domain.progressive.meters import Meters
from domain.progressive.port import MeterNeededError
from domain.recorder import CasinoRecorder
from domain.refusals import Refusal
from domain.request import Answer, Reply, Request
from domain.shoe import Draw
from domain.store.connection import APPLICATION, environment
from domain.store.errors import AlreadyAnswered, StaleVersion, Unknown
from domain.store.locked import LockedLog
from domain.store.save import AnswerRow, Placed, Save
from domain.work import SecondOpinion, Work

ATTEMPTS = 12
TURN_SECONDS = 10.0
FUTURE_SECONDS = 300

Act = Callable[[Work], Reply]
Clock = Callable[[], datetime]


class IdempotencyKeyReused(Exception):  # noqa: N818  (an answer, not a fault of the program)
    """The key was used before with another request."""


class Busy(Exception):  # noqa: N818
    """The house could not take its turn in time; nothing was recorded, try again."""


def utc_now() -> datetime:
    """The wall clock."""
    return datetime.now(UTC)


class Application:
    """Takes requests one at a time in this process; other processes are kept apart by the commit lock.

    A turn is a few milliseconds and every save waits for the same lock in the database anyway, so a queue here costs
    nothing and spares the tables of one process all conflicts with each other.
    """

    def __init__(
        self,
        database_url: str,
        *,
        site: str,
        clock: Clock = utc_now,
        draw: Draw = secrets.randbelow,
        second_opinion: SecondOpinion | None = None,
    ) -> None:
        """Connect to the log at a PostgreSQL address. Raises StoreUnavailable, StoreRefused.

        `clock` and `draw` are handed in, so that a test or a simulation can hold them still. `second_opinion` must not
        object to a round before it is paid; None: nobody is asked.
        """
        settings = Environment(APPLICATION, environment(database_url))
        self._factory = InfrastructureFactory.construct(settings)
        recorder = self._factory.application_recorder()
        assert isinstance(recorder, CasinoRecorder), "every writer of the log goes through the recorder of the log"
        self.recorder = recorder
        self.site = site
        self._clock = clock
        self._draw = draw
        self._second_opinion = second_opinion
        self._cache = StreamCache(recorder)
        self._turn = threading.Lock()

    def close(self) -> None:
        """Close the connections; the application is of no use afterwards."""
        self._factory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def handle(self, request: Request, act: Act) -> Answer:
        """Decide and record. Raises Refusal, IdempotencyKeyReused, Busy, and the recorder's StoreUnavailable."""
        now = self._clock()
        if request.at is not None and (request.at - now).total_seconds() > FUTURE_SECONDS:
            raise Refusal("bad_time", f"`at` {request.at.isoformat()} lies in the future")
        with self._taking_turn():
            for _ in range(ATTEMPTS):
                answer = self._attempt(_Attempt(self, request, act, now))
                if answer is not None:
                    return answer
        raise Busy(f"the streams moved {ATTEMPTS} times while this was decided; try again")

    def work(self, request: Request, now: datetime, meters: Mapping[str, Meters] | None) -> Work:
        """A fresh work on the streams as this process knows them."""
        return Work(
            self._cache,
            request,
            site=self.site,
            clock_now=now,
            draw=self._draw,
            meters=meters,
            second_opinion=self._second_opinion,
        )

    @contextmanager
    def _taking_turn(self) -> Iterator[None]:
        if not self._turn.acquire(timeout=TURN_SECONDS):
            raise Busy(f"no turn within {TURN_SECONDS:.0f} s; try again")
        try:
            yield
        finally:
            self._turn.release()

    def _attempt(self, attempt: "_Attempt") -> Answer | None:
        """The answer, or None where the act must decide again on newer streams."""
        try:
            attempt.decide(meters=None)
        except MeterNeededError:
            attempt.under_lock = True
        except Refusal:
            if self._cache.refresh(attempt.reads):
                return None
            given = self._given(attempt.request)
            if given is not None:
                return given
            raise
        try:
            answer = attempt.save()
        except StaleVersion:
            self._cache.refresh(attempt.reads)
            return None
        except AlreadyAnswered as already:
            return self._replay(attempt.request, already.row)
        except Unknown as lost:
            return self._settle_unknown(attempt, lost)
        self._cache.advance(attempt.records)
        return answer

    def _given(self, request: Request, *, settled: bool = False) -> Answer | None:
        """The answer this request was given before, if any."""
        if request.key is None:
            return None
        row = self.recorder.find_answer(request.identity, request.key, settled=settled)
        return None if row is None else self._replay(request, row)

    @staticmethod
    def _replay(request: Request, row: AnswerRow) -> Answer:
        if row.digest != request.digest:
            raise IdempotencyKeyReused(f"key {request.key!r} was used for another request; choose a new key")
        return Answer(row.status, row.answer, row.position, replayed=True)

    def _settle_unknown(self, attempt: "_Attempt", lost: Unknown) -> Answer | None:
        """The connection was lost around COMMIT: what the log holds decides, never a guess.

        Once no save is under way, a kept answer means recorded and no answer not recorded: decide again. Without a
        key there is nothing to look for, and the caller is told.
        """
        self._cache.forget()
        if attempt.request.key is None:
            raise lost
        given = self._given(attempt.request, settled=True)
        return None if given is None else Answer(given.status, given.body, given.position)


class _Attempt:
    """One try at one request: what the act decided, as it will be stored."""

    def __init__(self, app: Application, request: Request, act: Act, now: datetime) -> None:
        self._app = app
        self._act = act
        self._now = now
        self._save_id = f"{int(now.timestamp() * 1000):012x}{secrets.token_hex(8)}"
        self._reply = Reply({})
        self.request = request
        self.reads: dict[str, int] = {}
        self.records: list[tuple[str, Meta, Event]] = []
        self.under_lock = False

    def decide(self, meters: Mapping[str, Meters] | None) -> None:
        """Run the act. Raises Refusal; MeterNeededError where the commit lock must be held first."""
        work = self._app.work(self.request, self._now, meters)
        try:
            self._reply = self._act(work)
        finally:
            self.reads = work.reads
        assert work.records, "an act records something or refuses"
        self.records = work.records

    def save(self) -> Answer:
        """Save what was decided; under the lock first, where the act needs the meter."""
        request = self.request
        keyed = request.key is not None
        save = Save(
            versions=dict(self.reads),
            identity=request.identity if keyed else "",
            key=request.key or "",
            finish=self._finish if self.under_lock else None,
            answer=self._answer_row if keyed else None,
        )
        saved = self._app.recorder.save([] if self.under_lock else self._stored(), save)
        if saved.answer is not None:
            return Answer(saved.answer.status, saved.answer.answer, saved.answer.position)
        return self._answer(saved.placed)

    def _finish(self, locked: LockedLog) -> Sequence[StoredEvent]:
        self.decide(MetersAtHead(locked))
        return self._stored()

    def _stored(self) -> list[StoredEvent]:
        versions = dict(self.reads)
        stored = []
        for n, (stream, meta, event) in enumerate(self.records):
            versions[stream] += 1
            named = msgspec.structs.replace(meta, event_id=f"{self._save_id}-{n}")
            stored.append(StoredEvent(stream, versions[stream], event.TOPIC, encode(named, event)))
        return stored

    def _answer(self, placed: Sequence[Placed]) -> Answer:
        position = placed[-1].position
        body = msgspec.json.encode({**self._reply.body, "position": position})
        return Answer(self._reply.status, body, position)

    def _answer_row(self, placed: Sequence[Placed]) -> AnswerRow:
        answer = self._answer(placed)
        key = self.request.key
        assert key is not None, "only keyed requests keep an answer"
        return AnswerRow(self.request.identity, key, self.request.digest, answer.status, answer.body, answer.position)
