"""The application as simulated people use it: somebody asks, and sees what was answered and recorded."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from domain.application import Act, Application, Busy
from domain.events.base import Event
from domain.progressive.folding import fold
from domain.progressive.port import MeterNeededError
from domain.refusals import Refusal
from domain.request import Answer, Reply, Request
from domain.store.errors import LockTimeout
from domain.work import Work

T = TypeVar("T")
_TRIES: Final = 20


class Person(NamedTuple):
    """Somebody of the simulated staff."""

    name: str
    role: str


SUPERVISOR = Person("sim.supervisor.1", "supervisor")
OTHER_SUPERVISOR = Person("sim.supervisor.2", "supervisor")
CASHIER = Person("sim.cashier", "cashier")
SECURITY = Person("sim.security", "security")
FINANCE = Person("sim.finance", "finance")
ADMIN = Person("sim.admin", "admin")


def dealer_of(table: str) -> Person:
    """The dealer who stands at a table and works its terminal."""
    return Person(f"sim.dealer.{table}", "terminal")


class Done(NamedTuple):
    """What an act answered and recorded."""

    body: Mapping[str, Any]
    events: list[Event]


class Ask(NamedTuple):
    """Somebody's act. alone: it works on a stream that other tables write too, so it needs a save of its own."""

    who: Person
    act: Act
    alone: bool = False


Steps: TypeAlias = Generator[Ask | float, Done, T]
"""What happens at a table, as a generator: it asks and is sent what was done, or says how many seconds pass."""


class House:
    """The application, with a count of what was recorded through it."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self.events = 0
        self.position = 0

    def ask(self, who: Person, act: Act) -> Done:
        """Do the act as somebody. Raises what `Application.handle` raises."""
        return self.together([Ask(who, act)])[0]

    def try_ask(self, who: Person, act: Act, *codes: str) -> Done | Refusal:
        """Do the act, or give back its refusal where the code is one of those that may well happen."""
        try:
            return self.ask(who, act)
        except Refusal as refusal:
            if refusal.code not in codes:
                raise
            return refusal

    def together(self, asks: Sequence[Ask]) -> list[Done]:
        """Do acts at different tables in one save, which costs little more than a save for one of them.

        No idempotency key: nobody sends a simulated request twice, and storing an answer for each would slow it.
        """
        done: list[Done] = []

        def act(work: Work) -> Reply:
            done.clear()  # an act may decide anew on newer streams; the last decision is the recorded one
            done.extend(_one_by_one(work, asks))
            return Reply({})

        answer = self._handle(_request(asks[0].who), act)
        self.events += sum(len(one.events) for one in done)
        self.position = answer.position
        return done

    def _handle(self, request: Request, act: Act) -> Answer:
        """Other runs may write the same slips at a rate that no house has: then it is tried again, as it asks for."""
        for _ in range(_TRIES):
            try:
                return self._application.handle(request, act)
            except (Busy, LockTimeout):
                continue
        return self._application.handle(request, act)


def _one_by_one(work: Work, asks: Sequence[Ask]) -> Iterator[Done]:
    """Each act in its turn. Raises MeterNeededError when all have read what they rest on and one of them wins."""
    winner: MeterNeededError | None = None
    for who, act, _ in asks:
        start = len(work.records)
        work.request = _request(who)
        try:
            reply = act(work)
        except MeterNeededError as error:
            winner = error
            continue
        events = [event for _, _, event in work.records[start:]]
        _move_meters(work, events)
        yield Done(reply.body, events)
    if winner is not None:
        raise winner


def _move_meters(work: Work, events: Sequence[Event]) -> None:
    """Under the commit lock, whoever comes later in a save plays on the meter that those before them have left."""
    for event in events:
        progressive: str | None = getattr(event, "progressive", None)
        if progressive is None:
            continue
        meters = work.meters(progressive)
        if meters is not None:
            fold({progressive: meters}, event)


def _request(who: Person) -> Request:
    return Request(identity=who.name, actor=who.name, role=who.role)
