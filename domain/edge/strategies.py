"""Named ways to play a box: simple enough to say in a sentence, so that a figure can say what it was played against.

A strategy sees what a player sees: the own cards, the dealer's face-up card, the board. It never insures and never buys
the dealer's card.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from domain.cards import RANK_BY_PACKED, SUIT_SHIFT
from domain.hands import ACE_KING, LOWEST, PAIR, strength

_ACE_KING: Final = LOWEST[ACE_KING]
_PAIR: Final = LOWEST[PAIR]
_QUEEN, _JACK, _KING, _ACE = 10, 9, 11, 12


class Seen(NamedTuple):
    """What a player sees: packed cards. board: empty in games without one; upcard: 0 where the dealer shows none."""

    hand: tuple[int, ...]
    upcard: int = 0
    board: tuple[int, ...] = ()

    @property
    def strength(self) -> int:
        """The best five cards in sight."""
        return strength(sum(self.hand) + sum(self.board))


class Strategy(NamedTuple):
    """words: the strategy as it is told. bets: whether the box bets. draws: the card it would part with, if any."""

    words: str
    bets: Callable[[Seen], bool]
    draws: Callable[[Seen], int | None] = lambda _seen: None


def _any_pair(seen: Seen) -> bool:
    return seen.strength >= _PAIR


def _ace_king_by_the_upcard(seen: Seen) -> bool:
    """The usual advice for ace-king: bet where the dealer's card makes a better hand of the dealer's less likely."""
    held = seen.strength
    if held >= _PAIR or held < _ACE_KING:
        return held >= _PAIR
    ranks = sorted((RANK_BY_PACKED[card] for card in seen.hand), reverse=True)
    shown = RANK_BY_PACKED[seen.upcard]
    if shown in (_ACE, _KING):
        return _QUEEN in ranks or _JACK in ranks
    return shown in ranks or (_QUEEN in ranks and shown < ranks[3])


def _to_a_draw(seen: Seen) -> int | None:
    """Four to a flush or to a straight open at both ends, and nothing made: the fifth card."""
    if seen.strength >= _PAIR:
        return None
    return _odd_of_four_suited(seen.hand) or _odd_of_open_four(seen.hand)


def _odd_of_four_suited(hand: Sequence[int]) -> int | None:
    total = sum(hand)
    for suit in range(4):
        if total >> SUIT_SHIFT + 4 * suit & 15 == 4:
            return next(card for card in hand if not card >> SUIT_SHIFT + 4 * suit & 15)
    return None


def _odd_of_open_four(hand: Sequence[int]) -> int | None:
    by_rank = sorted(hand, key=RANK_BY_PACKED.__getitem__)
    ranks = [RANK_BY_PACKED[card] for card in by_rank]
    if ranks[3] - ranks[0] == 3 and ranks[3] < _ACE:
        return by_rank[4]
    return by_rank[0] if ranks[4] - ranks[1] == 3 and ranks[4] < _ACE else None


def _worth_the_river(seen: Seen) -> bool:
    """A pair or better in sight, a high card of one's own, or four to a flush or a straight."""
    own = [RANK_BY_PACKED[card] for card in seen.hand]
    if seen.strength >= _PAIR or max(own) >= _JACK:
        return True
    cards = (*seen.hand, *seen.board)
    return _odd_of_four_suited(cards) is not None or _odd_of_open_four(cards) is not None


ANY_PAIR: Final = Strategy("bet any pair or better", _any_pair)
ACE_KING_OR_BETTER: Final = Strategy("bet ace-king or better", lambda seen: seen.strength >= _ACE_KING)
BASIC_STUD: Final = Strategy("bet any pair or better, ace-king by the dealer's card", _ace_king_by_the_upcard)
DRAWING_STUD: Final = Strategy(
    "bet any pair or better, ace-king by the dealer's card; draw one card to a flush or an open straight",
    _ace_king_by_the_upcard,
    _to_a_draw,
)
BASIC_HOLDEM: Final = Strategy("bet any pair or better, a jack or better in hand, or a draw", _worth_the_river)
ALWAYS: Final = Strategy("always bet", lambda _seen: True)

BY_ENGINE: Final[dict[str, tuple[Strategy, ...]]] = {
    "stud": (BASIC_STUD, DRAWING_STUD, ANY_PAIR, ACE_KING_OR_BETTER, ALWAYS),
    "holdem": (BASIC_HOLDEM, ANY_PAIR, ALWAYS),
}
"""The strategies of a family."""


def basic(engine: str, *, may_draw: bool) -> Strategy:
    """The strategy that is played where none is named. may_draw: the sheet sells single cards before the bet."""
    if engine == "stud":
        return DRAWING_STUD if may_draw else BASIC_STUD
    return BASIC_HOLDEM


def named(engine: str, words: str) -> Strategy:
    """A strategy of a family by its words. Raises ValueError for one that it does not know."""
    known = BY_ENGINE[engine]
    for strategy in known:
        if strategy.words == words:
            return strategy
    raise ValueError(f"unknown strategy {words!r}; known are: {'; '.join(s.words for s in known)}")
