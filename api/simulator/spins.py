"""Roulette as simulated players play it: every kind of wager, announced bets, late and misplaced ones, no-spins."""

import random
from collections.abc import Iterator
from functools import partial
from typing import Final

from api.simulator.house import Ask, Done, Steps, dealer_of
from api.simulator.players import Player, Players
from api.simulator.terms import Plan
from domain.acts import rounds
from domain.commands import LiveAction, LiveDealer, OpenLiveRound
from domain.engine.record import Record, RecordWager
from domain.engine.roulette.book import Book
from domain.ruleset.roulette import RouletteRules

_NUMBERS: Final = 37
_NO_SPIN_ONE_IN, _LATE_ONE_IN, _MISPLACED_ONE_IN = 60, 40, 80
_MISPLACED: Final = "split 1-36"
_LIVE_WAGERS: Final = 4


class Spins:
    """The wheel of one table."""

    def __init__(self, plan: Plan, rng: random.Random) -> None:
        self._plan = plan
        self._rng = rng
        self._dealer = dealer_of(plan.name)
        book, rules = plan.ruleset.play, plan.ruleset.rules
        assert isinstance(book, Book), "roulette is dealt here"
        assert isinstance(rules, RouletteRules), "roulette is dealt here"
        wagers = list(book.wagers())
        self._plain = [wager.on for wager in wagers if not wager.announced]
        self._announced = [wager.on for wager in wagers if wager.announced]
        self._neighbours = rules.neighbours

    def finished(self, players: Players) -> Steps[None]:
        """A spin recorded when the number has been called."""
        bets = tuple(bet for player in players.seated for bet in self._bets(player))
        record = Record(ruleset=self._plan.ruleset.id, bets=bets, result=self._number())
        done = yield Ask(self._dealer, partial(rounds.play_record, table=self._plan.name, record=record))
        self._settle(players, done)

    def live(self, players: Players) -> Steps[None]:
        """A spin with every wager recorded as it is laid."""
        name, dealer = self._plan.name, self._dealer
        opening = OpenLiveRound(shoe="external")
        yield Ask(dealer, partial(rounds.open_round, table=name, command=opening))
        yield 5.0
        wagers = [bet for player in players.seated for bet in self._bets(player)]
        for bet in self._rng.sample(wagers, min(len(wagers), _LIVE_WAGERS)):
            command = LiveAction(
                do="wager",
                on=bet.on,
                player=bet.player or None,
                amount=bet.amount or None,
                unit=bet.unit or None,
                late=bet.late is True,
            )
            yield Ask(dealer, partial(rounds.act, table=name, command=command))
            yield 1.0 + 3.0 * self._rng.random()
        call = LiveDealer(number=self._number())
        done = yield Ask(dealer, partial(rounds.dealer, table=name, command=call))
        self._settle(players, done)

    def _number(self) -> int | None:
        if self._rng.randrange(_NO_SPIN_ONE_IN) == 0:
            return None
        return self._rng.randrange(_NUMBERS)

    def _bets(self, player: Player) -> Iterator[RecordWager]:
        rng, least, chip = self._rng, self._plan.terms.min, self._plan.terms.chip
        late = rng.randrange(_LATE_ONE_IN) == 0
        for _ in range(1 + rng.randrange(2)):
            stake = least + chip * rng.randrange(20)
            choice = rng.randrange(8)
            if choice == 0 and self._announced:
                yield RecordWager(on=rng.choice(self._announced), player=player.name, unit=stake)
            elif choice == 1 and self._neighbours is not None:
                most = min(3, self._neighbours.most)
                on = f"neighbours {rng.randrange(_NUMBERS)} {rng.randint(self._neighbours.least, most)}"
                yield RecordWager(on=on, player=player.name, unit=stake)
            elif rng.randrange(_MISPLACED_ONE_IN) == 0:
                yield RecordWager(on=_MISPLACED, player=player.name, amount=stake)
            elif late:
                yield RecordWager(on=rng.choice(self._plain), player=player.name, amount=stake, late=True)
            else:
                yield RecordWager(on=rng.choice(self._plain), player=player.name, amount=stake)

    @staticmethod
    def _settle(players: Players, done: Done) -> None:
        for bet in done.body["settlement"].bets:
            players.settle(bet.player, bet.net)
