"""All tables of a simulated floor, taking turns in one order that depends on the seed alone."""

import heapq
import random
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from api.simulator.felt import Felt
from api.simulator.house import Ask, Done, House, Steps
from api.simulator.progressives import ensure
from api.simulator.spins import Spins
from api.simulator.table import Table
from api.simulator.terms import Plan, jackpot_levels, terms_of
from domain.ruleset import Ruleset

_NAME_PART: Final = 22


class Wanted(NamedTuple):
    """What a floor is asked to be.

    name: the seed's name, which tables and players carry. rounds None: without end. close: whether tables close after
    their last round. together: how many tables may share one save.
    """

    rulesets: Sequence[Ruleset]
    tables: int
    rounds: int | None
    name: str
    seed: int
    roll_every: int = 400
    live_every: int = 100
    close: bool = True
    together: int = 16


_NOTHING: Final = Done({}, [])


class _Turn(NamedTuple):
    """A table whose next step is due; turns are ordered by moment and table. done: what its last step came to."""

    due: float
    number: int
    life: Steps[None]
    done: Done | None

    def step(self) -> Ask | float | None:
        """The next thing that happens at the table; None when its evening is over."""
        try:
            return next(self.life) if self.done is None else self.life.send(self.done)
        except StopIteration:
            return None


class Floor:
    """Tables in play. `play` runs them until every one has dealt its rounds."""

    def __init__(self, house: House, wanted: Wanted) -> None:
        self._house = house
        self._wanted = wanted
        self.tables = [self._table(n) for n in range(wanted.tables)]

    @property
    def rounds(self) -> int:
        """Rounds finished at all tables."""
        return sum(table.rounds for table in self.tables)

    def play(self, wait_until: Callable[[float], bool] = lambda _seconds: True) -> None:
        """Every table's life, step by step, always the table whose step is due first.

        Steps are due in simulated seconds from the start. wait_until: called before each step with the moment it is
        due; False ends the play where it stands.
        """
        for table in self.tables:
            table.clear_leftovers(self._house)
        due_next = [_Turn(0.0, number, table.life(), None) for number, table in enumerate(self.tables)]
        waiting: list[tuple[_Turn, Ask]] = []
        while due_next or waiting:
            if waiting and (not due_next or len(waiting) >= self._wanted.together):
                self._save(waiting, due_next)
                continue
            turn = heapq.heappop(due_next)
            if not wait_until(turn.due):
                return
            step = turn.step()
            if isinstance(step, float):
                heapq.heappush(due_next, turn._replace(due=turn.due + step, done=_NOTHING))
            elif step is not None:
                waiting.append((turn, step))
                if step.alone:
                    self._save([waiting.pop()], due_next)

    def _save(self, waiting: list[tuple["_Turn", Ask]], due_next: list["_Turn"]) -> None:
        """Do what was asked at several tables in one save; each table goes on at the moment at which it asked."""
        for (turn, _), done in zip(waiting, self._house.together([ask for _, ask in waiting]), strict=True):
            heapq.heappush(due_next, turn._replace(done=done))
        waiting.clear()

    def _table(self, number: int) -> Table:
        wanted = self._wanted
        ruleset = self._ruleset(number)
        of_its_kind = sum(self._ruleset(n).id == ruleset.id for n in range(number + 1))
        terms = terms_of(ruleset, of_its_kind)
        progressive = None
        if jackpot_levels(ruleset):
            levels = max(max(jackpot_levels(r), default=1) for r in wanted.rulesets)
            progressive = ensure(self._house, terms.currency, levels)
        plan = Plan(
            name=f"{ruleset.id[:_NAME_PART]}-{wanted.name}-{of_its_kind}",
            people=f"s{wanted.name}t{number + 1}",
            ruleset=ruleset,
            terms=terms,
            progressive=progressive,
            rounds=self._quota(number),
            roll_every=wanted.roll_every,
            live_every=wanted.live_every,
            close=wanted.close,
        )
        rng = random.Random(f"{wanted.seed} {ruleset.id} {number}")  # noqa: S311  (a game of chance, not a secret)
        game = Spins if ruleset.engine == "roulette" else Felt
        return Table(plan, game(plan, rng), rng)

    def _ruleset(self, number: int) -> Ruleset:
        return self._wanted.rulesets[number % len(self._wanted.rulesets)]

    def _quota(self, number: int) -> int | None:
        rounds, tables = self._wanted.rounds, self._wanted.tables
        return None if rounds is None else rounds // tables + (number < rounds % tables)
