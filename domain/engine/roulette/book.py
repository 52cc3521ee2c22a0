"""The book of bets: a roulette sheet made ready to play, every wager it offers found by its words."""

from collections.abc import Iterator
from typing import Final

from domain.engine.roulette import layout
from domain.engine.roulette.layout import EVEN_CHANCES, INSIDE, THIRDS, Spot
from domain.engine.roulette.wagers import UnreadableBetError, Wager, wager_on, words
from domain.engine.roulette.wheel import Wheel
from domain.ruleset.roulette import Announced, OnZero, RouletteRules

NEIGHBOURS: Final = "neighbours"
_HALVES: Final[dict[OnZero, int]] = {"taken": 0, "halved": 1, "returned": 2}


class Book:
    """The bets of one sheet.

    Finding a bet by its words is a dictionary look-up; other spellings of a bet (`split 11-8`) and neighbours are read
    once and remembered. Only what the sheet offers is remembered, so the book cannot grow without end.
    """

    def __init__(self, rules: RouletteRules) -> None:
        """The rules must be sound: `prepare.flaws` has found nothing wrong with them."""
        self.rules = rules
        self.wheel = Wheel(rules.wheel.order, frozenset(rules.wheel.red))
        self.spots: dict[str, Spot] = {spot.name: spot for spot in self._spots()}
        # Where zero takes half of a stake every chip must have a half that is still whole minor units.
        self.chip_step = 2 if any(spot.zero_halves == 1 for spot in self.spots.values()) else 1
        self.minimum_of_total = rules.limits.minimum_of == "total"
        self._chipwise = rules.limits.maximum_of == "chip"
        self._inside = {(s.kind, s.numbers): s for s in self.spots.values() if s.kind in INSIDE}
        self._wagers: dict[str, Wager] = {name: self._plain(name, spot) for name, spot in self.spots.items()}
        for announced in rules.announced:
            self._wagers[announced.name] = self._announced(announced)

    def find(self, on: str) -> Wager:
        """The wager that the words name; one without spots where they are laid on no spot of the layout.

        Raises UnreadableBetError for an unknown kind, number or form.
        """
        return self._wagers.get(on) or self._read(on)

    def kinds(self) -> tuple[str, ...]:
        """Every kind of wager on the sheet, in the order of the layout, announced bets last."""
        plain = dict.fromkeys(spot.kind for spot in self.spots.values())
        announced = [a.name for a in self.rules.announced] + ([NEIGHBOURS] if self.rules.neighbours else [])
        return (*plain, *announced)

    def wagers(self) -> Iterator[Wager]:
        """Every wager by its proper name, neighbours left out (there is one for each number and range)."""
        yield from (w for name, w in self._wagers.items() if name in self.spots or w.kind == name)

    def _spots(self) -> Iterator[Spot]:
        yield from self._inside_spots()
        yield from self._outside_spots()

    def _inside_spots(self) -> Iterator[Spot]:
        odds, edge = self.rules.odds, self.rules.zero_spots
        for kind, numbers, at_zero in layout.inside(edge):
            clause = edge.clause if at_zero else odds.clause
            name = layout.inside_name(kind, numbers)
            yield Spot(name, kind, frozenset(numbers), _times(getattr(odds, kind)), clause, clause)

    def _outside_spots(self) -> Iterator[Spot]:
        odds, zero = self.rules.odds, self.rules.zero
        for kind in (*THIRDS, *EVEN_CHANCES):
            like = "even_chance" if kind in EVEN_CHANCES else kind
            pays, halves = _times(getattr(odds, like)), _HALVES[getattr(zero, like)]
            clause = odds.even_chance_clause if kind in EVEN_CHANCES else odds.outside_clause
            for name, covered in layout.outside_numbers(kind, self.wheel):
                yield Spot(name, kind, covered, pays, clause, zero.clause, halves)

    def _plain(self, on: str, spot: Spot) -> Wager:
        return wager_on(on, spot.kind, spot.clause, [(spot, 1)], announced=False, chipwise=self._chipwise)

    def _announced(self, bet: Announced) -> Wager:
        chips = [(self.spots[chip.on], chip.units) for chip in bet.chips]
        return wager_on(bet.name, bet.name, bet.clause, chips, announced=True, chipwise=self._chipwise)

    def _read(self, on: str) -> Wager:
        kind, numbers, each_side = words(on)
        if kind == NEIGHBOURS and len(numbers) == 1 and each_side is not None:
            wager = self._neighbours(on, numbers[0], each_side)
        elif kind in INSIDE and numbers and each_side is None:
            if max(numbers) not in self.wheel.order:
                raise UnreadableBetError(f"{on!r}: the wheel has no {max(numbers)}")
            spot = self._spot(kind, numbers)
            if spot is None:
                clause = self.rules.limits.misplaced_clause
                return wager_on(on, kind, clause, (), announced=False, chipwise=self._chipwise)
            wager = self._plain(on, spot)
        else:
            raise UnreadableBetError(f"{on!r} is no bet of this sheet")
        self._wagers[on] = wager
        return wager

    def _spot(self, kind: str, numbers: tuple[int, ...]) -> Spot | None:
        if len(set(numbers)) < len(numbers):
            return None
        if kind == "line" and len(numbers) == 2:
            first, last = sorted(numbers)
            numbers = tuple(range(first, last + 1))
        return self._inside.get((kind, frozenset(numbers)))

    def _neighbours(self, on: str, number: int, each_side: int) -> Wager:
        offered = self.rules.neighbours
        if offered is None:
            raise UnreadableBetError(f"{on!r} is no bet of this sheet")
        if number not in self.wheel.order or not offered.least <= each_side <= offered.most:
            raise UnreadableBetError(f"{on!r}: a number of the wheel and {offered.least} to {offered.most} each side")
        chips = [(self.spots[f"straight {n}"], 1) for n in self.wheel.neighbours(number, each_side)]
        return wager_on(on, NEIGHBOURS, offered.clause, chips, announced=True, chipwise=self._chipwise)


def _times(odds: str) -> int:
    """The winnings per unit staked: 35 of "35:1"."""
    return int(odds.partition(":")[0])
