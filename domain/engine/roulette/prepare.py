"""From a roulette sheet's rules to the book of bets, and what well-formed rules may still have wrong."""

from collections.abc import Iterable, Iterator

from domain.engine.roulette import layout
from domain.engine.roulette.book import NEIGHBOURS, Book
from domain.engine.roulette.layout import EVEN_CHANCES, INSIDE, THIRDS
from domain.engine.roulette.wheel import NUMBERS, ZERO, alternates
from domain.ruleset.base import Flaw
from domain.ruleset.roulette import RouletteRules

_KINDS = frozenset((*INSIDE, *THIRDS, *EVEN_CHANCES, NEIGHBOURS))


def flaws(rules: RouletteRules) -> Iterable[Flaw]:
    """What is wrong with the rules: the wheel, the spots at zero, where announced chips lie, ranges that are empty."""
    yield from _wheel(rules)
    yield from _zero_spots(rules)
    yield from _announced(rules)
    if rules.neighbours is not None and rules.neighbours.least > rules.neighbours.most:
        yield Flaw(("neighbours", "least"), f"must be at most `most`, {rules.neighbours.most}")
    cutting = rules.cutting
    if not cutting.rides_on_one <= cutting.rides_on_more < cutting.cut_from <= cutting.stack:
        yield Flaw(("cutting",), "must go up from rides_on_one over rides_on_more and cut_from to stack")


def prepare(rules: RouletteRules) -> Book:
    """The book of bets that the engine plays with."""
    return Book(rules)


def _wheel(rules: RouletteRules) -> Iterator[Flaw]:
    order, red = rules.wheel.order, frozenset(rules.wheel.red)
    if sorted(order) != list(NUMBERS):
        yield Flaw(("wheel", "order"), "must name each number from 0 to 36 exactly once")
    elif len(red) != len(rules.wheel.red) or ZERO in red:
        yield Flaw(("wheel", "red"), "must name 18 different numbers from 1 to 36")
    elif not alternates(order, red):
        yield Flaw(("wheel", "red"), "red and black must take turns along `order`")


def _zero_spots(rules: RouletteRules) -> Iterator[Flaw]:
    edge = rules.zero_spots
    fields: tuple[tuple[str, tuple[tuple[int, ...], ...]], ...] = (
        ("splits", edge.splits),
        ("streets", edge.streets),
        ("corners", edge.corners),
    )
    for field, spots in fields:
        seen: set[frozenset[int]] = set()
        for at, numbers in enumerate(spots):
            covered = frozenset(numbers)
            if ZERO not in covered or len(covered) < len(numbers) or covered in seen:
                yield Flaw(("zero_spots", field, at), "must be different numbers, zero among them, listed once")
            seen.add(covered)


def _announced(rules: RouletteRules) -> Iterator[Flaw]:
    spots = {layout.inside_name(kind, numbers): numbers for kind, numbers, _ in layout.inside(rules.zero_spots)}
    names: set[str] = set()
    for at, bet in enumerate(rules.announced):
        if bet.name in _KINDS or bet.name in names:
            yield Flaw(("announced", at, "name"), f"{bet.name!r} is the name of another bet")
        names.add(bet.name)
        covered: set[int] = set()
        for chip_at, chip in enumerate(bet.chips):
            if chip.on not in spots:
                yield Flaw(("announced", at, "chips", chip_at), f"the layout has no {chip.on!r}")
            covered |= set(spots.get(chip.on, ()))
        if bet.sector and covered != set(bet.sector):
            wrong = ", ".join(map(str, sorted(covered ^ set(bet.sector))))
            yield Flaw(("announced", at, "sector"), f"chips and sector do not agree on {wrong}")
