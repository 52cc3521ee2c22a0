"""What a sheet of the hold'em family says, as data: two cards to each box and the dealer, five shared ones."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.ruleset.base import Clause
from domain.ruleset.boxes import (
    Bet,
    Bonus,
    Cap,
    Dealer,
    Fold,
    Jackpot,
    Lose,
    Misdeals,
    NoGame,
    Players,
    Push,
    Table,
    Win,
)


class Board(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Cards to each hand, and community cards turned before and after the decisions."""

    clause: Clause
    hand_cards: Annotated[int, Meta(ge=2, le=2)] = 2
    before: Annotated[int, Meta(ge=3, le=5)] = 3
    after: Annotated[int, Meta(ge=0, le=2)] = 2


class HoldemRules(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All parts of a hold'em sheet; an absent part is not offered. Bonus and jackpot play on the first board."""

    table: Table
    players: Players
    board: Board
    bet: Bet
    fold: Fold
    dealer: Dealer
    win: Win
    lose: Lose
    push: Push
    no_game: NoGame
    cap: Cap
    misdeals: Misdeals
    bonus: Bonus | None = None
    jackpot: Jackpot | None = None
