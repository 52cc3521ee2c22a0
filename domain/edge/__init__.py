"""What a sheet is worth to the house: exact on a wheel, by seeded simulation over the engine's own settlement on boxes.

strategies    named ways to play a box
boxes         the simulated table
side_stakes   bonus and jackpot, exact
wheel         roulette, exact
figures       the numbers and their public form
"""

from time import monotonic
from typing import Any, Final

from domain.edge import side_stakes, wheel
from domain.edge.boxes import Table, drawing
from domain.edge.figures import Figures
from domain.edge.strategies import ANY_PAIR, BY_ENGINE, basic, named
from domain.ruleset.base import Ruleset

ROUNDS: Final = 40_000
"""Rounds played where neither rounds nor seconds are named: a standard error of about half a percent of the ante."""

_BATCH: Final = 500


def edge(
    ruleset: Ruleset,
    strategy: str | None = None,
    *,
    seconds: float | None = None,
    rounds: int | None = None,
    seed: int = 1,
) -> dict[str, Any]:
    """The house's win per ante, its standard deviation, and the edge on every kind of stake per unit of it staked.

    strategy: the words of one (`strategies.BY_ENGINE`), in roulette those of a bet ("red"); None: the basic one.
    rounds or seconds say how long to play; with rounds the answer depends on nothing but the arguments. The mean is of
    ante, bet and fees; bonus and jackpot are under `stakes` only. Raises ValueError for an unknown strategy.
    """
    return _figures(ruleset, strategy, seconds, rounds, seed).document(ruleset.id)


def remarks(ruleset: Ruleset, *, rounds: int = 10_000, seed: int = 1) -> list[str]:
    """What a casino should hear before it deals this sheet: what it earns, and aloud where it loses money.

    A sheet of boxes is played by the basic strategy and by "bet any pair or better".
    """
    boxes = ruleset.engine in BY_ENGINE
    ways = [None, ANY_PAIR.words] if boxes else [None]
    all_figures = [_figures(ruleset, words, None, rounds, seed) for words in ways]
    said = [_verdict("the ante" if boxes else "a stake", figures) for figures in all_figures]
    for kind, stake in all_figures[0].stakes.items():
        # Ante and bet pay for each other; what stands alone has to earn alone.
        if kind not in ("ante", "bet") and stake.edge < -2 * stake.standard_error:
            said.append(f"THE HOUSE LOSES {-stake.edge:.1%} of every {kind} stake ({stake.method})")
    return said


def _verdict(per: str, figures: Figures) -> str:
    against, error = f'against "{figures.strategy}"', figures.standard_error
    margin = f" (standard error {error:.1%})" if error else " (exact)"
    if figures.edge < -2 * error:
        return f"THE HOUSE LOSES about {-figures.edge:.1%} of {per}{margin} {against}"
    return f"the house wins about {figures.edge:.1%} of {per}{margin} {against}"


def _figures(ruleset: Ruleset, strategy: str | None, seconds: float | None, rounds: int | None, seed: int) -> Figures:
    if ruleset.engine not in BY_ENGINE:
        return wheel.figures(ruleset, strategy)
    if (rounds is not None and rounds < 1) or (seconds is not None and seconds <= 0):
        raise ValueError("a figure needs at least one round")
    if strategy is None:
        played_by = basic(ruleset.engine, may_draw=bool(drawing(ruleset)))
    else:
        played_by = named(ruleset.engine, strategy)
    table = Table(ruleset, played_by, seed)
    if seconds is None:
        for _ in range(ROUNDS if rounds is None else rounds):
            table.play()
    else:
        until = monotonic() + seconds
        while monotonic() < until:
            for _ in range(_BATCH):
                table.play()
    stakes = table.stakes() | side_stakes.stakes(ruleset, played_by)
    return Figures(played_by.words, table.edge, table.deviation, stakes, table.standard_error)
