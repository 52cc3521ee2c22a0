"""Who sits at a simulated table, what they stake, and how they decide: middling players who try whatever is offered."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from api.simulator.terms import Plan
from domain.engine.commands import Seat
from domain.ruleset.boxes import Blind, Bonus

_BUYS_ANTES: Final = 120
_LOW_ANTES: Final = 12
"""A player buys so many antes' worth of chips, and again when fewer are left."""

_AT_THE_WHEEL: Final = 4
_LEAVES_ONE_IN: Final = 90
_SITS_OUT_ONE_IN: Final = 25


@dataclass(slots=True)
class Player:
    """stack: chips before them, in minor units. jackpot: whether they stake it where the game has one."""

    name: str
    ante: int
    stack: int
    jackpot: bool


class Players:
    """The people at one table. Every other one of those who come stakes the jackpot."""

    def __init__(self, plan: Plan, rng: random.Random) -> None:
        self._plan = plan
        self._rng = rng
        self._came = 0
        roulette = plan.ruleset.engine == "roulette"
        rules: Any = plan.ruleset.rules  # of a game of boxes; roulette's are asked for nothing
        self._rules = rules
        self._room: int = _AT_THE_WHEEL if roulette else rules.table.boxes
        self.seated: list[Player] = [self._arrival() for _ in range(max(1, self._room - 1))]

    def _arrival(self) -> Player:
        self._came += 1
        terms = self._plan.terms
        # Most play near the minimum; an ante leaves room for a bet of twice as much.
        steps = (terms.max - terms.min) // terms.chip
        ante = terms.min + terms.chip * int(steps * self._rng.random() ** 4)
        return Player(f"{self._plan.people}p{self._came}", ante, 0, jackpot=self._came % 2 == 1)

    def buying(self) -> Iterator[tuple[str, int]]:
        """Who buys in now, and for how much; the chips are theirs when this goes on."""
        rng = self._rng
        for place in range(len(self.seated)):
            if rng.randrange(_LEAVES_ONE_IN) == 0:
                self.seated[place] = self._arrival()
            player = self.seated[place]
            if player.stack < _LOW_ANTES * player.ante:
                most = self._plan.terms.par // 4  # what any tray can sell
                amount = min(_BUYS_ANTES * player.ante, most - most % self._plan.terms.chip)
                yield player.name, amount
                player.stack += amount

    def settle(self, player: str, net: int) -> None:
        """Add what a player has won or lost."""
        for seated in self.seated:
            if seated.name == player:
                seated.stack += net

    # Stakes before the deal

    def stakes(self) -> tuple[Seat, ...]:
        """The boxes of a round: who plays which, open and blind, with which side stakes."""
        rules = self._rules
        free = list(range(1, self._room + 1))
        open_most, blind = rules.players.open_boxes, getattr(rules, "blind", None)
        seats: list[Seat] = []
        for player in self.seated:
            if not free:
                break
            if self._rng.randrange(_SITS_OUT_ONE_IN) == 0 and seats:
                continue
            opened = 1 if open_most == 1 else min(len(free), 1 + self._rng.randrange(open_most))
            boxes = [free.pop(0) for _ in range(opened)]
            seats += [self._seat(player, box) for box in boxes]
            for _ in range(self._blind_boxes(blind, opened, len(free))):
                seats.append(self._seat(player, free.pop(0), blind=True))
        return tuple(seats)

    def _blind_boxes(self, blind: Blind | None, opened: int, free: int) -> int:
        if blind is None or opened < blind.needs_open or self._rng.randrange(3):
            return 0
        counts = [count for count in blind.counts if count <= free]
        return self._rng.choice(counts) if counts else 0

    def _seat(self, player: Player, box: int, *, blind: bool = False) -> Seat:
        bonus, jackpot = self._rules.bonus, self._rules.jackpot
        takes_part = self._plan.progressive is not None and jackpot is not None and player.jackpot
        return Seat(
            box=box,
            ante=player.ante,
            player=player.name,
            bonus=self._bonus(bonus) if bonus is not None else 0,
            jackpot=jackpot.stake if takes_part else 0,
            blind=blind,
        )

    def _bonus(self, bonus: Bonus) -> int:
        if self._rng.randrange(3) == 0:
            return 0
        terms = self._plan.terms
        return bonus.stake if bonus.stake is not None else terms.min + terms.chip * self._rng.randrange(5)
