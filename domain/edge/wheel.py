"""What the house earns on a wheel: exact, each bet settled once on every number."""

from fractions import Fraction
from math import sqrt
from statistics import mean

from domain.edge.figures import Figures, Stake
from domain.engine.limits import Limits
from domain.engine.roulette.book import NEIGHBOURS, Book
from domain.engine.roulette.stakes import outcome, place, sign
from domain.ruleset.base import Ruleset

STRAIGHT_UP = "straight 17"
"""The bet whose figures stand for the table where no bet is named: all bets on numbers have the same edge."""


def figures(ruleset: Ruleset, on: str | None) -> Figures:
    """House edge and standard deviation of the bet `on` per unit staked, and the edge of every kind of bet.

    Raises ValueError for words that are no bet of the sheet.
    """
    book: Book = ruleset.play
    on = on or STRAIGHT_UP
    if not book.find(on).spots:
        raise ValueError(f"{on!r} is no bet of this sheet")
    results = _over_the_wheel(book, on)
    edge = mean(results)
    variance = mean([(result - edge) ** 2 for result in results])
    examples = {wager.kind: wager.on for wager in book.wagers()}
    if book.rules.neighbours is not None:
        examples[NEIGHBOURS] = f"{NEIGHBOURS} 0 {book.rules.neighbours.least}"
    stakes = {
        kind: Stake(float(mean(_over_the_wheel(book, example))), "exact", 0.0) for kind, example in examples.items()
    }
    return Figures(f"one unit on {on}", float(edge), sqrt(variance), stakes)


def _over_the_wheel(book: Book, on: str) -> list[Fraction]:
    """What the house wins per unit staked, number by number."""
    limits = sign(Limits(chip=book.chip_step, min=book.chip_step))
    wager, unit = book.find(on), book.chip_step
    amounts = {"amount": None, "unit": unit} if wager.announced else {"amount": unit, "unit": None}
    placed = place(book, limits, 1, on, late=False, **amounts)
    results = [outcome(placed, limits, number) for number in sorted(book.wheel.order)]
    return [Fraction(result.lost - result.paid, placed.amount) for result in results]
