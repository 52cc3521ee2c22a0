"""How probable it is to win a share of a meter: exact, since prizes are won by the category of the first five cards."""

from typing import NamedTuple

from domain.hands import FIVE_CARD_HANDS
from domain.ruleset.base import Ruleset

ALL = sum(FIVE_CARD_HANDS)
"""All hands of five cards: 2,598,960."""

_FIRST_CARDS = 5


class Share(NamedTuple):
    """A share of a level's meter and what wins it: `hands` of the `ALL` hands of five are such a hand."""

    level: int
    hand: str
    share_ppm: int
    hands: int

    @property
    def odds(self) -> str:
        """The odds against it as people say them: "649,739 to 1"."""
        return f"{(ALL - self.hands) // self.hands:,} to 1"

    def is_longer_than(self, odds: int) -> bool:
        """Whether the odds against it are longer than `odds` to one."""
        return self.hands * (odds + 1) < ALL


class UnknownOddsError(ValueError):
    """Prizes of the sheet are not won on five cards: how probable they are is not known here."""


def shares(ruleset: Ruleset) -> tuple[Share, ...]:
    """The shares of meters that a sheet pays, by level and hand; none for a sheet without a jackpot.

    A line is won by its own hand and by every higher one that has no line. In hold'em the first five cards are the two
    of the box and the three of the first board. Raises UnknownOddsError.
    """
    jackpot = getattr(ruleset.rules, "jackpot", None)
    if jackpot is None:
        return ()
    play = ruleset.play
    if play.hand_cards + play.board_before != _FIRST_CARDS:
        raise UnknownOddsError(f"prizes of {ruleset.id} are won on {play.hand_cards + play.board_before} cards")
    by_category = list(zip(FIVE_CARD_HANDS, play.jackpot.prizes, strict=True))
    return tuple(
        sorted(
            Share(line.level, hand, line.percent * 10_000, sum(n for n, other in by_category if other is line))
            for hand, line in jackpot.prizes.items()
            if line.percent is not None
        )
    )
