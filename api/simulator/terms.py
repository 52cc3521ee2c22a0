"""What stands on a simulated table's sign, and the chips in its tray."""

from typing import Final, NamedTuple

from domain.engine.limits import Limits
from domain.events.base import Chips
from domain.ruleset import Ruleset

_CURRENCY_OF: Final = {"ro": "RON", "ua": "UAH", "ru": "RUB"}
"""The country in a sheet's id says in which currency its tables are dealt; elsewhere it is euro."""

_STEPS: Final = (10_000, 2_000, 500, 100, 20, 5, 1)
"""Chip denominations as multiples of the smallest chip, the highest first."""

_PAR_OF_MAXIMA: Final = 100
"""A tray is filled to so many times the table's maximum."""


class Terms(NamedTuple):
    """The sign of a table and the float it starts with, in minor units."""

    currency: str
    chip: int
    min: int
    max: int
    max_payout_per_box: int | None
    par: int

    @property
    def limits(self) -> Limits:
        """The sign as the round engine reads it."""
        return Limits(
            currency=self.currency,
            chip=self.chip,
            min=self.min,
            max=self.max,
            max_payout_per_box=self.max_payout_per_box,
        )


class Plan(NamedTuple):
    """Which table this is and what happens at it.

    people: what the names of its players begin with. rounds None: without end. roll_every: rounds to a gaming day.
    live_every: of so many rounds two are played step by step, the others recorded when they are finished. close:
    whether the table is closed after the last.
    """

    name: str
    people: str
    ruleset: Ruleset
    terms: Terms
    progressive: str | None
    rounds: int | None
    roll_every: int
    live_every: int
    close: bool


def terms_of(ruleset: Ruleset, number: int) -> Terms:
    """The sign of the number-th table of a sheet: every second table of a game has a cap on payouts."""
    chip = 50 * ruleset.chip_step
    roulette = ruleset.engine == "roulette"
    least, most = (chip, 500 * chip) if roulette else (5 * chip, 100 * chip)
    cap = None if roulette or number % 2 else 100 * most
    return Terms(_currency(ruleset.id), chip, least, most, cap, _PAR_OF_MAXIMA * most)


def jackpot_levels(ruleset: Ruleset) -> frozenset[int]:
    """The levels of a progressive that a sheet pays from; empty where it has no jackpot."""
    jackpot = getattr(ruleset.rules, "jackpot", None)
    return frozenset() if jackpot is None else frozenset(prize.level for prize in jackpot.prizes.values())


def _currency(ruleset_id: str) -> str:
    return next((_CURRENCY_OF[part] for part in ruleset_id.split("-") if part in _CURRENCY_OF), "EUR")


def chips_worth(amount: int, chip: int) -> tuple[Chips, ...]:
    """Chips of a value, a few of every denomination that fits, so that the tray can pay small and large.

    What is less than the smallest chip (half stakes and half fees leave it) lies there in coins.
    """
    assert amount >= 0, "a tray does not hold less than nothing"
    left, chips = amount, []
    for step in _STEPS:
        denomination = step * chip
        # Not more than half of what is left in the largest: a tray of three plaques cannot pay anybody.
        count = left // denomination if step == 1 else left // 2 // denomination
        if count:
            chips.append(Chips(denomination, count))
            left -= count * denomination
    if left:
        chips.append(Chips(1, left))
    return tuple(chips)
